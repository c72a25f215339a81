import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../../../src/core/robots/robots-file.ts';

const pathsOf = (...lines: readonly string[]): readonly string[] =>
  parseRobots(lines.join('\n')).paths.map(({ path }) => path);

describe('the paths of a robots.txt', () => {
  test('are those of the rules of all groups, each once, in their order', () => {
    const { paths } = parseRobots(
      [
        'User-agent: a',
        'Disallow: /admin/',
        'Allow: /admin/help',
        'User-agent: b',
        'Disallow: /admin/',
        'Disallow: /b?q=',
      ].join('\n'),
    );
    expect(paths).toEqual([
      { path: '/admin/', allow: false },
      { path: '/admin/help', allow: true },
      { path: '/b?q=', allow: false },
    ]);
  });

  test('are decoded as people write them', () => {
    expect(pathsOf('User-agent: *', 'Disallow: /größe')).toEqual(['/größe']);
  });

  test.each([
    ['a wildcard', '/*.pdf'],
    ['a wildcard at its end', '/private*'],
    ['an anchor', '/exactly$'],
    ['the whole host', '/'],
    ['no slash', 'admin/'],
    ['another host', '//evil.example/'],
    ['a backslash', '/\\evil.example/'],
    ['two rules in one line', '/a Disallow: /b'],
    ['a control character', '/a\u0001b'],
    ['a name that is too long', `/${'x'.repeat(2100)}`],
    ['an address', 'https://evil.example/'],
    ['nothing', ''],
  ])('are not taken from what is or has %s', (_what, pattern) => {
    expect(pathsOf('User-agent: *', `Disallow: ${pattern}`, `Allow: ${pattern}`)).toEqual([]);
  });

  test('are a thousand at the most', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `Disallow: /${index}`);
    expect(pathsOf('User-agent: *', ...lines)).toHaveLength(1000);
  });
});
