import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { CommittedLink, Novelty } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import {
  at,
  candidate,
  commit,
  leaseOne,
  link,
  request,
  seed,
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

const open = (budgets: 'on' | 'off' = 'on', parts = 1): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', budgets, parts });

const day = (index: number): string => `https://a.example/calendar/2024/${index}`;

/** A calendar of that many days, and one other page. */
async function calendar(frontier: Frontier, days: number): Promise<void> {
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const urls = Array.from({ length: days }, (_, index) => candidate(day(index)));
  await frontier.admit([...urls, candidate('https://a.example/about')], [], at(0));
}

/** Visits until nothing is queued; each of the first days of the calendar links to another one. @returns the visited URLs */
async function visitAll(
  frontier: Frontier,
  noveltyOf: (visitNumber: number) => Novelty,
  breeding = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const urls: string[] = [];
  for (;;) {
    const totals = await frontier.totals();
    expect(totals.visited + totals.failed + totals.skipped + totals.queued + totals.leased).toBe(totals.discovered);
    const reply = await frontier.lease(request(0));
    if (reply.kind !== 'leased') {
      expect(reply.kind).toBe('nothing-queued');
      return urls;
    }
    for (const visit of reply.visits) {
      urls.push(visit.url);
      const index = visit.url.includes('/calendar/') ? Number(visit.url.split('/').at(-1)) : breeding;
      const links = index < breeding ? [link(visit, day(index + 1000))] : [];
      await frontier.commit(visit, visited(visit, links, { novelty: noveltyOf(urls.length) }), at(0));
    }
  }
}

test('a pattern that brings the same again and again is closed, and what it holds back is skipped and told', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  const urls = await visitAll(frontier, () => 'known');
  const days = urls.filter((text) => text.includes('/calendar/')).length;
  expect(days).toBeLessThanOrEqual(50);
  expect(urls).toContain('https://a.example/about');
  expect(await frontier.totals()).toMatchObject({ queued: 300, skipped: 0 });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  const [trap] = await frontier.suspectedTraps();
  expect(trap).toMatchObject({ pattern: 'https://a.example/calendar/#/*', held: 300 });
  expect(await frontier.flushDeferred(at(1))).toBe(300);
  expect(await frontier.totals()).toMatchObject({ queued: 0, skipped: 300 });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  const lines = (await frontier.journal(2000)).entries.flatMap((entry) => entry.skipped);
  expect(lines).toHaveLength(300);
  expect(new Set(lines.map(({ reason, rule }) => `${reason}: ${rule}`))).toEqual(new Set([`trap: ${trap?.rule}`]));
  for (const line of lines) expect(await frontier.stateOf(url(line.url))).toEqual({ kind: 'ended' });
  expect(await frontier.suspectedTraps()).toEqual([trap]);
});

test.each(['news', 'новости', 'ニュース'])('a calendar beside the folder %s is closed alone', async (folder) => {
  const frontier = await open();
  const inCalendar = (index: number): string =>
    `https://a.example/${folder === 'news' ? 'days' : 'календарь'}/2024/${index}`;
  const places = Array.from({ length: 300 }, (_, index) => [
    inCalendar(index),
    `https://a.example/${folder}/2024/${index}`,
  ]);
  await frontier.admit([seed('https://a.example/'), ...places.flat().map((place) => candidate(place))], [], at(0));
  let [days, news] = [0, 0];
  for (;;) {
    const reply = await frontier.lease(request(0));
    if (reply.kind !== 'leased') break;
    for (const visit of reply.visits) {
      const isNews = visit.url.startsWith(url(`https://a.example/${folder}/`));
      const links = isNews ? [] : [link(visit, inCalendar(1000 + days))];
      if (isNews) news += 1;
      else days += 1;
      await frontier.commit(visit, visited(visit, links, { novelty: isNews ? 'new' : 'known' }), at(0));
    }
  }
  expect({ news, areDaysFew: days <= 51 }).toEqual({ news: 300, areDaysFew: true });
});

test('a pattern whose pages are new is never closed, nor one of which nothing is known', async () => {
  for (const novelty of ['new', null] as const) {
    const frontier = await open();
    await calendar(frontier, 300);
    expect(await visitAll(frontier, () => novelty, 1000)).toHaveLength(602);
    expect(await frontier.suspectedTraps()).toEqual([]);
  }
});

test('visits that cannot tell whether their page is new use up no budget', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  // one in ten is a page, the others are redirects
  const urls = await visitAll(frontier, (number) => (number % 10 === 0 ? 'new' : null), 1000);
  expect(urls).toHaveLength(602);
  expect(await frontier.suspectedTraps()).toEqual([]);
});

test('nor do they keep a pattern open that repeats itself', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  const urls = await visitAll(frontier, (number) => (number % 2 === 0 ? 'known' : null));
  expect(urls.filter((text) => text.includes('/calendar/')).length).toBeLessThan(80);
  const [trap] = await frontier.suspectedTraps();
  // those of the common queue are not counted one by one
  expect(trap?.fetched).toBeLessThan(50);
  expect(trap?.rule).toContain(' pages fetched, 0 of the last 25 new');
});

test('a pattern that no page of it adds to is visited whole, however alike its pages are', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  expect(await visitAll(frontier, () => 'known', 0)).toHaveLength(302);
  expect(await frontier.suspectedTraps()).toEqual([]);
});

/** Visits pages that say nothing new, until nothing is queued. @returns how many it visited */
async function visitAlike(frontier: Frontier, linksOf: (visit: Visit) => readonly CommittedLink[]): Promise<number> {
  for (let visits = 0; ; visits += 1) {
    const reply = await frontier.lease(request(visits));
    const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
    if (visit === undefined) return visits;
    await frontier.commit(visit, visited(visit, linksOf(visit), { novelty: 'known' }), at(visits));
  }
}

test.each([1, 4])(
  'URLs that are never followed, as those for sharing a page, are no growth (parts: %d)',
  async (parts) => {
    const frontier = await open('on', parts);
    await calendar(frontier, 300);
    const linksOf = (visit: Visit): readonly CommittedLink[] => {
      const own = encodeURIComponent(visit.url);
      return [
        ...['one', 'two', 'three'].map((name) => skippedLink(visit, `https://${name}.example/sharer?u=${own}`)),
        skippedLink(visit, `mailto:?body=${own}`, 'unsupported-scheme'),
        skippedLink(visit, `https://a.example/logout?to=${own}`, 'signs-out'),
      ];
    };
    expect(await visitAlike(frontier, linksOf)).toBe(302);
    expect(await frontier.suspectedTraps()).toEqual([]);
  },
);

test.each(['depth', 'nofollow', 'duplicate', 'trap'] as const)('links held back for %s are growth', async (reason) => {
  const frontier = await open();
  await calendar(frontier, 300);
  let made = 0;
  const linksOf = (visit: Visit): readonly CommittedLink[] => [skippedLink(visit, day(1000 + (made += 1)), reason)];
  expect(await visitAlike(frontier, linksOf)).toBeLessThan(100);
});

test('a pattern of which one in five is new goes on', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  expect(await visitAll(frontier, (number) => (number % 4 === 0 ? 'new' : 'known'), 1000)).toHaveLength(602);
});

test('a pattern that was closed is opened again by pages of it that were out, and its pages are visited', async () => {
  const frontier = await open();
  await calendar(frontier, 200);
  const visits = await visitAll(frontier, (number) => (number < 45 ? 'known' : 'new'), 1000);
  expect(visits.length).toBeLessThan(402);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a probe comes before all other pages of its host, whatever its pattern, and gives back what it borrowed', async () => {
  const frontier = await open();
  await calendar(frontier, 300);
  await visitAll(frontier, () => 'known');
  await frontier.admit([candidate('https://a.example/other')], [], at(0));
  const probe = candidate(day(99_999), { kind: 'probe' });
  expect(await frontier.admit([probe], [], at(0))).toBe(1);
  expect(await frontier.admit([probe], [], at(0))).toBe(0);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  const visit = await leaseOne(frontier, 0);
  expect(visit).toMatchObject({ url: day(99_999), kind: 'probe' });
  const record = { url: visit.url, reason: 'probe', rule: 'none', referrer: null } as const;
  await frontier.commit(visit, commit({ kind: 'skipped', record }), at(0));
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  expect((await leaseOne(frontier, 0)).url).toBe('https://a.example/other');
});

test('with budgets off no pattern is closed', async () => {
  const frontier = await open('off');
  await calendar(frontier, 120);
  expect(await visitAll(frontier, () => 'known', 1000)).toHaveLength(242);
});

test('a fingerprint that a script makes is the one that comes from outside', async () => {
  // checked with the skipped pages above: a skipped URL is known when it is offered again
  const frontier = await open();
  await calendar(frontier, 80);
  await visitAll(frontier, () => 'known');
  expect(await frontier.flushDeferred(at(1))).toBeGreaterThan(0);
  const again = Array.from({ length: 80 }, (_, index) => candidate(day(index)));
  expect(await frontier.admit(again, [], at(2))).toBe(0);
  expect(await frontier.lease(request(3))).toEqual({ kind: 'nothing-queued' });
  await expect(leaseOne(frontier, 4)).rejects.toThrow('nothing leased');
});
