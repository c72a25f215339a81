/**
 * Property P9 of credit (design/scheduling, "Properties of credit") and its golden vectors: the frontier's estimate of
 * importance approaches the fixpoint. The frontier visits a URL once, so a repeatedly read page is modelled as a sequence of URLs: the
 * next one is admitted before the current one is settled, and links to the page point to the pending one.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { creditOf, shareOf } from '../support/credit-probe.ts';
import { at, candidate, leaseOne, link, seed, visited } from '../support/frontier-nouns.ts';
import { opicFixpoint } from '../support/opic-fixpoint.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

type Links = readonly (readonly number[])[];

/** {1: [2], 2: [4], 3: [1, 2, 4], 4: []} of design/scheduling, "Properties of credit", counted from 0. */
const TOY: Links = [[1], [3], [0, 1, 3], []];

interface Estimate {
  /** Share of each page in the payments of all pages. */
  readonly pages: readonly number[];
  /** Share of lambda in the payments of all pages and lambda. */
  readonly lambda: number;
  /** Payments of all pages, in units of the total credit. */
  readonly rounds: number;
}

/** Makes each page a domain of its own, so that lambda pays all of them the same. */
async function estimate(links: Links, visits: number): Promise<Estimate> {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const pending = links.map(() => 0);
  const urlOf = (page: number): string => `https://page-${page}.example/${pending[page] ?? 0}`;
  await frontier.admit(
    links.map((_, page) => seed(urlOf(page))),
    [],
    at(0),
  );
  const history = links.map(() => 0);
  let income = 0;
  for (let turn = 0; turn < visits; turn += 1) {
    const visit = await leaseOne(frontier, turn);
    const page = Number(/page-(\d+)/.exec(visit.url)?.[1]);
    pending[page] = (pending[page] ?? 0) + 1;
    await frontier.admit([candidate(urlOf(page))], [], at(turn));
    const cash = await creditOf(frontier, visit.url);
    const own = links[page] ?? [];
    await frontier.commit(
      visit,
      visited(
        visit,
        own.map((target) => link(visit, urlOf(target))),
      ),
      at(turn),
    );
    history[page] = (history[page] ?? 0) + cash / TOTAL_CREDIT;
    income += (cash - (own.length === 0 ? 0 : shareOf(cash, own.length) * own.length)) / TOTAL_CREDIT;
  }
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  const rounds = history.reduce((sum, value) => sum + value, 0);
  return { pages: history.map((value) => value / rounds), lambda: income / (income + rounds), rounds };
}

const distance = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0);

describe('the golden vectors', () => {
  test.each([
    ['lambda one link among others', null, [0.1980198, 0.2970297, 0.15841584, 0.34653465], 0.38787879],
    ['a tax of 10 %', 0.1, [0.15675871, 0.29784155, 0.12058362, 0.42481611], 0.32538843],
    ['a tax of 15 %', 0.15, [0.16124557, 0.2983043, 0.1256459, 0.41480423], 0.33447962],
  ])('are what power iteration comes to with %s', (_, tax, pages, lambda) => {
    const importance = opicFixpoint(TOY, tax);
    expect(distance(importance.pages, pages)).toBeLessThan(2e-8);
    expect(importance.lambda).toBeCloseTo(lambda, 7);
  });

  test('P9 the frontier, whose tax is 10 %, approaches the second, lambda included', async () => {
    const { pages, lambda, rounds } = await estimate(TOY, 1000);
    expect(distance(pages, [0.15675871, 0.29784155, 0.12058362, 0.42481611])).toBeLessThanOrEqual(2 / rounds);
    expect(Math.abs(lambda - 0.32538843)).toBeLessThanOrEqual(2 / rounds);
    expect(2 / rounds).toBeLessThan(0.01);
  });
});

test('P9 of any graph the estimate is within 2 T / G of power iteration', async () => {
  const graph = fc
    .integer({ min: 2, max: 9 })
    .chain((pages) =>
      fc.array(fc.uniqueArray(fc.nat(pages - 1), { maxLength: 4 }), { minLength: pages, maxLength: pages }),
    );
  await fc.assert(
    fc.asyncProperty(graph, async (drawn) => {
      const links = drawn.map((targets, page) => targets.filter((target) => target !== page));
      const { pages, rounds } = await estimate(links, 250);
      expect(distance(pages, opicFixpoint(links, 0.1).pages)).toBeLessThanOrEqual(2 / rounds);
    }),
    { numRuns: 5, seed: 9 },
  );
}, 60_000);
