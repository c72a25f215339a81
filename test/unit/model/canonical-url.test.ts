import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalise,
  canonicalUrl,
  DEFAULT_URL_POLICY,
  storedCanonicalUrl,
  URL_LENGTH_LIMIT,
} from '../../../src/model/canonical-url.ts';

interface Row {
  readonly why: string;
  readonly input: string;
  readonly base?: string;
  readonly expected: string | null;
}
const table = new URL('../../../fixtures/tables/canonical-url.json', import.meta.url);
const rows: readonly Row[] = JSON.parse(readFileSync(table, 'utf8'));

/** URLs made of the pieces that break normalisers. */
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
      const start = performance.now();
      canonicalise(input);
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(1);
  });

  it('drops the parameters that the policy names, and no others', () => {
    const policy = { ...DEFAULT_URL_POLICY, removeParameters: ['lang', 'x-*'] };
    expect(canonicalise('http://h.example/?Lang=de&x-1=2&x=3&utm_source=a', undefined, policy)).toEqual({
      kind: 'canonical',
      url: 'http://h.example/?x=3&utm_source=a',
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
