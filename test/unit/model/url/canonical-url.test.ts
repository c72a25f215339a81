import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalise,
  canonicalUrl,
  DEFAULT_URL_POLICY,
  storedCanonicalUrl,
  URL_LENGTH_LIMIT,
} from '../../../../src/model/url/canonical-url.ts';
import { parameterRules, type CleanParam } from '../../../../src/model/url/url-parameters.ts';
import { processorTime } from '../../../support/processor-time.ts';

interface Row {
  readonly why: string;
  readonly input: string;
  readonly base?: string;
  readonly expected: string | null;
}
const table = new URL('../../../../fixtures/tables/canonical-url.json', import.meta.url);
const rows: readonly Row[] = JSON.parse(readFileSync(table, 'utf8'));

interface Difference extends Omit<Row, 'expected'> {
  readonly ours: string | null;
}
const differences: readonly Difference[] = JSON.parse(
  readFileSync(new URL('../../../../fixtures/tables/canonical-url-differences.json', import.meta.url), 'utf8'),
);

/** URLs made of parts that break normalisers. */
const pieces = fc.constantFrom(
  'a',
  'B',
  '.',
  '..',
  '/',
  '//',
  '\\',
  '?',
  '#',
  '#/',
  '#!/',
  '%',
  '%2',
  '%25',
  '%2e',
  '%2F',
  '%5c',
  '%41',
  '%c3%bc',
  'ü',
  '\ud800',
  ' ',
  '\t',
  '&',
  '=',
  '+',
  ';',
  ';jsessionid=1',
  ';x=1',
  'utm_a=1',
  '@',
  ':',
  '[',
  ']',
  '|',
  "'",
  '"',
  '\0',
  '%00',
);
const urls = fc
  .tuple(fc.constantFrom('http://h.example', 'https://h.example:443', 'http://u:p@h.example.'), fc.array(pieces))
  .map(([start, rest]) => `${start}/${rest.join('')}`);

describe('canonicalise', () => {
  it.each(rows)('$why: $input', ({ input, base, expected }) => {
    expect(canonicalUrl(input, base)).toBe(expected);
  });

  it('leaves a name in ASCII that is no punycode as it is, where the URL parser does', () => {
    // The URL Standard does since June 2026 (whatwg/url#914), and Node since version 4 of its parser: not in Node 20.
    const isLeft = Number.parseInt(process.versions['ada'] ?? '', 10) >= 4;
    expect(canonicalUrl('http://XN--A/')).toBe(isLeft ? 'http://xn--a/' : null);
  });

  it.each(differences)('differs from crawler-commons on $input: $why', ({ input, base, ours }) => {
    expect(canonicalUrl(input, base)).toBe(ours);
  });

  it('gives a canonical URL back as it is', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const once = canonicalUrl(url);
        if (once !== null) expect(canonicalUrl(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives what the URL parser leaves as it is, in ASCII and without userinfo', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const canonical = canonicalUrl(url);
        if (canonical === null) return;
        expect(new URL(canonical).href).toBe(canonical);
        expect(canonical).toMatch(/^https?:\/\/h\.example\/[!-~]*$/);
      }),
      { numRuns: 3000 },
    );
  });

  it('throws for no text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }), (input, base) => {
        expect(['canonical', 'refused']).toContain(canonicalise(input, base).kind);
      }),
    );
  });

  it.each([
    ['just short enough', `http://h.example/${'a'.repeat(URL_LENGTH_LIMIT - 17)}`, 'canonical'],
    ['one too long', `http://h.example/${'a'.repeat(URL_LENGTH_LIMIT - 16)}`, 'too-long'],
    ['too long once it is escaped', `http://h.example/${'ü'.repeat(400)}`, 'too-long'],
    ['68 KB of NULs', '\0'.repeat(68 * 1024), 'too-long'],
    ['2 MB', `http://h.example/${'a'.repeat(2_000_000)}`, 'too-long'],
    ['10,000 parameters', `http://h.example/?${'a=1&'.repeat(10_000)}`, 'too-long'],
    ['a picture', `data:image/png;base64,${'A'.repeat(2_000_000)}`, 'unsupported-scheme'],
  ])('refuses or takes by its length: %s', (_what, input, expected) => {
    const result = canonicalise(input);
    expect(result.kind === 'canonical' ? 'canonical' : result.reason).toBe(expected);
  });

  it('refuses a URL of 2 MB in less than a millisecond', () => {
    const input = `http://h.example/${'%41'.repeat(700_000)}`;
    const times = Array.from({ length: 20 }, () => {
      const start = processorTime();
      canonicalise(input);
      return processorTime() - start;
    });
    expect(Math.min(...times)).toBeLessThan(1);
  });

  it('drops the parameters that the policy names, and no others', () => {
    const policy = { ...DEFAULT_URL_POLICY, parameters: parameterRules({ remove: ['lang', 'x-*'], keep: [] }, []) };
    expect(canonicalise('http://h.example/?Lang=de&x-1=2&x=3&utm_source=a', undefined, policy)).toEqual({
      kind: 'canonical',
      url: 'http://h.example/?x=3&utm_source=a',
    });
  });

  it.each([
    ['?p=x.git;sid=12;a=log', '?p=x.git;a=log'],
    ['?sid=12;p=x.git;sid=13', '?p=x.git'],
    ['?p=x.git;sid=12&a=log;sid=13', '?p=x.git&a=log'],
    ['?topic=3.0;PHPSESSID=12;desc', '?topic=3.0;desc'],
    ['?q=chair;sid', '?q=chair;sid'],
  ])('drops parameters that a semicolon parts: %s', (query, expected) => {
    expect(canonicalUrl(`http://h.example/${query}`)).toBe(`http://h.example/${expected}`);
  });

  it.each([
    ['/files/?C=N;O=D', '/files/'],
    ['/?C=M&O=A', '/'],
    ['/files?C=N;O=D', '/files?C=N;O=D'],
    ['/files/?C=N;O=X', '/files/?C=N;O=X'],
    ['/files/?C=N;O=D;V=1', '/files/?C=N;O=D;V=1'],
  ])('takes every order of a listing of files for one page: %s', (path, expected) => {
    expect(canonicalUrl(`http://h.example${path}`)).toBe(`http://h.example${expected}`);
  });

  it('tells orders of a listing apart where the options keep one of their names', () => {
    const parameters = parameterRules({ remove: [], keep: ['C@h.example'] });
    const canonical = (input: string): unknown => canonicalise(input, undefined, { ...DEFAULT_URL_POLICY, parameters });
    expect(canonical('http://h.example/?C=N;O=D')).toMatchObject({ url: 'http://h.example/?C=N;O=D' });
    expect(canonical('http://g.example/?C=N;O=D')).toMatchObject({ url: 'http://g.example/' });
  });

  it('drops on each host what the options name for it, and nothing of it on another', () => {
    const parameters = parameterRules({
      remove: ['ref@shop.example', 'Lang@*.example.org'],
      keep: ['sid@shop.example'],
    });
    const canonical = (input: string): unknown => canonicalise(input, undefined, { ...DEFAULT_URL_POLICY, parameters });
    const rows = [
      ['http://shop.example/?sid=1&ref=2&utm_source=3', 'http://shop.example/?sid=1'],
      ['http://SHOP.example.:8080/;sid=1?ref=2', 'http://shop.example:8080/;sid=1'],
      ['http://other.example/?sid=1&ref=2', 'http://other.example/?ref=2'],
      ['http://a.b.example.org/?lang=de&x=1', 'http://a.b.example.org/?x=1'],
      ['http://example.org/?lang=de', 'http://example.org/'],
      ['http://notexample.org/?lang=de', 'http://notexample.org/?lang=de'],
    ] as const;
    for (const [input, url] of rows) expect(canonical(input)).toEqual({ kind: 'canonical', url });
  });

  it('keeps everywhere what the options keep, but where an option for one host says otherwise', () => {
    const parameters = parameterRules({ remove: ['sid@one.example'], keep: ['sid', 'utm_*'] });
    const policy = { ...DEFAULT_URL_POLICY, parameters };
    expect(canonicalise('http://two.example/?sid=1&utm_id=2&gclid=3', undefined, policy)).toMatchObject({
      url: 'http://two.example/?sid=1&utm_id=2',
    });
    expect(canonicalise('http://one.example/?sid=1', undefined, policy)).toMatchObject({ url: 'http://one.example/' });
  });

  it('knows the names of the options however they are written', () => {
    const parameters = parameterRules({
      remove: ['filter[Color]', 'sort[*', 'größe@h.example', 'a%7cb'],
      keep: ['utm_[x]'],
    });
    const canonical = (input: string): unknown => canonicalise(input, undefined, { ...DEFAULT_URL_POLICY, parameters });
    const rows = [
      ['http://h.example/?filter[color]=1&filter%5Bcolor%5d=2&filter[size]=3', 'http://h.example/?filter%5Bsize%5D=3'],
      ['http://h.example/?sort[a]=1&sort%5bb%5d=2&sorted=3', 'http://h.example/?sorted=3'],
      ['http://h.example/?größe=1&a|b=2&utm_[x]=3&utm_[y]=4', 'http://h.example/?utm_%5Bx%5D=3'],
    ] as const;
    for (const [input, url] of rows) expect(canonical(input)).toEqual({ kind: 'canonical', url });
  });

  it("drops what the host's robots.txt cleans, by path, in the case that it has there", () => {
    const rules: readonly CleanParam[] = [
      { names: ['ref', 'Sort'], path: '/' },
      { names: ['view'], path: '/shop/*/list' },
    ];
    const policy = {
      ...DEFAULT_URL_POLICY,
      cleanParams: (host: string) => (host === 'http://h.example:81' ? rules : []),
    };
    const canonical = (input: string): unknown => canonicalise(input, undefined, policy);
    expect(canonical('http://h.example:81/a?ref=1&Sort=2&sort=3')).toMatchObject({
      url: 'http://h.example:81/a?sort=3',
    });
    expect(canonical('http://h.example:81/shop/x/list-1?view=2')).toMatchObject({
      url: 'http://h.example:81/shop/x/list-1',
    });
    expect(canonical('http://h.example:81/shop/list?view=2')).toMatchObject({
      url: 'http://h.example:81/shop/list?view=2',
    });
    expect(canonical('http://h.example/a?ref=1')).toMatchObject({ url: 'http://h.example/a?ref=1' });
  });

  it('gives a canonical URL back as it is, whatever the policy drops', () => {
    const names = fc.array(fc.constantFrom('a', 'sid', 'jsessionid', 'utm_*', '*', 'B@h.example', 'c@*.example'));
    const options = fc.record({ remove: names, keep: names });
    const clean = fc.array(
      fc.record({ names: fc.array(fc.constantFrom('a', 'b', 'B')), path: fc.constantFrom('/', '/a*b', '/a') }),
    );
    const odd = fc.constantFrom(
      ';sid=1',
      ';a=1',
      '/(S(abcdefgh))',
      '?a=1&b=2',
      '&sid=1',
      '#/x?sid=1&a=2',
      '#/x#y',
      '#y',
      '#sid',
      '#?sid=1',
      '%5Fa',
      '..',
      '/',
      ';',
      '=',
      'a',
      'B',
      '&',
    );
    const inputs = fc.array(odd, { maxLength: 12 }).map((parts) => `http://h.example/${parts.join('')}`);
    fc.assert(
      fc.property(fc.oneof(urls, inputs), options, clean, (input, option, cleanParams) => {
        const policy = { ...DEFAULT_URL_POLICY, parameters: parameterRules(option), cleanParams: () => cleanParams };
        const once = canonicalise(input, undefined, policy);
        if (once.kind === 'canonical') expect(canonicalise(once.url, undefined, policy)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['#!/about#team', '#!/about'],
    ['#/items/1?tab=a#first', '#/items/1?tab=a'],
    ['#/#top', '#/#top'],
    ['#/room/#lobby:h.example', '#/room/#lobby:h.example'],
    ['#/search?q=c#&page=2', '#/search?q=c#&page=2'],
    ['#/search?q=c#', '#/search?q=c#'],
    ['#!inbox#first', '#!inbox#first'],
  ])('leaves out the place within the page of a route: %s', (fragment, kept) => {
    expect(canonicalise(`http://h.example/${fragment}`)).toEqual({
      kind: 'canonical',
      url: `http://h.example/${kept}`,
    });
  });

  it('drops hash routes where the policy says so', () => {
    const policy = { ...DEFAULT_URL_POLICY, keepHashRoutes: false };
    expect(canonicalise('http://h.example/#/a', undefined, policy)).toEqual({
      kind: 'canonical',
      url: 'http://h.example/',
    });
  });
});

describe('storedCanonicalUrl', () => {
  it('takes back what was stored and refuses what cannot have been', () => {
    expect(storedCanonicalUrl('http://h.example/')).toBe('http://h.example/');
    expect(() => storedCanonicalUrl('ftp://h.example/')).toThrow(TypeError);
    expect(() => storedCanonicalUrl('http:///')).toThrow(TypeError);
  });
});
