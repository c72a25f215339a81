import { describe, expect, test } from 'vitest';
import { eventLine } from '../../../src/cli/text/event-line.ts';
import { PLAIN } from '../../../src/cli/terminal/paint.ts';
import { pageOf } from './fake-crawl.ts';

const page = { kind: 'page', page: pageOf() } as const;
const failed = { kind: 'failed', page: pageOf({ outcome: 'http-error', status: 404, detail: null }) } as const;
const skipped = {
  kind: 'skipped',
  skipped: { url: 'https://other.org/', reason: 'out-of-scope', rule: 'host', referrer: null },
} as const;
const note = { kind: 'note', message: 'a Crawl-delay was cut' } as const;

describe('an event', () => {
  test.each([
    ['page', page, [false, false, true]],
    ['failure', failed, [false, true, true]],
    [
      'speculative link that was wrong',
      { ...failed, page: { ...failed.page, confidence: 'low' } },
      [false, false, true],
    ],
    ['skipped URL', skipped, [false, false, false]],
    ['note', note, [false, true, true]],
  ] as const)('that is a %s shows with -q, without, with -v: %j', (_name, event, shown) => {
    const lines = (['quiet', 'normal', 'verbose'] as const).map((loudness) => eventLine(event, loudness, PLAIN));
    expect(lines.map((line) => line !== null)).toEqual(shown);
  });

  test('of a page is one line with outcome, status, time and links', () => {
    expect(eventLine(page, 'verbose', PLAIN)).toBe('captured   200    371 ms    60 links  https://example.org/a');
  });

  test('of a redirected page says where it led', () => {
    const moved = {
      kind: 'page',
      page: pageOf({ outcome: 'redirected', finalUrl: 'https://example.org/b', timing: null }),
    } as const;
    expect(eventLine(moved, 'verbose', PLAIN)).toMatch(/^redirected {2}200 .*\/a\n +to https:\/\/example\.org\/b$/);
  });

  test('of a failure says why and where the link was', () => {
    expect(eventLine(failed, 'normal', PLAIN)).toBe(
      'failed  https://example.org/a  http-error 404\n      linked from https://example.org/',
    );
    const unreachable = {
      kind: 'failed',
      page: pageOf({ outcome: 'unreachable', status: null, referrer: null, detail: 'connection refused' }),
    } as const;
    expect(eventLine(unreachable, 'normal', PLAIN)).toBe('failed  https://example.org/a  connection refused');
  });

  test('of a hostile page stays on its line', () => {
    const evil = '\u001b[2J\u202e\r\nerror  faked';
    const line = eventLine(
      { kind: 'failed', page: pageOf({ url: evil, referrer: null, detail: evil }) },
      'normal',
      PLAIN,
    );
    expect(line).toBe('failed   error  faked   error  faked');
  });
});
