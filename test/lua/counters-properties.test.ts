/** The counters of a crawl under random events at any time: kills, resumes, expired leases, retries, quarantine. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { RandomCrawl, steps } from '../support/random-crawl.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

async function expectBalance(frontier: Frontier): Promise<void> {
  const { discovered, visited, failed, skipped, queued, leased } = await frontier.totals();
  expect(visited + failed + skipped + queued + leased).toBe(discovered);
}

/** The crawl folder: takes each journal entry once, though a pump may die before it confirms. */
class Folder {
  readonly ends = new Map<string, string[]>();
  /** Lines of second visits. */
  again = 0;
  #upTo = 0;

  async pump(frontier: Frontier, dies: boolean): Promise<void> {
    const { entries, upTo } = await frontier.journal(7);
    if (dies) return; // its writes are cut off again: the lengths tell
    for (const { page, skipped } of entries) {
      if (page?.again === true) expect(this.ends.get(page.url)?.[0]).toMatch(/^(?:captured|redirected) /);
      else if (page !== null) this.#add(page.url, `${page.outcome} ${page.detail ?? ''}`);
      if (page?.again === true) this.again += 1;
      for (const { url, reason, rule } of skipped) {
        expect([reason, rule]).not.toContain('');
        this.#add(url, reason);
      }
    }
    if (upTo === this.#upTo) return;
    this.#upTo = upTo;
    await frontier.journalWritten({ upTo, lengths: {} });
  }

  #add(url: string, end: string): void {
    this.ends.set(url, [...(this.ends.get(url) ?? []), end]);
  }
}

test('the counters add up after every operation, and in the end each URL has one end, with its reason', async () => {
  const seen = new Set<string>();
  let again = 0;
  await fc.assert(
    fc.asyncProperty(steps({ most: 60 }), fc.infiniteStream(fc.nat(3)), async (given, chances) => {
      const keys = redis.keys();
      const open = (): Promise<Frontier> => openFrontier({ client: redis.client, keys, state: 'new' });
      const crawl = new RandomCrawl(await open(), open);
      const folder = new Folder();
      for (const step of given) {
        await crawl.take(step);
        await expectBalance(crawl.frontier);
        const chance = chances.next().value;
        if (chance > 1) await folder.pump(crawl.frontier, chance === 3);
      }
      await crawl.finish();
      await expectBalance(crawl.frontier);
      const { discovered, visited, failed, skipped, queued, leased, queuedAgain, leasedAgain } =
        await crawl.frontier.totals();
      expect({ queued, leased, queuedAgain, leasedAgain }).toEqual({
        queued: 0,
        leased: 0,
        queuedAgain: 0,
        leasedAgain: 0,
      });
      for (let more = true; more;) {
        more = (await crawl.frontier.journal(1)).entries.length > 0;
        await folder.pump(crawl.frontier, false);
      }
      again += folder.again;
      const ends = [...folder.ends.values()];
      expect(ends.filter((of) => of.length !== 1)).toEqual([]);
      expect(ends).toHaveLength(discovered);
      for (const [end] of ends) seen.add(end ?? '');
      const isPage = (end: string): boolean => end.includes(' ');
      expect(ends.flat().filter(isPage)).toHaveLength(visited + failed);
      expect(ends.flat().filter((end) => !isPage(end))).toHaveLength(skipped);
    }),
    { numRuns: 40, seed: 7, endOnFailure: true },
  );
  // every possible outcome has occurred
  expect(again).toBeGreaterThan(10);
  expect([...seen].toSorted()).toEqual([
    'captured ',
    'crashed quarantined',
    'depth',
    'disallowed-by-robots',
    'duplicate',
    'http-error ',
    'low-confidence',
    'nofollow',
    'out-of-scope',
    'redirected ',
  ]);
}, 120_000);
