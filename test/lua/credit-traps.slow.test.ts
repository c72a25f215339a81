/**
 * Properties P10 to P13 of credit (design/scheduling, "Properties of credit"): the share that a trap can get.
 * test/bench/trap-share.mjs has the figures of many shapes and seeds.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { creditOf, creditsOf, smallPage } from '../support/credit-probe.ts';
import { at, leaseOne, link, seed, url, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (budgets: 'on' | 'off' = 'on'): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', budgets });

describe('P10, P11, P12 a trap', () => {
  test('P10, P12 as a chain has c0 * 0.9^k of credit at depth k, half after 6.58 pages, and c0 / 0.1 in all', async () => {
    const frontier = await open();
    const { visit: first, cash } = await smallPage(frontier);
    let visit = first;
    let income = cash;
    for (let depth = 1; depth <= 80; depth += 1) {
      await frontier.commit(visit, visited(visit, [link(visit, `${first.url}${depth}`)]), at(depth));
      visit = await leaseOne(frontier, depth);
      const credit = await creditOf(frontier, visit.url);
      expect(Math.abs(credit - cash * 0.9 ** depth)).toBeLessThanOrEqual(depth);
      if (depth === 6) expect(credit).toBeGreaterThan(cash / 2);
      if (depth === 7) expect(credit).toBeLessThan(cash / 2);
      income += credit;
    }
    expect(income).toBeLessThanOrEqual(cash * 10);
    expect(income).toBeGreaterThan(cash * 9.99);
  });

  test.each([2, 3, 7, 20])(
    'P11 that branches into %d has c0 * (0.9 / b)^k for each page at depth k',
    async (branching) => {
      const frontier = await open();
      const { visit: first, cash } = await smallPage(frontier);
      const depthOf = new Map([[first.url, 0]]);
      let [made, visit] = [0, first];
      for (let turn = 0; turn < 60; turn += 1) {
        const depth = (depthOf.get(visit.url) ?? 0) + 1;
        const texts = Array.from({ length: branching }, () => `${first.url}${(made += 1)}`);
        for (const text of texts) depthOf.set(url(text), depth);
        await frontier.commit(
          visit,
          visited(
            visit,
            texts.map((text) => link(visit, text)),
          ),
          at(turn),
        );
        for (const credit of await creditsOf(frontier, texts))
          expect(Math.abs(credit - cash * (0.9 / branching) ** depth)).toBeLessThanOrEqual(depth);
        visit = await leaseOne(frontier, turn);
      }
      expect(depthOf.get(visit.url)).toBeGreaterThan(1);
    },
  );
});

describe('P13 a trap beside a hundred hosts of a hundred pages, one of which leads into it', () => {
  const HOSTS = 100;
  const PAGES = 100;
  const LINKS = 8;
  const FETCHES = 4000;
  const TRAP = 'https://trap.example/';
  const page = (host: number, index: number): string => `https://host-${host}.example/p/${index}`;

  /** Links of each page: four of five to its own host, and one from an earlier page, so that all are reachable. */
  function world(chosen: number): ReadonlyMap<string, readonly string[]> {
    const random = seededRandom(chosen);
    const below = (limit: number): number => Math.floor(random() * limit);
    const links = new Map<string, string[]>();
    for (let host = 0; host < HOSTS; host += 1) {
      for (let index = 0; index < PAGES; index += 1) {
        const own = Array.from({ length: LINKS - 1 }, () => page(random() < 0.8 ? host : below(HOSTS), below(PAGES)));
        links.set(page(host, index), own);
        if (index > 0) links.get(page(host, below(index)))?.push(page(host, index));
      }
    }
    links.get(page(0, 0))?.push(TRAP);
    return links;
  }

  test.each([
    [1, 5],
    [100, 1],
    [1000, 1],
  ])(
    'P13 that names %d new pages on each gets at most %d in a hundred of the first 4,000 fetches by credit alone',
    async (branching, most) => {
      const [frontier, links] = [await open('off'), world(branching)];
      await frontier.admit(
        Array.from({ length: HOSTS }, (_, host) => seed(page(host, 0))),
        [],
        at(0),
      );
      let [trapped, made] = [0, 0];
      for (let fetch = 0; fetch < FETCHES; fetch += 1) {
        const visit = await leaseOne(frontier, fetch);
        if (visit.url.startsWith(TRAP)) trapped += 1;
        const targets = links.get(visit.url) ?? Array.from({ length: branching }, () => `${TRAP}${(made += 1)}`);
        await frontier.commit(
          visit,
          visited(
            visit,
            targets.map((target) => link(visit, target)),
          ),
          at(fetch),
        );
      }
      expect(trapped).toBeGreaterThan(0);
      expect((100 * trapped) / FETCHES).toBeLessThanOrEqual(most);
      expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    },
    180_000,
  );
});
