import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAdjacency, writeAdjacency } from '../../../../src/core/graph/adjacency.ts';
import { ByteReader, ByteWriter } from '../../../../src/core/graph/bytes.ts';
import {
  bitsFrom,
  EDGE_CLASSES,
  edgeLabel,
  hasClass,
  kindBit,
  kindsOf,
  readLabel,
  spellLabel,
} from '../../../../src/core/graph/edge-label.ts';
import { compareBytes, readFrontCoded, writeFrontCoded } from '../../../../src/core/graph/front-coding.ts';
import { UrlTable } from '../../../../src/core/graph/url-table.ts';
import { LINK_KINDS } from '../../../../src/model/link-kinds.ts';

const encoder = new TextEncoder();
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const number = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1));

test('numbers of up to 53 bits are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(number), fc.array(fc.integer({ min: -(2 ** 30), max: 2 ** 30 })), (plain, signed) => {
      const writer = new ByteWriter();
      for (const value of plain) writer.varint(value);
      for (const value of signed) writer.signed(value);
      const reader = new ByteReader(writer.bytes);
      expect(plain.map(() => reader.varint())).toEqual(plain);
      expect(signed.map(() => reader.signed())).toEqual(signed);
      expect(reader.atEnd).toBe(true);
    }),
  );
});

test('the edges of a node are read as they were written, and lists stand behind each other', () => {
  const list = fc.tuple(
    fc.nat(2 ** 28 - 1),
    fc.uniqueArray(fc.tuple(fc.oneof(fc.nat(200), fc.nat(2 ** 28 - 1)), fc.nat(300)), { selector: ([to]) => to }),
  );
  fc.assert(
    fc.property(fc.array(list), (lists) => {
      const writer = new ByteWriter();
      const written = lists.map(([node, edges]) => {
        const sorted = edges.toSorted(([one], [other]) => one - other);
        const before = writer.length;
        const neighbours = Uint32Array.from(sorted, ([to]) => to);
        const labels = Uint32Array.from(sorted, ([, label]) => label);
        writeAdjacency(writer, node, { neighbours, labels });
        return { node, neighbours, labels, length: writer.length - before };
      });
      const reader = new ByteReader(writer.bytes);
      for (const { node, neighbours, labels, length } of written) {
        expect(readAdjacency(reader, node, length)).toEqual({ neighbours, labels });
      }
      expect(reader.atEnd).toBe(true);
    }),
  );
});

test('neighbours that follow each other take a byte each, and a label that all have takes one', () => {
  const writer = new ByteWriter();
  const neighbours = Uint32Array.from({ length: 100 }, (_, index) => 1000 + index);
  writeAdjacency(writer, 990, { neighbours, labels: new Uint32Array(100).fill(5) });
  expect(writer.length).toBe(1 + 100 + 1);
});

const url = fc.oneof(fc.webUrl(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', 'aa', 'ab', 'https://a/'));

test('a table numbers URLs in the order in which they come, each once, and sorts them by their bytes', () => {
  fc.assert(
    fc.property(fc.array(url), (urls) => {
      const table = new UrlTable();
      const known = new Map<string, number>();
      const numbers = urls.map((each) => table.add(each));
      for (const each of urls) if (!known.has(each)) known.set(each, known.size);
      expect(numbers).toEqual(urls.map((each) => known.get(each)));
      expect(table.size).toBe(known.size);
      const sorted = [...known.keys()].map((text) => encoder.encode(text)).toSorted(compareBytes);
      expect(Array.from(table.sorted(), (index) => textOf(table.bytesOf(index)))).toEqual(sorted.map(textOf));
    }),
  );
});

test('a table keeps tens of thousands of URLs apart, over more than one piece of memory', () => {
  const table = new UrlTable();
  const path = 'x'.repeat(80);
  const count = 30_000; // 3 MB
  const numbers = Array.from({ length: count }, (_, index) => table.add(`https://example.org/${path}/${index}`));
  expect(numbers).toEqual([...numbers.keys()]);
  expect(table.add(`https://example.org/${path}/12345`)).toBe(12_345);
  expect(Buffer.from(table.bytesOf(count - 1)).toString()).toBe(`https://example.org/${path}/${count - 1}`);
  const order = table.sorted();
  for (let place = 1; place < count; place += 1) {
    if (compareBytes(table.bytesOf(order[place - 1] ?? 0), table.bytesOf(order[place] ?? 0)) >= 0) expect.unreachable();
  }
  expect(new Set(order).size).toBe(count);
});

test('sorted texts are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(url, { minLength: 1 }), (texts) => {
      const sorted = [...new Set(texts)].map((text) => encoder.encode(text)).toSorted(compareBytes);
      const [first = new Uint8Array(), ...others] = sorted;
      const writer = new ByteWriter();
      writeFrontCoded(writer, first, others);
      expect(readFrontCoded(writer.bytes, first).map(textOf)).toEqual(sorted.map(textOf));
    }),
  );
});

const facts = {
  kind: 'anchor',
  confidence: 'high',
  context: 'a/@href',
  rel: [],
  to: 'https://a.example/',
  leadsToPage: true,
} as const;

test.each([
  [{}, ['link', 'follow']],
  [{ rel: ['nofollow', 'noopener'] }, ['link']],
  [{ kind: 'redirect', context: 'Location' }, ['link', 'follow']],
  [{ kind: 'header', context: 'Refresh' }, ['link', 'follow']],
  [{ kind: 'header', context: 'Link;rel=next' }, ['hint']],
  [{ kind: 'link-element', context: 'link/@href', rel: ['canonical'] }, ['hint', 'canonical']],
  [{ kind: 'sitemap', context: 'urlset/loc' }, ['hint', 'entry']],
  [{ kind: 'sitemap', context: 'sitemap.txt' }, ['hint', 'entry']],
  [{ kind: 'sitemap', context: 'sitemapindex/loc' }, ['hint']],
  [{ kind: 'robots', context: 'robots.txt' }, ['hint']],
  [{ kind: 'text', confidence: 'low' }, ['speculative']],
  [{ kind: 'resource', context: 'img/@src', leadsToPage: false }, ['subresource']],
  [{ to: 'mailto:somebody@a.example' }, ['foreign']],
] as const)('a line %j is an edge of the classes %j', (changes, classes) => {
  const label = edgeLabel({ ...facts, ...changes });
  expect(EDGE_CLASSES.filter((name) => hasClass(label, name))).toEqual(classes);
});

test('the label of parallel lines has the kinds and classes of all, and is read from its words', () => {
  fc.assert(
    fc.property(fc.subarray([...LINK_KINDS], { minLength: 1 }), fc.boolean(), (kinds, leadsToPage) => {
      const label = kinds.reduce((bits, kind) => bits | edgeLabel({ ...facts, kind, leadsToPage }), 0);
      expect(kindsOf(label)).toEqual(kinds);
      expect(readLabel(spellLabel(label))).toBe(label);
      expect(label).toBeGreaterThan(0); // the bits suffice
    }),
  );
  expect(readLabel({ kinds: ['anchor', 'telepathy'], classes: ['link'] })).toBeNull();
});

test('a kind that the bits of a label do not reach is refused, and so is one without a bit', () => {
  const names = Array.from({ length: 32 - EDGE_CLASSES.length }, (_, index) => `kind ${index}`);
  expect([...bitsFrom(EDGE_CLASSES.length, names.slice(0, -1)).values()].every((bit) => bit > 0)).toBe(true);
  expect(() => bitsFrom(EDGE_CLASSES.length, names)).toThrow(RangeError);
  // @ts-expect-error -- of a file that a later version wrote
  expect(() => kindBit('telepathy')).toThrow(TypeError);
});
