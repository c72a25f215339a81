import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classBit, kindBit } from '../../../src/core/graph/edge-label.ts';
import { buildGraph, type LinkRow } from '../../../src/inspect/graph/build-index.ts';
import { LinkGraph } from '../../../src/inspect/graph/link-graph.ts';
import { LinkLookup } from '../../../src/inspect/link-lookup.ts';

/** More than a call may have arguments. */
const PAGES = 150_000;
const OLD = 'https://a.test/old';
const NEW = 'https://a.test/new';

async function* links(): AsyncGenerator<readonly LinkRow[]> {
  const row = { offset: 0, length: 0, label: classBit('link') | kindBit('anchor') };
  yield [{ ...row, from: OLD, to: NEW, label: classBit('link') | kindBit('redirect') }];
  yield Array.from({ length: PAGES }, (_, index) => ({ ...row, from: `https://a.test/${index}`, to: OLD }));
}

test('a URL has all links to a URL that redirects to it, however many they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-lookup-'));
  try {
    const pages = (async function* () {
      yield [{ url: OLD, outcome: 'redirected' as const, redirect: NEW, isNofollow: false }];
    })();
    const sources = { pages: { bytes: 0, end: 0 }, links: { bytes: 0, end: 0 } };
    const rows = { seeds: [], pages, links: links(), unread: () => 0, sources };
    await buildGraph(folder, rows, {}, new AbortController().signal);
    await using graph = await LinkGraph.open(folder);
    if (graph === null) throw new Error('no graph');
    await using lookup = await LinkLookup.open(folder, graph);
    const found = await lookup.to(NEW);
    expect(found).toMatchObject({ total: PAGES + 1, redirects: [{ url: OLD, total: PAGES }] });
  } finally {
    await rm(folder, { recursive: true });
  }
});
