import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import {
  at,
  leaseOne,
  link,
  pageRecord,
  seed,
  commit,
  skip,
  skippedLink,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (): Promise<Frontier> => openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });

test('the journal holds what a commit brought, with newness and credit filled in', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const links = [
    skippedLink(visit, 'mailto:x@a.example', 'unsupported-scheme'),
    link(visit, 'https://a.example/1'),
    link(visit, 'https://a.example/1'),
    skippedLink(visit, 'mailto:x@a.example', 'unsupported-scheme'),
  ];
  await frontier.commit(visit, visited(visit, links), at(1));
  const { entries, upTo } = await frontier.journal(10);
  const cash = TOTAL_CREDIT / 2;
  expect(upTo).toBe(1);
  expect(entries.map((entry) => entry.links.map((line): unknown => JSON.parse(line)))).toEqual([
    links.map(({ record }, index) => ({ ...record, new: index < 2 })),
  ]);
  expect(entries).toMatchObject([
    {
      page: {
        ...pageRecord(visit.url, 4),
        links: { found: 4, new: 2, parts: 0 },
        // a share of all credit and of all payments so far (design/scheduling, "Credit")
        credit: { cash, history: cash, importance: cash / (cash + TOTAL_CREDIT) },
      },
      skipped: [{ ...skip('mailto:x@a.example', 'unsupported-scheme'), referrer: visit.url }],
    },
  ]);
});

test('entries stay in the journal until they are written, and the position is kept with them', async () => {
  const frontier = await open();
  for (let number = 0; number < 5; number += 1) await frontier.admit([], [skip(`https://a.example/${number}`)], at(0));
  const stretch = await frontier.journal(3);
  expect(stretch.upTo).toBe(3);
  expect(await frontier.journal(3)).toEqual(stretch);
  const position = { upTo: 3, lengths: { 'skipped.jsonl': 300 } };
  await frontier.journalWritten(position);
  expect(await frontier.journalPosition()).toEqual(position);
  expect(await frontier.journal(10)).toMatchObject({ upTo: 5, entries: [{ page: null }, { page: null }] });
  const shorter = { upTo: 3, lengths: { 'skipped.jsonl': 200 } };
  await frontier.journalWritten(shorter);
  expect(await frontier.journalPosition()).toEqual(shorter);
  await frontier.journalWritten(position);
  await expect(frontier.journalWritten({ upTo: 2, lengths: {} })).rejects.toThrow(RangeError);
  await expect(frontier.journalWritten({ upTo: 6, lengths: {} })).rejects.toThrow(RangeError);
  expect(await frontier.journalPosition()).toEqual(position);
});

test('a failed page is a line of pages, a forbidden one a line of skipped; both give their credit to lambda', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
  const [first, second] = [await leaseOne(frontier, 0), await leaseOne(frontier, 0)];
  await frontier.commit(first, commit({ kind: 'failed', record: pageRecord(first.url) }), at(1));
  const record = skip(second.url, 'disallowed-by-robots');
  await frontier.commit(second, commit({ kind: 'skipped', record }), at(1));
  const { entries } = await frontier.journal(10);
  expect(entries.map((entry) => [entry.page?.url, entry.skipped])).toEqual([
    [first.url, []],
    [undefined, [record]],
  ]);
  expect(await frontier.totals()).toMatchObject({ failed: 1, skipped: 1, queued: 0, leased: 0, hosts: 0 });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('seeds and the targets of their redirects are told in the order in which they came', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://b.example/'), seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const newSeeds = [url('https://c.example/'), url('https://a.example/')];
  await frontier.commit(visit, visited(visit, [], { newSeeds }), at(1));
  expect(await frontier.seeds()).toEqual(['https://b.example/', 'https://a.example/', 'https://c.example/']);
});

test('URLs that stay skipped for their depth are written at the end, all of them and once', async () => {
  const frontier = await open();
  const deep = Array.from({ length: 3000 }, (_, index) => skip(`https://a.example/${index}`, 'depth'));
  expect(await frontier.admit([], deep, at(0))).toBe(3000);
  expect((await frontier.journal(10)).entries).toEqual([]);
  expect(await frontier.flushDeferred(at(1))).toBe(3000);
  expect(await frontier.flushDeferred(at(2))).toBe(0);
  const written = (await frontier.journal(1000)).entries.flatMap((entry) => entry.skipped);
  expect(new Set(written.map((record) => record.url)).size).toBe(3000);
  expect(written).toHaveLength(3000);
});
