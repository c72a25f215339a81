import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildScope, type Scope, type ScopeOptions } from '../../../../src/core/scope/decide.ts';
import { REDIRECT_LIMIT } from '../../../../src/core/scope/rules.ts';
import type { ScopeName } from '../../../../src/core/scope/scope-roots.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';

interface Row {
  readonly scope: ScopeName;
  readonly seeds: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly skipExtensions?: readonly string[];
  readonly in: readonly string[];
  readonly out: Readonly<Record<string, string>>;
}
const table = new URL('../../../../fixtures/tables/scope.json', import.meta.url);
const rows: readonly Row[] = JSON.parse(readFileSync(table, 'utf8'));

const ALL: ScopeOptions = { scope: 'host', include: [], exclude: [], depth: null, extraHops: 0 };
const scopeOf = (options: Partial<ScopeOptions>, ...seeds: readonly string[]): Scope =>
  buildScope({ ...ALL, ...options }, seeds.map(storedCanonicalUrl));
const link = (url: string, more: { depth?: number; redirects?: number; hops?: number } = {}) => ({
  url: storedCanonicalUrl(url),
  depth: 1,
  redirects: 0,
  ...more,
});

describe('a scope', () => {
  it.each(rows)('of $scope around $seeds, include $include, exclude $exclude', (row) => {
    const patterns = (sources: readonly string[] = []) => sources.map((source) => new RegExp(source));
    const scope = scopeOf(
      {
        scope: row.scope,
        include: patterns(row.include),
        exclude: patterns(row.exclude),
        skipExtensions: row.skipExtensions ?? [],
      },
      ...row.seeds,
    );
    expect(row.in.map((url) => [url, scope.judge(link(url)).kind])).toEqual(row.in.map((url) => [url, 'accepted']));
    for (const [url, rule] of Object.entries(row.out)) {
      expect(scope.judge(link(url))).toEqual({ kind: 'skipped', reason: 'out-of-scope', rule });
    }
  });

  it('takes the target of a redirect of a seed for a seed', () => {
    const scope = scopeOf({}, 'http://example.org/');
    expect(scope.judge(link('https://www.example.org/')).kind).toBe('skipped');
    const wider = scope.withSeeds([storedCanonicalUrl('https://www.example.org/start')]);
    expect(wider.judge(link('https://www.example.org/')).kind).toBe('accepted');
    expect(wider.judge(link('http://example.org/a')).kind).toBe('accepted');
    expect(scope.judge(link('https://www.example.org/')).kind).toBe('skipped');
  });

  it.each<ScopeName>(['host', 'prefix', 'domain'])(
    'of %s with thousands of seeds costs no more for each that redirects, and for each link',
    (name) => {
      const count = 4000;
      const seeds = Array.from({ length: count }, (_, index) => `http://site${index}.example/a/`);
      let scope = scopeOf({ scope: name }, ...seeds);
      for (let index = 0; index < count; index += 1) {
        const target = storedCanonicalUrl(`https://www${index}.site${index}.test/a/`);
        scope = scope.withSeeds([target]);
        expect(scope.judge(link(`${target}b`)).kind).toBe('accepted');
        expect(scope.judge(link(`https://other${index}.test/`))).toMatchObject({ reason: 'out-of-scope' });
      }
      expect(seeds.every((seed) => scope.contains(storedCanonicalUrl(`${seed}b`)))).toBe(true);
      expect(scope.judge(link('https://elsewhere.test/'))).toMatchObject({
        rule: expect.stringMatching(new RegExp(`site0\\.example.* or ${2 * count - 1} more$`)),
      });
    },
    10_000,
  );

  it('holds nothing back for its shape that the user wants to be followed', () => {
    const address = 'https://example.org/a/a/a/a';
    expect(scopeOf({}, 'https://example.org/').judge(link(address))).toMatchObject({ reason: 'trap' });
    const scope = scopeOf({ followTraps: [/\/a\/a\//] }, 'https://example.org/');
    expect(scope.judge(link(address)).kind).toBe('accepted');
    expect(scope.judge(link('https://example.org/b/b/b/b'))).toMatchObject({ reason: 'trap' });
    expect(scope.judge(link('https://other.example/a/a/a/a'))).toMatchObject({ reason: 'out-of-scope' });
    const wider = scope.withSeeds([storedCanonicalUrl('https://www.example.org/')]);
    expect([
      wider.followsTrap(storedCanonicalUrl(address)),
      wider.followsTrap(storedCanonicalUrl('https://example.org/b')),
    ]).toEqual([true, false]);
  });

  it.each([
    ['f\\[0\\]=', 'https://example.org/?f%5B0%5D=red'],
    ['f%5B0', 'https://example.org/?f%5B0%5D=red'],
    ['/über uns', 'https://example.org/%C3%BCber%20uns'],
    ['\\{id\\}|é', 'https://example.org/%7Bid%7D'],
    ['f\\[0\\]=', 'https://example.org/?f%5B0%5D=%EA%F0%E0%F1'],
    ['f\\[\\S+\\]=1', 'https://example.org/?f%5B%E9%5D=1'],
    ['/über', 'https://example.org/%C3%BCber?q=%E9'],
  ])('finds %s in %s, in the characters that a URL escapes', (source, address) => {
    const pattern = new RegExp(source);
    const judged = (options: Partial<ScopeOptions>, at: string): string =>
      scopeOf(options, 'https://example.org/').judge(link(at)).kind;
    expect([judged({ exclude: [pattern] }, address), judged({ include: [pattern] }, address)]).toEqual([
      'skipped',
      'accepted',
    ]);
    const other = 'https://example.org/%E4?x=%5B1%5D';
    expect([judged({ exclude: [pattern] }, other), judged({ include: [pattern] }, other)]).toEqual([
      'accepted',
      'skipped',
    ]);
    expect(scopeOf({ followTraps: [pattern] }, 'https://example.org/').followsTrap(storedCanonicalUrl(address))).toBe(
      true,
    );
  });

  it('lets --exclude win over all, seeds included', () => {
    const scope = scopeOf({ exclude: [/private/] }, 'https://example.org/private');
    expect(scope.judge(link('https://example.org/private', { depth: 0 }))).toEqual({
      kind: 'skipped',
      reason: 'out-of-scope',
      rule: 'matches --exclude private',
    });
  });

  it('takes a sitemap of a host of the seeds for what it names, though it be no page in scope', () => {
    const prefix = scopeOf({ scope: 'prefix', include: [/docs/] }, 'https://example.org/docs/');
    expect(prefix.judge({ ...link('https://example.org/sitemap.xml'), isSitemap: true }).kind).toBe('accepted');
    expect(prefix.judge(link('https://example.org/sitemap.xml')).kind).toBe('skipped');
    expect(prefix.judge({ ...link('https://example.net/sitemap.xml'), isSitemap: true }).kind).toBe('skipped');
  });

  it('reads no sitemap where no page of it may be visited', () => {
    const sitemap = { ...link('https://example.org/sitemap.xml', { depth: 0 }), isSitemap: true };
    expect(scopeOf({ depth: 0 }, 'https://example.org/').judge(sitemap)).toMatchObject({ reason: 'depth' });
    expect(scopeOf({ scope: 'page' }, 'https://example.org/').judge(sitemap)).toMatchObject({ reason: 'out-of-scope' });
    expect(scopeOf({ exclude: [/xml/] }, 'https://example.org/').judge(sitemap).kind).toBe('skipped');
  });

  it('lets seeds pass --include, depth and traps', () => {
    const seed = 'https://example.org/a/a/a/a/a';
    const scope = scopeOf({ include: [/blog/], depth: 0 }, seed);
    expect(scope.judge(link(seed, { depth: 3 })).kind).toBe('accepted');
  });

  it('skips what is deeper than asked for, for its depth alone', () => {
    const scope = scopeOf({ depth: 2 }, 'https://example.org/');
    expect(scope.judge(link('https://example.org/a', { depth: 2 })).kind).toBe('accepted');
    expect(scope.judge(link('https://example.org/a', { depth: 3 }))).toEqual({
      kind: 'skipped',
      reason: 'depth',
      rule: 'depth 3 is more than 2',
    });
    expect(scope.judge(link('https://example.net/', { depth: 3 }))).toMatchObject({ reason: 'out-of-scope' });
  });

  it('gives up a chain of redirects, even one that leads to a seed', () => {
    const scope = scopeOf({}, 'https://example.org/');
    expect(scope.judge(link('https://example.org/', { redirects: REDIRECT_LIMIT })).kind).toBe('accepted');
    expect(scope.judge(link('https://example.org/', { redirects: REDIRECT_LIMIT + 1 }))).toEqual({
      kind: 'skipped',
      reason: 'trap',
      rule: 'more than 10 redirects in a row',
    });
  });

  it('follows extra hops beyond itself, and no further', () => {
    const scope = scopeOf({ extraHops: 1 }, 'https://example.org/');
    expect(scope.judge(link('https://example.net/', { hops: 1 })).kind).toBe('accepted');
    expect(scope.judge(link('https://example.net/a', { hops: 2 })).kind).toBe('skipped');
    expect(scope.judge(link('https://example.net/a')).kind).toBe('skipped');
    expect(scope.contains(storedCanonicalUrl('https://example.net/'))).toBe(false);
    expect(scope.contains(storedCanonicalUrl('https://example.org/a'))).toBe(true);
  });

  it('judges the same URL the same again, whatever flags a pattern has', () => {
    const scope = scopeOf({ exclude: [/old/g], include: [/blog/y, /./gi] }, 'https://example.org/');
    const verdicts = [1, 2, 3].map(() => scope.judge(link('https://example.org/old')).kind);
    expect(verdicts).toEqual(['skipped', 'skipped', 'skipped']);
  });
});
