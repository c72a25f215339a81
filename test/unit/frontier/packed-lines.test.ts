import { describe, expect, test } from 'vitest';
import { packedLines, unpackedLines } from '../../../src/frontier/packed-lines.ts';
import { createKnownUrls } from '../../../src/frontier/url-groups.ts';
import type { CommittedLink } from '../../../src/model/visit-commit.ts';

type Edge = Pick<CommittedLink, 'record' | 'isNew'>;

const PAGE = 'https://a.test/guide';

function edge(record: Partial<Edge['record']>, isNew?: true): Edge {
  const to = record.to ?? 'https://a.test/next';
  return {
    record: {
      from: PAGE,
      to,
      href: to.slice('https://a.test'.length),
      kind: 'anchor',
      confidence: 'high',
      context: 'a/@href',
      stage: 'load',
      frame: null,
      text: 'Next',
      rel: [],
      ...record,
    },
    ...(isNew === true ? { isNew } : {}),
  };
}

const written = (edges: readonly Edge[]): readonly string[] =>
  edges.map(({ record, isNew = false }) => JSON.stringify({ ...record, new: isNew }));
const carried = (edges: readonly Edge[], known = createKnownUrls()): readonly string[] =>
  unpackedLines(packedLines(edges, known).split('\n').slice(1));

describe('lines of links come out of the journal as JSON writes them', () => {
  const edges: readonly (readonly [string, Edge])[] = [
    ['a place and its words', edge({})],
    ['the start page', edge({ to: 'https://a.test/', href: '/' })],
    ['a relative reference', edge({ href: '../next' })],
    ['an empty reference', edge({ href: '' })],
    ['quotes, backslashes, tabs and line feeds', edge({ href: '/"\\\t\n\r{=+#', text: '"\t\\t\n#', rel: ['"\t'] })],
    ['half a pair of surrogates', edge({ href: '/\ud800', text: '\udc00' })],
    ['line separators', edge({ text: '\u2028\u2029' })],
    ['tokens', edge({ rel: ['nofollow', 'noopener'] })],
    ['another kind', edge({ kind: 'text', confidence: 'low', context: 'comment', stage: 'click' })],
    ['a frame', edge({ frame: 'https://a.test/frame' })],
    ['another host', edge({ to: 'https://b.test/next', href: 'https://b.test/next' })],
    ['a host that begins alike', edge({ to: 'https://a.test:81/', href: '//a.test:81/' })],
    ['what is no URL', edge({ to: 'mailto:a@a.test', href: 'mailto:a@a.test' })],
    ['a page of another page', edge({ from: 'https://a.test/other' })],
    ['a new page', edge({}, true)],
    ['a long address', edge({ to: `https://a.test/${'x'.repeat(2000)}` })],
  ];

  test.each(edges)('%s', (_, each) => {
    expect(carried([each])).toEqual(written([each]));
    expect(carried([edge({ text: 'first' }), each])).toEqual(written([edge({ text: 'first' }), each]));
  });

  test('all of them together, in their order, and from several pages', () => {
    const all = edges.map(([, each]) => each);
    const known = createKnownUrls();
    for (const from of [PAGE, 'https://a.test/?q="', 'https://b.test/', 'mailto:nobody', PAGE]) {
      const page = all.map(({ record, ...rest }) => ({ record: { ...record, from }, ...rest }));
      expect(carried(page, known)).toEqual(written(page));
    }
  });

  test('none', () => {
    expect(packedLines([], createKnownUrls())).toBe('');
  });
});

test('lines that an earlier version has left in the journal stay what they are', () => {
  const lines = written([edge({}), edge({ frame: PAGE }, true)]);
  expect(unpackedLines(lines)).toEqual(lines);
});

test('a line of a navigation takes what it says, not what all say', () => {
  const links = Array.from({ length: 1000 }, (_, index) =>
    edge({ to: `https://a.test/page-${index}`, text: `${index}` }),
  );
  expect(packedLines(links, createKnownUrls()).length).toBeLessThan(30_000);
});

test.each(['0\t/next', '1\t/next\t\tNext', 'next', ''])('%j is no line of a link', (line) => {
  const [beginning = '', shape = ''] = packedLines([edge({})], createKnownUrls())
    .split('\n')
    .slice(1);
  expect(() => unpackedLines([beginning, shape, line])).toThrow(TypeError);
});
