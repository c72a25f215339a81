import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { classBit, kindBit } from '../../../../src/core/graph/edge-label.ts';
import { buildGraph, type LinkRow, type PageRow } from '../../../../src/inspect/graph/build-index.ts';
import { GraphDamaged } from '../../../../src/inspect/graph/graph-layout.ts';
import { LinkGraph } from '../../../../src/inspect/graph/link-graph.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-graph-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function all<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

const never = new AbortController().signal;
const sources = { pages: { bytes: 0, end: 0 }, links: { bytes: 0, end: 0 } };

async function* batches<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += 7) yield rows.slice(start, start + 7);
}

interface Given {
  readonly seeds?: readonly string[];
  readonly pages?: readonly PageRow[];
  readonly links?: readonly LinkRow[];
  readonly stretch?: number;
}

async function built({ seeds = [], pages = [], links = [], stretch }: Given): Promise<LinkGraph> {
  const rows = { seeds, pages: batches(pages), links: batches(links), unread: () => 0, sources };
  await buildGraph(folder, rows, stretch === undefined ? {} : { stretch }, never);
  const graph = await LinkGraph.open(folder);
  if (graph === null) throw new Error('no graph');
  return graph;
}

/** The edges of each URL, by the URL at the other end. */
type Naive = Map<string, Map<string, number>>;

function naive(links: readonly LinkRow[], by: 'from' | 'to'): Naive {
  const lists: Naive = new Map();
  for (const link of links) {
    const list = lists.get(link[by]) ?? new Map<string, number>();
    const other = by === 'from' ? link.to : link.from;
    list.set(other, (list.get(other) ?? 0) | link.label);
    lists.set(link[by], list);
  }
  return lists;
}

async function expectEdges(graph: LinkGraph, direction: 'out' | 'in', lists: Naive): Promise<void> {
  const urls = await all(graph.allUrls());
  const streamed = await all(graph.allEdges(direction));
  for (const [number, url] of urls.entries()) {
    const { neighbours, labels } = await graph.edges(number, direction);
    expect({ neighbours, labels }).toEqual(streamed[number]);
    const found = Array.from(neighbours, (neighbour, index) => [urls[neighbour], labels[index]]);
    expect(new Map(found as [string, number][])).toEqual(lists.get(url) ?? new Map());
    expect([...neighbours]).toEqual([...neighbours].toSorted((one, other) => one - other));
  }
}

const label = fc.constantFrom(
  kindBit('anchor') | classBit('link') | classBit('follow'),
  kindBit('anchor') | classBit('link'),
  kindBit('resource') | classBit('subresource'),
  kindBit('sitemap') | classBit('hint') | classBit('entry'),
);
const url = fc
  .tuple(fc.constantFrom('https://a.example/', 'https://b.example/x/', 'mailto:ü'), fc.nat(60))
  .map(([base, path]) => `${base}${path}`);
const rows = fc.array(fc.record({ from: url, to: url, label, length: fc.integer({ min: 100, max: 900 }) }), {
  maxLength: 150,
});

function placed(links: readonly Omit<LinkRow, 'offset'>[]): readonly LinkRow[] {
  let offset = 0;
  return links.map((link) => {
    const row = { ...link, offset };
    offset += link.length;
    return row;
  });
}

test('the index answers as a plain map does, whatever the links, sorted in memory or in stretches on the disk', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(1, 3, 64, 10_000), async (drafts, stretch) => {
      const links = placed(drafts);
      await using graph = await built({ links, stretch });
      const urls = await all(graph.allUrls());
      const known = new Set(links.flatMap(({ from, to }) => [from, to]));
      expect(new Set(urls)).toEqual(known);
      expect(graph.size).toBe(known.size);
      expect(urls.map((each) => Buffer.from(each))).toEqual(
        urls.map((each) => Buffer.from(each)).toSorted(Buffer.compare),
      );
      for (const [number, each] of urls.entries()) {
        expect(await graph.numberOf(each)).toBe(number);
        expect(await graph.urlOf(number)).toBe(each);
      }
      for (const other of ['', 'https://a.example/1x', 'zzz', 'https://a.example']) {
        expect(await graph.numberOf(other)).toBe(known.has(other) ? urls.indexOf(other) : null);
      }
      await expectEdges(graph, 'out', naive(links, 'from'));
      await expectEdges(graph, 'in', naive(links, 'to'));
      expect(graph.header.lines).toBe(links.length);
      expect(graph.header.edges).toBe(new Set(links.map(({ from, to }) => `${from} ${to}`)).size);
    }),
    { numRuns: 40 },
  );
});

test('each page knows where its lines stand, and lines that stand together are one stretch', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (drafts) => {
      const links = placed(drafts);
      await using graph = await built({ links });
      const nodes = await all(graph.allNodes());
      for (const [number, from] of (await all(graph.allUrls())).entries()) {
        const { stretches } = await graph.node(number);
        expect(stretches).toEqual(nodes[number]?.stretches);
        const own = links.filter((link) => link.from === from);
        const within = own.filter(({ offset, length }) =>
          stretches.some((stretch) => stretch.offset <= offset && offset + length <= stretch.offset + stretch.length),
        );
        expect(within).toEqual(own);
        expect(stretches.reduce((sum, { length }) => sum + length, 0)).toBe(
          own.reduce((sum, { length }) => sum + length, 0),
        );
        for (const [index, { offset }] of stretches.entries()) {
          const before = stretches[index - 1];
          if (before !== undefined) expect(offset).toBeGreaterThan(before.offset + before.length);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('a page has its last outcome, where it redirects to, and whether it is a seed', async () => {
  const page = { outcome: 'captured', redirect: null, isNofollow: false } as const;
  await using graph = await built({
    seeds: ['https://a.example/'],
    pages: [
      { ...page, url: 'https://a.example/', outcome: 'redirected', redirect: 'https://a.example/new' },
      { ...page, url: 'https://a.example/new', outcome: 'timed-out' },
      { ...page, url: 'https://a.example/new', isNofollow: true },
    ],
  });
  const numberOf = async (asked: string): Promise<number> => (await graph.numberOf(asked)) ?? -1;
  expect(await graph.node(await numberOf('https://a.example/'))).toEqual({
    outcome: 'redirected',
    isSeed: true,
    isNofollow: false,
    redirect: await numberOf('https://a.example/new'),
    stretches: [],
  });
  expect(await graph.node(await numberOf('https://a.example/new'))).toMatchObject({
    outcome: 'captured',
    isNofollow: true,
    redirect: null,
  });
});

test('places beyond 4 GiB are kept', async () => {
  const far = { from: 'https://a.example/', to: 'https://a.example/b', label: 1, offset: 2 ** 40 + 3, length: 300 };
  await using graph = await built({ links: [far] });
  expect(await graph.node(0)).toMatchObject({ stretches: [{ offset: 2 ** 40 + 3, length: 300 }] });
});

test('a graph without any link is one', async () => {
  await using graph = await built({});
  expect(await graph.numberOf('https://a.example/')).toBeNull();
  expect([graph.size, await all(graph.allEdges('in'))]).toEqual([0, []]);
});

test('a build that is given up leaves what was there, and nothing else', async () => {
  await (await built({ seeds: ['https://a.example/'] }))[Symbol.asyncDispose]();
  const reason = new Error('enough');
  const rowsOf = {
    seeds: [],
    pages: batches([]),
    links: batches(placed([{ from: 'x', to: 'y', label: 1, length: 9 }])),
    unread: () => 0,
    sources,
  };
  await expect(buildGraph(folder, rowsOf, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect((await readdir(folder)).toSorted()).toEqual(['graph.json', 'links.bin']);
  await using graph = await LinkGraph.open(folder);
  expect(await graph?.numberOf('https://a.example/')).toBe(0);
});

test('what a build that was killed has left is removed by the next one', async () => {
  for (const end of ['', '.edges', '.edges.in']) await writeFile(join(folder, `links.bin.x.tmp${end}`), 'left');
  await (await built({ seeds: ['https://a.example/'] }))[Symbol.asyncDispose]();
  expect((await readdir(folder)).toSorted()).toEqual(['graph.json', 'links.bin']);
});

const many = placed(
  Array.from({ length: 1500 }, (_, index) => ({
    from: `https://a.example/${index % 300}`,
    to: `https://a.example/${(index * 7) % 400}`,
    label: 1,
    length: 300,
  })),
);

/** Opens the index and reads everything in it. */
async function readAll(): Promise<void> {
  await using graph = await LinkGraph.open(folder);
  if (graph === null) throw new Error('no graph');
  await all(graph.allUrls());
  await all(graph.allNodes());
  for (const direction of ['out', 'in'] as const) await all(graph.allEdges(direction));
}

test('a flipped bit anywhere in the blocks or their tables is noticed', async () => {
  await using graph = await built({ links: many });
  const { header } = graph;
  const path = join(folder, 'links.bin');
  const whole = await readFile(path);
  await readAll();
  const step = Math.floor(whole.length / 60);
  for (let at = 0; at < whole.length; at += step) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 16;
    await writeFile(path, damaged);
    const isLast = Object.values(header.sections).some(
      ({ table, blocks }) => at >= table + blocks * 10 + 6 && at < table + (blocks + 1) * 10,
    );
    if (!isLast) await expect(readAll(), `byte ${at}`).rejects.toThrow(GraphDamaged); // the last sum of a table belongs to no block
  }
});

test.each([
  ['a file that was cut', async () => truncate(join(folder, 'links.bin'), 5000)],
  ['an empty file', async () => truncate(join(folder, 'links.bin'), 0)],
  ['a header that was cut', async () => truncate(join(folder, 'graph.json'), 200)],
  ['a header of a later version', async () => changeHeader((text) => text.replace(/"version": \d+/, '"version": 99'))],
  ['a header of another build', async () => changeHeader((text) => text.replace(/"id": "./, '"id": "x'))],
  [
    'a header with more URLs than there are blocks for',
    async () => changeHeader((text) => text.replace(/"urls": \d+/, '"urls": 1000000000')),
  ],
  ['outcomes that mean something else', async () => changeHeader((text) => text.replace('"crashed"', '"vanished"'))],
  [
    'labels that are not known',
    async () => changeHeader((text) => text.replace('"kinds": []', '"kinds": ["telepathy"]')),
  ],
])('%s is refused', async (_what, damage) => {
  await (await built({ links: many }))[Symbol.asyncDispose]();
  await damage();
  await expect(readAll()).rejects.toThrow(GraphDamaged);
});

async function changeHeader(change: (text: string) => string): Promise<void> {
  const path = join(folder, 'graph.json');
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
}

test('where one of its files is missing there is no index', async () => {
  for (const name of ['links.bin', 'graph.json']) {
    await (await built({ links: many }))[Symbol.asyncDispose]();
    await rm(join(folder, name));
    expect(await LinkGraph.open(folder)).toBeNull();
  }
});

test('a question reads a small part of the index', async () => {
  const links = placed(
    Array.from({ length: 60_000 }, (_, index) => ({
      from: `https://a.example/${index % 3000}/${(index * 31) % 977}`,
      to: `https://a.example/${(index * 7) % 4999}/${(index * 13) % 499}`,
      label: 1,
      length: 300,
    })),
  );
  await (await built({ links }))[Symbol.asyncDispose]();
  await using graph = await LinkGraph.open(folder);
  const number = await graph?.numberOf(links[12_345]?.to ?? '');
  expect((await graph?.edges(number ?? -1, 'in'))?.neighbours.length).toBeGreaterThan(0);
  expect(graph?.bytesRead).toBeLessThan((graph?.header.bytes ?? 0) / 4);
});
