import { describe, expect, test } from 'vitest';
import { readEnvironment, strangeVariables } from '../../../src/cli/flags/environment.ts';
import { FLAGS } from '../../../src/cli/flags/flags.ts';

describe('the environment', () => {
  test('sets flags as ORBWEAVER_<FLAG>', () => {
    expect(
      readEnvironment(
        {
          ORBWEAVER_DEPTH: '3',
          ORBWEAVER_PAGE_TIMEOUT: '90',
          ORBWEAVER_NO_ROBOTS: '1',
          ORBWEAVER_FULL_PAGE: 'no',
          ORBWEAVER_INCLUDE: '/a,b/\n/c/\n',
          ORBWEAVER_SNAPSHOT: 'html,text',
          ORBWEAVER_REDIS_URL: 'redis://h',
          ORBWEAVER_BROWSER: '/opt/chromium',
          DEPTH: '5',
        },
        FLAGS,
      ),
    ).toEqual({
      depth: 3,
      pageTimeout: 90_000,
      robots: false,
      fullPage: false,
      include: ['/a,b/', '/c/'],
      snapshot: ['html', 'text'],
      redis: 'redis://h',
      browser: '/opt/chromium',
    });
  });

  test('has lines that end as those of Windows do', () => {
    const variables = { ORBWEAVER_EXCLUDE: '/calendar/\r', ORBWEAVER_HEADER: 'X-A: 1\r\nX-B: 2\r\n' };
    expect(readEnvironment(variables, FLAGS)).toEqual({ exclude: ['/calendar/'], headers: ['X-A: 1', 'X-B: 2'] });
  });

  test('sets nothing where a variable is empty', () => {
    expect(readEnvironment({ ORBWEAVER_DEPTH: '', ORBWEAVER_NO_ROBOTS: ' ', ORBWEAVER_INCLUDE: '\n' }, FLAGS)).toEqual(
      {},
    );
  });

  test('takes ORBWEAVER_REDIS where ORBWEAVER_REDIS_URL is not set', () => {
    expect(readEnvironment({ ORBWEAVER_REDIS: 'redis://a' }, FLAGS)).toEqual({ redis: 'redis://a' });
    expect(readEnvironment({ ORBWEAVER_REDIS: 'redis://a', ORBWEAVER_REDIS_URL: 'redis://b' }, FLAGS)).toEqual({
      redis: 'redis://b',
    });
  });

  test.each([
    [{ ORBWEAVER_DEPTH: 'x' }, /^ORBWEAVER_DEPTH: "x" is not accepted\.\nAccepted: a whole number/],
    [{ ORBWEAVER_NO_ROBOTS: 'maybe' }, /^ORBWEAVER_NO_ROBOTS: "maybe" is not accepted\.\nAccepted: true, 1/],
    [{ ORBWEAVER_INCLUDE: '/a/\n(' }, /^ORBWEAVER_INCLUDE: "\("/],
  ])('refuses %j by the name of the variable', (variables, message) => {
    expect(() => readEnvironment(variables, FLAGS)).toThrow(message);
  });

  test('is told of variables that look like ours and set nothing', () => {
    expect(
      strangeVariables({ ORBWEAVER_DELYA: '1', ORBWEAVER_DELAY: '1', ORBWEAVER_ZZZZZZZZ: '1', PATH: '/' }, FLAGS),
    ).toEqual(['ORBWEAVER_DELYA sets nothing; did you mean ORBWEAVER_DELAY?', 'ORBWEAVER_ZZZZZZZZ sets nothing']);
    expect(strangeVariables({ ORBWEAVER_MAX_PAGES: '3', ORBWEAVER_HOME: '/' }, FLAGS)).toEqual([
      'ORBWEAVER_MAX_PAGES sets nothing; did you mean ORBWEAVER_LIMIT?',
      'ORBWEAVER_HOME sets nothing',
    ]);
  });

  test('may hold the crawl of a worker, too', () => {
    expect(strangeVariables({ ORBWEAVER_CRAWL: 'c-0123456789ab' }, FLAGS)).toEqual([]);
  });
});
