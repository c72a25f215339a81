import { describe, expect, it } from 'vitest';
import { rebuiltFiles, referenceChanges, type PageReferences } from '../../../../src/core/diff/reference-changes.ts';

/** Links in the order of a page, `text → address`. */
function links(...all: readonly string[]): PageReferences {
  const pairs = all.map((each) => each.split(' → ', 2)).map(([text = '', address = '']) => [address, text] as const);
  const texts = new Map(pairs);
  return { addresses: [...texts.keys()], textOf: (address) => texts.get(address) ?? '', isOrdered: true };
}

const HOME = 'Home → /';
const FOOT = 'Imprint → /imprint';

describe('one link that is gone and one that is new', () => {
  it.each([
    ['with the same text', 'Prices → /prices', 'Prices → /tickets'],
    ['to the same file with another extension', 'Prices → /shop/prices.html', 'What it costs → /shop/prices.php'],
    ['to the same file without an extension', 'Prices → /shop/prices.html', 'What it costs → /shop/prices'],
    ['to the same file with another query', 'Older → /news?page=2', 'Next → /news?start=20'],
    ['to the same file with another fragment', 'A → /app#/one', 'B → /app#/two'],
  ])('%s, between the same neighbours, are one in place of the other', (_, gone, come) => {
    expect(referenceChanges(links(HOME, gone, FOOT), links(HOME, come, FOOT)).isReplaced).toBe(true);
  });

  it.each([
    ['the last of a menu and the first of the text behind it', 'Contact → /contact', 'Read how a loom works → /loom'],
    ['two pictures without a text', ' → /contact', ' → /loom'],
    ['files of the same name in two folders', 'Old → /2025/report.pdf', 'New → /2026/report.pdf'],
    ['two files of a folder', 'Old → /reports/may.pdf', 'New → /reports/june.pdf'],
  ])('are two differences where they have nothing in common: %s', (_, gone, come) => {
    expect(referenceChanges(links(HOME, gone, FOOT), links(HOME, come, FOOT))).toEqual({
      gone: [gone.split(' → ')[1]],
      come: [come.split(' → ')[1]],
      isReplaced: false,
    });
  });

  it('are two where they stand elsewhere, or nobody knows where', () => {
    const [old, now] = [links(HOME, 'Prices → /prices', FOOT), links(HOME, 'Prices → /tickets', FOOT)];
    const elsewhere = links(HOME, FOOT, 'Prices → /tickets');
    expect(referenceChanges(old, elsewhere).isReplaced).toBe(false);
    expect(referenceChanges({ ...old, isOrdered: false }, now).isReplaced).toBe(false);
    expect(referenceChanges(old, null)).toEqual({ gone: [], come: [], isReplaced: false });
  });
});

describe('a file of another build', () => {
  it.each([
    ['/app-MODULE01.js', '/app-*.js'],
    ['/assets/index.md.Ciod9_D5.lean.js', '/assets/index.md.*.lean.js'],
    ['/chunk-CGZUJKZ7.js', '/chunk-*.js'],
  ])('%s is %s where only the hash of one build looks like one', (name, steady) => {
    const [one, other] = [links(` → ${name}`), links(` → ${steady}`)];
    expect(referenceChanges(rebuiltFiles(one, other), rebuiltFiles(other, one))).toMatchObject({ gone: [], come: [] });
    expect(referenceChanges(rebuiltFiles(other, one), rebuiltFiles(one, other))).toMatchObject({ gone: [], come: [] });
  });

  it('is another file where both have names, or no file could be it', () => {
    const [one, other] = [links(' → /app-MODULE01.js'), links(' → /app-MODULE02.js')];
    expect(rebuiltFiles(one, other)).toEqual(one);
    expect(rebuiltFiles(links(' → /app-settings.js'), links(' → /app-*.js'))?.addresses).toEqual(['/app-settings.js']);
  });
});
