/** One crawl whose hosts are split over several hash tags: all parts together behave as one frontier. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { epochMs, milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { NEXT_HOSTS } from '../../src/frontier/part-scripts.ts';
import { frontierSpaces } from '../../src/frontier/parts/part-tags.ts';
import type { CommittedLink } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { RedisClient } from '../../src/redis/client.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { creditsOf } from '../support/credit-probe.ts';
import { Died, faultyClient } from '../support/faulty-client.ts';
import {
  at,
  candidate,
  commit,
  leaseOne,
  link,
  pageRecord,
  request,
  seed,
  skippedLink,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { RandomCrawl, steps } from '../support/random-crawl.ts';
import { domainsIn, PARTS, partOf } from '../support/parted-domains.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

interface Opening {
  readonly keys?: KeySpace;
  readonly client?: RedisClient;
  readonly parts?: number;
  readonly epoch?: number;
}

const open = ({
  keys = redis.keys(),
  client = redis.client,
  parts = PARTS,
  ...options
}: Opening = {}): Promise<Frontier> => openFrontier({ client, keys, state: 'new', parts, ...options });

/** The crawl folder: takes each journal entry once. */
class Folder {
  readonly ends: string[] = [];
  readonly links: string[] = [];
  readonly newLinks: string[] = [];
  #upTo = 0;

  /** @param dies before it confirms: its writes are then cut off. @returns whether there was an entry */
  async pump(frontier: Frontier, dies = false): Promise<boolean> {
    const { entries, upTo } = await frontier.journal(7);
    expect(upTo - entries.length).toBe(this.#upTo);
    if (dies || entries.length === 0) return entries.length > 0;
    for (const { page, links, skipped } of entries) {
      if (page !== null && page.again !== true) this.ends.push(`${page.outcome} ${page.url}`);
      for (const record of skipped) this.ends.push(`${record.reason} ${record.url}`);
      for (const line of links) {
        const { from, to, new: isNew }: { from: string; to: string; new: boolean } = JSON.parse(line);
        this.links.push(`${from} ${to}`);
        if (isNew) this.newLinks.push(to);
      }
    }
    this.#upTo = upTo;
    await frontier.journalWritten({ upTo, lengths: { 'pages.jsonl': upTo } });
    return true;
  }

  async pumpAll(frontier: Frontier): Promise<void> {
    while (await this.pump(frontier));
  }
}

describe('credit of a crawl in parts', () => {
  test('P1 is 2^52 over all parts and what is on its way, after every step, kill, and call that comes twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps({ most: 40 }),
        fc.integer(),
        fc.array(fc.nat(30), { minLength: 40 }),
        async (given, number, deaths) => {
          const [random, keys] = [seededRandom(number), redis.keys()];
          const faulty = faultyClient(redis.client, 0.1, random);
          const process = (): Promise<Frontier> => open({ keys, client: faulty.client });
          const crawl = new RandomCrawl(await process(), process);
          const watch = await open({ keys });
          const folder = new Folder();
          for (const [index, step] of given.entries()) {
            const death = deaths[index] ?? 30;
            if (death < 8) faulty.dieAfter(death);
            try {
              await crawl.take(step);
              faulty.revive();
            } catch (error) {
              if (!(error instanceof Died)) throw error;
              faulty.revive();
              await crawl.take({ kind: 'kill' });
            }
            expect(await watch.audit()).toBe(TOTAL_CREDIT);
            const { discovered, visited: ended, failed, skipped, queued, leased } = await watch.totals();
            expect(ended + failed + skipped + queued + leased).toBe(discovered);
            await folder.pump(watch, random() < 0.5);
          }
          for (const credit of await creditsOf(watch, crawl.urls)) expect(credit).toBeGreaterThanOrEqual(0);
          faulty.heal();
          await crawl.finish();
          await folder.pumpAll(watch);
          expect(new Set(folder.ends.map((end) => end.split(' ')[1])).size).toBe(folder.ends.length);
          expect(folder.ends).toHaveLength((await watch.totals()).discovered);
          // at most one link makes a URL known
          expect(new Set(folder.newLinks).size).toBe(folder.newLinks.length);
        },
      ),
      { numRuns: 30, seed: 5, endOnFailure: true },
    );
  }, 120_000);

  test('reaches a page of another part once, whoever carries it and how often', async () => {
    const keys = redis.keys();
    const frontier = await open({ keys });
    const [from, to] = [`${domainsIn(0, 1)[0]}/`, `${domainsIn(1, 1)[0]}/`];
    await frontier.admit([seed(from)], [], at(0));
    const visit = await leaseOne(frontier, 0);
    const { credit } = (await frontier.stateOf(url(from))) as { readonly credit: number };
    await frontier.commit(visit, visited(visit, [link(visit, to)]), at(1));
    expect(await frontier.stateOf(url(to))).toMatchObject({ kind: 'queued', credit: 0 });
    const share = credit - Math.floor(credit / 10);
    // a process dies between its calls: after each call, another process carries over what is there
    for (let calls = 0; calls < 12; calls += 1) {
      const faulty = faultyClient(redis.client, 0.5, seededRandom(calls));
      const other = await open({ keys, client: faulty.client });
      faulty.dieAfter(calls);
      await other.lease(request(-1_000_000 + calls, { count: 1 })).catch(() => null);
      expect(await frontier.audit()).toBe(TOTAL_CREDIT);
      const state = await frontier.stateOf(url(to));
      expect([0, share]).toContain('credit' in state ? state.credit : null);
    }
    await frontier.lease(request(1000));
    expect(await frontier.stateOf(url(to))).toMatchObject({ credit: share });
  });
});

type Way = 'candidate' | 'speculative' | 'depth' | 'nofollow' | 'out-of-scope';

/** The ways in which links to one URL may come: the URL's outcome does not depend on which page is visited first. */
const WAYS: readonly (readonly [Way, ...Way[]])[] = [
  ['candidate'],
  ['candidate', 'candidate', 'speculative'],
  ['candidate', 'depth'],
  ['candidate', 'nofollow'],
  ['depth'],
  ['out-of-scope'],
];

/** A random site: the links of a page depend only on its URL. */
class RandomGraph {
  readonly urls: readonly string[];
  readonly #links = new Map<string, readonly (readonly [string, Way])[]>();

  constructor(random: Random) {
    const domains = Array.from({ length: 9 }, (_, index) => `${index % 3 === 0 ? 'www.' : ''}g${index}.example`);
    this.urls = domains.flatMap((domain) => Array.from({ length: 6 }, (_, path) => `https://${domain}/${path}`));
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const ways = this.urls.map(() => pick(WAYS));
    for (const each of this.urls) {
      const targets = new Set(Array.from({ length: Math.floor(random() * 9) }, () => pick(this.urls)));
      const named = [...targets].map(
        (to) => [to, pick(ways[this.urls.indexOf(to)] ?? ['candidate' as const])] as const,
      );
      this.#links.set(each, random() < 0.2 ? [...named, ['mailto:a@b.example', 'out-of-scope']] : named);
    }
  }

  linksOf(visit: Visit): readonly CommittedLink[] {
    return (this.#links.get(visit.url) ?? []).map(([to, how]) => {
      if (how === 'candidate') return link(visit, to);
      return how === 'speculative' ? link(visit, to, { confidence: 'low' }) : skippedLink(visit, to, how);
    });
  }
}

async function crawled(frontiers: readonly [Frontier, ...Frontier[]], graph: RandomGraph): Promise<Folder> {
  const [frontier] = frontiers;
  const folder = new Folder();
  await frontier.admit(graph.urls.slice(0, 2).map(seed), [], at(0));
  let made = 0;
  for (let time = 0; ; time += 100) {
    const reply = await frontier.lease(request(time, { count: 3, newHostDelay: milliseconds(0) }));
    if (reply.kind === 'nothing-queued') break;
    for (const visit of reply.kind === 'leased' ? reply.visits : []) {
      const worker = frontiers[(made += 1) % frontiers.length] ?? frontier;
      expect(await worker.begin(visit.token, at(time + 5000))).toBe(true);
      await worker.commit(visit, visited(visit, graph.linksOf(visit)), at(time + 1));
    }
    await folder.pump(frontier);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  }
  await frontier.flushDeferred(at(10_000_000));
  await folder.pumpAll(frontier);
  return folder;
}

test('a crawl in parts visits and skips what one frontier does, with the same links, by whatever number of processes', async () => {
  for (let number = 1; number <= 12; number += 1) {
    const graph = new RandomGraph(seededRandom(number));
    const alone = await crawled([await open({ parts: 1 })], graph);
    const keys = redis.keys();
    const shared = (): Promise<Frontier> => openFrontier({ client: redis.client, keys, state: 'shared' });
    const parted = await crawled([await open({ keys }), await shared(), await shared()], graph);
    expect(parted.ends.toSorted()).toEqual(alone.ends.toSorted());
    expect(parted.links.toSorted()).toEqual(alone.links.toSorted());
    expect(parted.newLinks.toSorted()).toEqual(alone.newLinks.toSorted());
    expect(new Set(parted.ends.map((end) => partOf(end.split(' ')[1] ?? ''))).size).toBe(PARTS);
  }
}, 60_000);

test('a page that is visited again, as its process died before the commit, still is the one that made its links known', async () => {
  const frontier = await open();
  const [from, to] = [`${domainsIn(0, 1)[0]}/`, `${domainsIn(1, 1)[0]}/`];
  await frontier.admit([seed(from)], [], at(0));
  const first = await leaseOne(frontier, 0);
  expect(await frontier.release(first.token, at(1))).toBe(true);
  // the lease is over: the link becomes known, but the commit is refused
  expect(await frontier.commit(first, visited(first, [link(first, to)]), at(2))).toEqual({ kind: 'fenced' });
  expect(await frontier.stateOf(url(to))).toMatchObject({ kind: 'queued' });
  const again = await frontier.lease(request(3, { count: 5 }));
  const second = again.kind === 'leased' ? again.visits.find((visit) => visit.url === from) : undefined;
  if (second === undefined) throw new Error('not leased again');
  expect(await frontier.commit(second, visited(second, [link(second, to)]), at(4))).toEqual({
    kind: 'committed',
    newLinks: 1,
  });
  const third = again.kind === 'leased' ? again.visits.find((visit) => visit.url === to) : undefined;
  if (third === undefined) throw new Error('not leased');
  expect(await frontier.commit(third, visited(third, [link(third, to)]), at(5))).toEqual({
    kind: 'committed',
    newLinks: 0,
  });
});

describe('the parts together', () => {
  test('lease by priority, whichever part a host belongs to, and let none starve', async () => {
    const frontier = await open();
    const rich = domainsIn(0, 40);
    const [poor = ''] = domainsIn(1, 1);
    await frontier.admit(
      rich.map((name) => seed(`${name}/`)),
      [],
      at(0),
    );
    await frontier.admit([candidate(`${poor}/`)], [], at(1));
    const order: string[] = [];
    for (let number = 0; number < 41; number += 1) order.push((await leaseOne(frontier, 2)).url);
    const place = order.indexOf(`${poor}/`);
    // the sixteenth lease, or the next one of that kind, goes to the host that has been due longest
    expect(place).toBeGreaterThan(10);
    expect(new Set(order).size).toBe(41);
  });

  test('visit a suspect alone', async () => {
    const frontier = await open();
    const pages = [0, 1, 2].map((part) => `${domainsIn(part, 1)[0]}/`);
    await frontier.admit([...pages, ...[0, 1, 2].map((part) => `${domainsIn(part, 2)[1]}/`)].map(seed), [], at(0));
    const first = await leaseOne(frontier, 0);
    await frontier.begin(first.token, at(60_000));
    expect(await frontier.reclaim('died', at(1), at(1))).toEqual({ taken: 1, suspects: [first.url] });
    const reply = await frontier.lease(request(5000, { count: 5 }));
    expect(reply).toMatchObject({ kind: 'leased', visits: [{ url: first.url, deaths: 1 }] });
    expect(await frontier.lease(request(5001, { count: 5 }))).toMatchObject({ kind: 'nothing-due' });
    const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
    if (visit === undefined) throw new Error('nothing leased');
    await frontier.commit(visit, visited(visit), at(5002));
    const after = await frontier.lease(request(5003, { count: 5 }));
    expect(after.kind === 'leased' ? after.visits.length : 0).toBe(5);
  });

  test('pay lambda to each domain the same, though they have it in parts', async () => {
    const keys = redis.keys();
    const frontier = await open({ keys });
    const many = domainsIn(0, 6);
    const [one = ''] = domainsIn(1, 1);
    await frontier.admit(
      [...many, one].map((name) => candidate(`${name}/`)),
      [],
      at(0),
    );
    await frontier.lease(request(0, { count: 1 })); // evens out lambda
    await frontier.lease(request(1000, { count: 1 })); // carries credit between parts
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    const spaces = await frontierSpaces(redis.client, keys);
    const lambdas = await Promise.all(
      spaces.map(async (space) => {
        const args = { now: 1_001_000, count: 1, parts: PARTS, epoch: '' };
        return (await NEXT_HOSTS.run(redis.client, { meta: space.key('f', 'meta') }, args)).lambda;
      }),
    );
    const all = lambdas.reduce((sum, each) => sum + each, 0);
    expect(lambdas.map((each) => Math.round((each * 700) / all))).toEqual([600, 100, 0]);
  });

  test('refuse a process that leads no more', async () => {
    const keys = redis.keys();
    const before = await open({ keys, epoch: 1 });
    await before.admit(
      [0, 1, 2].map((part) => seed(`${domainsIn(part, 1)[0]}/`)),
      [],
      at(0),
    );
    const visit = await leaseOne(before, 0);
    await open({ keys, epoch: 2 });
    const refused = { code: 'CRAWL_LED' };
    await expect(before.lease(request(9000))).rejects.toMatchObject(refused);
    await expect(before.journal(10)).rejects.toMatchObject(refused);
    await expect(before.reap(at(9000), at(9000))).rejects.toMatchObject(refused);
    await expect(open({ keys, epoch: 1 })).rejects.toMatchObject(refused);
    const worker = await openFrontier({ client: redis.client, keys, state: 'shared' });
    expect(await worker.commit(visit, visited(visit, [link(visit, `${domainsIn(2, 2)[1]}/`)]), at(2))).toEqual({
      kind: 'committed',
      newLinks: 1,
    });
    expect(await worker.audit()).toBe(TOTAL_CREDIT);
  });

  test('keep one position of the journal, and a part that went back is noticed', async () => {
    const keys = redis.keys();
    const frontier = await open({ keys });
    const pages = [0, 1, 2].map((part) => `${domainsIn(part, 1)[0]}/`);
    await frontier.admit(pages.map(seed), [], at(0));
    const reply = await frontier.lease(request(0, { count: 3 }));
    for (const visit of reply.kind === 'leased' ? reply.visits : [])
      await frontier.commit(visit, commit({ kind: 'visited', record: pageRecord(visit.url) }), at(1));
    const folder = new Folder();
    await folder.pump(frontier);
    expect(await frontier.journalPosition()).toEqual({ upTo: 1, lengths: { 'pages.jsonl': 1 } });
    await folder.pumpAll(frontier);
    expect(await (await open({ keys })).journalPosition()).toEqual({ upTo: 3, lengths: { 'pages.jsonl': 3 } });
    // rewritten files have other lengths for the same entries
    for (const length of [2, 3]) {
      await frontier.journalWritten({ upTo: 3, lengths: { 'pages.jsonl': length } });
      expect(await (await open({ keys })).journalPosition()).toEqual({ upTo: 3, lengths: { 'pages.jsonl': length } });
    }
    await expect(frontier.journalWritten({ upTo: 2, lengths: {} })).rejects.toThrow(RangeError);
    const spaces = await frontierSpaces(redis.client, keys);
    const [meta = '', journal = ''] = ['meta', 'journal'].map((name) => spaces[0]?.key('f', name) ?? '');
    // a replica takes over that has the entry but does not know that it was written
    await redis.client.hset(meta, 'written', 0);
    await redis.client.rpush(journal, '{"page":null,"new":"","skipped":[],"paid":0,"history":0}');
    const resumed = await open({ keys });
    expect(await resumed.journalPosition()).toMatchObject({ upTo: 3 });
    expect(await resumed.journal(10)).toEqual({ entries: [], upTo: 3 });
    // a replica that has lost the entry
    await redis.client.hset(meta, 'written', 0);
    await expect((await open({ keys })).journalPosition()).rejects.toMatchObject({ code: 'STATE_LOST' });
  });

  test('show seeds in the order in which they came, and totals, hosts and states of all', async () => {
    const frontier = await open();
    const seeds = [2, 0, 1, 0, 2].map((part, index) => `${domainsIn(part, index + 1)[index]}/`);
    await frontier.admit(seeds.map(seed), [], at(0));
    expect(await frontier.seeds()).toEqual(seeds);
    expect(await frontier.totals()).toMatchObject({ discovered: 5, queued: 5, hosts: 5 });
    expect((await frontier.slowestHosts(3)).map(({ queued }) => queued)).toEqual([1, 1, 1]);
    const visit = await leaseOne(frontier, 0);
    expect(await frontier.outOf([visit.token, visit.token + 1])).toEqual(new Set([visit.token]));
    expect(await frontier.renew(visit.token, epochMs(2_000_000))).toBe(true);
    expect(await frontier.release(visit.token, at(1))).toBe(true);
    expect(await frontier.leasable()).toBe(5);
    expect(await frontier.countedPages()).toBe(0);
  });
});
