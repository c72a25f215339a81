import { describe, expect, test } from 'vitest';
import { KnownSubresources, subresourceUrl, TRIES } from '../../../../src/core/page-clusters/known-subresources.ts';
import type { FoundLink } from '../../../../src/model/link.ts';

const SHEET = 'http://site.test/css/a.css';
const IMPORTED = 'http://site.test/css/b.css';
const SCRIPT = 'http://site.test/a.js';
const NONE = { sheets: [], scripts: [] };

function named(href: string, context = 'style url()', base = SHEET): FoundLink {
  const nothing = { resolved: null, frame: null, text: '', rel: [] };
  return { href, base, kind: 'css', confidence: 'high', context, stage: 'load', ...nothing };
}

describe('what a sheet names', () => {
  test('is told of every page that names the sheet', () => {
    const known = new KnownSubresources();
    expect(known.sheet(SHEET)).toBe(null);
    known.learnSheet(SHEET, [named('a.png')]);
    expect(known.foundLinksOf([SHEET])).toEqual([named('a.png')]);
    expect(known.foundLinksOf([SHEET, IMPORTED])).toEqual([named('a.png')]);
  });

  test('holds what the sheets name that it imports, each once, in a circle too', () => {
    const known = new KnownSubresources();
    known.learnSheet(SHEET, [named('b.css', 'style @import')]);
    expect(known.unknownOf({ sheets: [SHEET], scripts: [] })).toEqual({ sheets: [IMPORTED], scripts: [] });
    known.learnSheet(IMPORTED, [named('a.css', 'style @import', IMPORTED), named('b.png', 'style url()', IMPORTED)]);
    expect(known.unknownOf({ sheets: [SHEET], scripts: [] })).toEqual(NONE);
    expect(known.foundLinksOf([SHEET]).map(({ href }) => href)).toEqual(['b.css', 'a.css', 'b.png']);
  });

  test('makes room for that of others, the longest unused first', () => {
    const known = new KnownSubresources();
    known.learnSheet(SHEET, [named('a.png')]);
    known.learnSheet(IMPORTED, []);
    for (let index = 0; index < 4999; index += 1) {
      known.sheet(SHEET);
      known.learnSheet(`${SHEET}?${index}`, []);
    }
    expect(known.sheet(IMPORTED)).toBe(null);
    expect(known.sheet(SHEET)).toHaveLength(1);
  });
});

describe('a part that nobody has seen', () => {
  test('is unknown until it was read, and no longer', () => {
    const known = new KnownSubresources();
    const parts = { sheets: [SHEET], scripts: [SCRIPT] };
    expect(known.unknownOf(parts)).toEqual(parts);
    expect(known.learnScript(SCRIPT)).toBe(true);
    expect(known.learnScript(SCRIPT)).toBe(false);
    known.learnSheet(SHEET, []);
    expect(known.unknownOf(parts)).toEqual(NONE);
  });

  test('is looked for on a few pages only', () => {
    const known = new KnownSubresources();
    const parts = { sheets: [SHEET], scripts: [SCRIPT] };
    for (let page = 1; page < TRIES; page += 1) known.lookedFor({ sheets: [SHEET], scripts: [] });
    expect(known.unknownOf(parts)).toEqual(parts);
    known.lookedFor({ sheets: [SHEET], scripts: [] });
    expect(known.unknownOf(parts)).toEqual({ sheets: [], scripts: [SCRIPT] });
    expect(known.foundLinksOf([SHEET])).toEqual([]);
  });
});

test('a script is read once, by whatever URLs it comes', () => {
  const known = new KnownSubresources();
  expect(known.learnScriptText("go('./a')")).toBe(true);
  expect(known.learnScriptText("go('./b')")).toBe(true);
  expect(known.learnScriptText("go('./a')")).toBe(false);
});

test.each([
  ['a.css', SHEET],
  ['/css/a.css#x', SHEET],
  ['data:text/css,a{}', null],
  ['http://[', null],
])('a reference %s leads to %s', (href, url) => {
  expect(subresourceUrl(href, 'http://site.test/css/')).toBe(url);
});
