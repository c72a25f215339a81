/**
 * Properties P1 to P8 and P14 of credit (design/scheduling, "Properties of credit"), of the frontier in Redis. The others are
 * in credit-importance and credit-traps.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { PARTS } from '../../src/frontier/scripts.ts';
import { groupUrls } from '../../src/frontier/url-groups.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { luaLibrary } from '../../src/redis/lua-library.ts';
import { creditOf, creditsOf, shareOf, smallPage } from '../support/credit-probe.ts';
import {
  at,
  candidate,
  leaseOne,
  link,
  pageRecord,
  request,
  seed,
  commit,
  skip,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { probeLua } from '../support/lua-probe.ts';
import { MemoryFrontier } from '../support/memory-frontier.ts';
import { RandomCrawl, steps } from '../support/random-crawl.ts';
import { startTestRedis, temporaryFolder, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (keys: KeySpace = redis.keys()): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state: 'new' });

describe('P1 the sum of all credit', () => {
  test('P1 is 2^52 after every operation, crash and retry included, and no cash is negative (P2)', async () => {
    await fc.assert(
      fc.asyncProperty(steps({ most: 40 }), async (given) => {
        const keys = redis.keys();
        const crawl = new RandomCrawl(await open(keys), () => open(keys));
        for (const step of given) {
          await crawl.take(step);
          // audit throws if a page or a remainder has a debt
          expect(await crawl.frontier.audit()).toBe(TOTAL_CREDIT);
          for (const credit of await creditsOf(crawl.frontier, crawl.urls)) expect(credit).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 25, seed: 1, endOnFailure: true },
    );
  }, 60_000);

  /** Admits a page with an edited copy of the scripts, to show the effect of a bug in them. @returns the sum of all credit then */
  async function admitEdited(name: string, find: string, replacement: string): Promise<number> {
    await using folder = await temporaryFolder();
    cpSync(fileURLToPath(new URL('../../src/frontier/lua', import.meta.url)), folder.path, { recursive: true });
    const file = join(folder.path, name);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(find);
    writeFileSync(file, text.replace(find, replacement));
    const keys = redis.keys();
    const frontier = await open(keys);
    const library = luaLibrary('edited', pathToFileURL(`${folder.path}/`), PARTS);
    const script = library.script('admit', {
      keys: ['meta'],
      args: ['now', 'seeds', 'shares', 'epoch'],
      reply: (raw) => raw,
    });
    const { fields } = groupUrls([seed('https://a.example/')]);
    await script.run(
      redis.client,
      { meta: keys.key('f', 'meta') },
      { now: at(0), seeds: 'yes', shares: '', epoch: '' },
      fields,
    );
    return frontier.audit();
  }

  test('P1 is asserted within the scripts: one that leaves credit over stops, and the audit finds one that makes some', async () => {
    const script = 'admit.lua';
    expect(await admitEdited(script, '', '')).toBe(TOTAL_CREDIT);
    await expect(admitEdited(script, 'credit.take_from_lambda(-credit.in_transit)', '')).rejects.toThrow(
      'credit was made or lost',
    );
    await expect(admitEdited(script, 'share = credit.seed_share', 'share = 3 * credit.seed_share')).rejects.toThrow(
      'made or lost',
    );
    const more = await admitEdited('includes/admission.lua', 'entry.balance = share -', 'entry.balance = share + 1 -');
    expect(more).toBe(TOTAL_CREDIT + 1);
  });
});

describe('P3 a commit', () => {
  async function dump(keys: KeySpace): Promise<ReadonlyMap<string, string>> {
    const names = await redis.client.keys(keys.key('f', '*').replaceAll(/[[\]]/g, '?'));
    const values = await Promise.all(names.map((name) => redis.client.dumpBuffer(name)));
    return new Map(names.map((name, index) => [name, values[index]?.toString('base64') ?? '']));
  }

  test('P3 given twice changes nothing at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(30), { maxLength: 12 }), fc.nat(2), async (targets, ending) => {
        const keys = redis.keys();
        const frontier = await open(keys);
        await frontier.admit([seed('https://a.example/')], [], at(0));
        const visit = await leaseOne(frontier, 0);
        const links = targets.map((target) => link(visit, `https://${target % 3}.example/${target}`));
        const record = pageRecord(visit.url);
        const endings = [
          { kind: 'visited', record },
          { kind: 'retry', due: at(5) },
          { kind: 'failed', record },
        ] as const;
        const given = commit(endings[ending] ?? { kind: 'visited', record }, links);
        expect(await frontier.commit(visit, given, at(1))).toMatchObject({ kind: 'committed' });
        const before = await dump(keys);
        expect(await frontier.commit(visit, given, at(9))).toEqual({ kind: 'fenced' });
        expect(await dump(keys)).toEqual(before);
      }),
      { numRuns: 30, seed: 3 },
    );
  });
});

describe('P4 what is paid lazily', () => {
  /** Enough pages of one pattern for a queue of its own, and two hosts of one domain. */
  const PAGES = [
    ...Array.from({ length: 45 }, (_, index) => `https://a.example/list/${index}`),
    ...Array.from({ length: 8 }, (_, index) => `https://www.b.example/x${index}/page`),
    ...Array.from({ length: 30 }, (_, index) => `https://docs.b.example/list/${index}`),
    'https://c.example/',
  ];

  test('P4 is what would have been paid at once, for every page after any interleaving', async () => {
    const visits = fc.array(fc.uniqueArray(fc.nat(PAGES.length - 1), { maxLength: 10 }), {
      minLength: 20,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(visits, async (linksOfVisits) => {
        const [real, eager] = [await open(), new MemoryFrontier()];
        const first = PAGES.slice(0, 45).map((text) => candidate(text));
        for (const frontier of [real, eager]) {
          await frontier.admit([seed(PAGES.at(-1) ?? '')], [], at(0));
          await frontier.admit(first, [], at(0));
        }
        for (const [turn, targets] of linksOfVisits.entries()) {
          const reply = await real.lease(request(turn));
          expect(eager.lease(request(turn), reply)).toEqual(reply);
          const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
          if (visit === undefined) break;
          const given = visited(
            visit,
            targets.map((target) => link(visit, PAGES[target] ?? '')),
          );
          await real.commit(visit, given, at(turn));
          eager.settle(visit, given, at(turn));
          for (const text of PAGES) expect(await real.stateOf(url(text)), text).toEqual(eager.stateOf(url(text)));
        }
      }),
      { numRuns: 6, seed: 4 },
    );
  }, 60_000);

  test('P4 holds where the dividend indexes begin anew: a drained list has been paid more than all credit there is', async () => {
    const [real, eager] = [await open(), new MemoryFrontier()];
    const list = Array.from({ length: 120 }, (_, index) => `https://a.example/list/${index}`);
    for (const frontier of [real, eager]) {
      await frontier.admit([seed('https://c.example/')], [], at(0));
      await frontier.admit(
        list.map((text) => candidate(text)),
        [],
        at(0),
      );
    }
    for (let turn = 0; turn < 118; turn += 1) {
      const reply = await real.lease(request(turn));
      expect(eager.lease(request(turn), reply)).toEqual(reply);
      const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
      if (visit === undefined) throw new Error(reply.kind);
      await real.commit(visit, visited(visit), at(turn));
      eager.settle(visit, visited(visit), at(turn));
      if (turn % 10 < 8) continue;
      for (const text of list) expect(await real.stateOf(url(text)), text).toEqual(eager.stateOf(url(text)));
      expect(await real.audit()).toBe(TOTAL_CREDIT);
    }
  }, 60_000);
});

test('lambda pays the common queue of a host like one pattern for each that has no queue of its own, however many pages stand in it', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://seed.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  // sixteen pages of the list are in the common queue and fourteen in their own; the common queue also has two patterns of four pages
  const list = Array.from({ length: 30 }, (_, index) => `https://a.example/list/${index}`);
  const few = ['one', 'two'].flatMap((name) => [1, 2, 3, 4].map((page) => `https://a.example/${name}/${page}`));
  await frontier.admit(
    [...list, ...few].map((text) => candidate(text)),
    [],
    at(1),
  );
  await frontier.commit(visit, visited(visit), at(2));
  // lambda has all credit, and pays it out
  await leaseOne(frontier, 3);
  const unit = Math.floor(TOTAL_CREDIT / 3);
  for (const text of [...list.slice(0, 16), ...few])
    expect(await creditOf(frontier, text), text).toBe(Math.floor((2 * unit) / 24));
  for (const text of list.slice(16)) expect(await creditOf(frontier, text), text).toBe(Math.floor(unit / 14));
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('of a page’s cash what has ended takes a sixteenth of what a page that waits gets; a page all of whose links have ended gives nothing', async () => {
  for (const [waiting, ended] of [
    [5, 60],
    [0, 3],
  ] as const) {
    const frontier = await open();
    const { visit, cash } = await smallPage(frontier);
    const known = Array.from({ length: ended }, (_, index) => skip(`https://ended.example/${index}`));
    await frontier.admit([], known, at(1));
    const fresh = Array.from({ length: waiting }, (_, index) => `https://fresh.example/${index}`);
    const links = [...known.map((record) => record.url), ...fresh].map((text) => link(visit, text));
    await frontier.commit(visit, visited(visit, links), at(2));
    for (const text of fresh) expect(await creditOf(frontier, text)).toBe(shareOf(cash, waiting, ended));
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  }
});

describe('P5, P6, P14 the links of a page', () => {
  const targetsOf = (numbers: readonly number[]): readonly string[] =>
    numbers.map((number) => `https://${number % 4}.example/d${number % 2}/${number}`);
  const numbers = fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 40 });

  /** A frontier after the visit of one page with these links. */
  async function afterVisit(texts: readonly string[]): Promise<Frontier> {
    const frontier = await open();
    const { visit } = await smallPage(frontier);
    await frontier.commit(
      visit,
      visited(
        visit,
        texts.map((text) => link(visit, text)),
      ),
      at(1),
    );
    return frontier;
  }

  test('P5 give each target the same in any order', async () => {
    const shuffled = numbers.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([list, other]) => {
        const texts = targetsOf(list);
        const credits = await creditsOf(await afterVisit(texts), texts);
        expect(await creditsOf(await afterVisit(targetsOf(other)), texts)).toEqual(credits);
        expect(new Set(credits).size).toBe(1);
      }),
      { numRuns: 20, seed: 5 },
    );
  });

  test('P6 never give a target more because there is one link more', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (list) => {
        const [texts, more] = [targetsOf(list), targetsOf([...list, 999])];
        const before = await creditsOf(await afterVisit(texts), texts);
        const after = await creditsOf(await afterVisit(more), texts);
        for (const [index, credit] of after.entries()) expect(credit).toBeLessThanOrEqual(before[index] ?? 0);
      }),
      { numRuns: 20, seed: 6 },
    );
  });

  test('P14 give a page that two others name both shares, in either order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.nat(20), fc.boolean(), async (left, right, turned) => {
        const frontier = await open();
        await frontier.admit([seed('https://left.example/'), seed('https://right.example/')], [], at(0));
        const reply = await frontier.lease(request(0, { count: 2 }));
        if (reply.kind !== 'leased') throw new Error(reply.kind);
        const visits = turned ? reply.visits.toReversed() : reply.visits;
        const cash = TOTAL_CREDIT / 4;
        for (const visit of visits) {
          const others = visit.url.includes('left') ? left : right;
          const texts = Array.from({ length: others }, (_, index) => `${visit.url}${index}`);
          const links = [...texts, 'https://both.example/'].map((text) => link(visit, text));
          await frontier.commit(visit, visited(visit, links), at(1));
        }
        const both = shareOf(cash, left + 1) + shareOf(cash, right + 1);
        expect(await creditOf(frontier, 'https://both.example/')).toBe(both);
      }),
      { numRuns: 20, seed: 14 },
    );
  });
});

test('P7 on a graph without links all credit is the lambda page’s after one round', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (pages) => {
      const frontier = await open();
      const seeds = Array.from({ length: pages }, (_, index) => seed(`https://p${index}.example/`));
      await frontier.admit(seeds, [], at(0));
      const reply = await frontier.lease(request(0, { count: pages }));
      if (reply.kind !== 'leased') throw new Error(reply.kind);
      expect(reply.visits).toHaveLength(pages);
      for (const visit of reply.visits) await frontier.commit(visit, visited(visit), at(1));
      // nothing is pending, so no page or remainder holds credit
      expect(await frontier.totals()).toMatchObject({ queued: 0, leased: 0, hosts: 0 });
      expect(await frontier.audit()).toBe(TOTAL_CREDIT);
      const next = 'https://next.example/';
      await frontier.admit([seed(next)], [], at(2));
      expect(await creditOf(frontier, next)).toBe(TOTAL_CREDIT / 2);
    }),
    { numRuns: 10, seed: 7 },
  );
});

describe('P8 fairness', () => {
  test('P8 the cash of a page that waits never falls, and every page of a finite graph is visited, each once', async () => {
    const graph = fc.array(fc.uniqueArray(fc.nat(39), { maxLength: 6 }), { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(graph, async (links) => {
        const frontier = await open();
        const pages = links.map((_, index) => `https://${index % 3}.example/${index}`);
        await frontier.admit([seed(pages[0] ?? '')], [], at(0));
        await frontier.admit(
          pages.map((text) => candidate(text)),
          [],
          at(0),
        );
        const done = new Set<string>();
        let before = await creditsOf(frontier, pages);
        while (done.size < pages.length) {
          const visit = await leaseOne(frontier, done.size);
          expect(done.has(visit.url)).toBe(false);
          done.add(visit.url);
          const own = links[pages.indexOf(visit.url)] ?? [];
          await frontier.commit(
            visit,
            visited(
              visit,
              own.map((target) => link(visit, pages[target] ?? '')),
            ),
            at(done.size),
          );
          const now = await creditsOf(frontier, pages);
          for (const [index, text] of pages.entries())
            if (!done.has(text)) expect(now[index], text).toBeGreaterThanOrEqual(before[index] ?? 0);
          before = now;
        }
      }),
      { numRuns: 4, seed: 8 },
    );
  }, 60_000);

  test('P8 a page that nothing pays but lambda is visited beside a trap that always has richer ones', async () => {
    const frontier = await open();
    const poor = 'https://a.example/poor/page';
    await frontier.admit([seed('https://a.example/')], [], at(0));
    await frontier.admit([candidate(poor)], [], at(0));
    let least: number = TOTAL_CREDIT;
    let [paid, credit, steps] = [0, 0, 0];
    for (let made = 0; ; steps += 1) {
      const visit = await leaseOne(frontier, steps);
      const now = await creditOf(frontier, poor);
      if (now > credit) [least, paid] = [Math.min(least, now - credit), paid + 1];
      credit = now;
      if (visit.url === poor) break;
      const links = Array.from({ length: 3 }, () => link(visit, `https://a.example/trap/${(made += 1)}`));
      await frontier.commit(visit, visited(visit, links), at(steps));
    }
    // lambda pays after a thousand commits at the latest, and no page waits once it has all credit
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThanOrEqual(TOTAL_CREDIT / least);
    expect(steps).toBeLessThanOrEqual((1000 * TOTAL_CREDIT) / least);
  });
});

test('a page that fails or is forbidden gives all of its cash to lambda; one that is to be tried again keeps it', async () => {
  for (const kind of ['failed', 'skipped', 'retry'] as const) {
    const frontier = await open();
    const { visit, cash } = await smallPage(frontier);
    const endings = {
      failed: { kind: 'failed', record: pageRecord(visit.url) },
      skipped: { kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') },
      retry: { kind: 'retry', due: at(9) },
    } as const;
    await frontier.commit(visit, commit(endings[kind], [link(visit, 'https://target.example/')]), at(1));
    expect(await creditOf(frontier, 'https://target.example/')).toBe(0);
    expect(await creditOf(frontier, visit.url)).toBe(kind === 'retry' ? cash : 0);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  }
});

test('a redirect is a page with one link, and pays the tax like any other', async () => {
  const frontier = await open();
  const { visit, cash } = await smallPage(frontier);
  const record = { ...pageRecord(visit.url), outcome: 'redirected' } as const;
  const target = 'https://target.example/';
  await frontier.commit(visit, commit({ kind: 'visited', record }, [link(visit, target)]), at(1));
  expect(await creditOf(frontier, target)).toBe(shareOf(cash, 1));
});

describe('the share of a link', () => {
  const sharesOf = async (rows: readonly (readonly [cash: number, links: number])[]): Promise<unknown> =>
    probeLua(
      redis,
      'local shares = {}\nfor index, row in ipairs(given) do shares[index] = store.whole(credit.link_share(row[1], row[2], 0)) end\nreturn shares',
      rows,
    );

  test('is what is left of the cash after the tax of a tenth, divided, in whole numbers', async () => {
    const rows = [
      [100, 9],
      [100, 4],
      [7, 3],
      [1, 5],
      [41, 0],
      [TOTAL_CREDIT, 1],
    ] as const;
    expect(await sharesOf(rows)).toEqual(['10', '22', '2', '0', '0', '4053239664633447']);
  });

  test('halves the credit of a chain after 6.58 pages', async () => {
    const last = await probeLua(
      redis,
      'local cash = 2 ^ 40\nfor _ = 1, given.pages do cash = credit.link_share(cash, 1, 0) end\nreturn { cash }',
      { pages: 20 },
    );
    expect(Math.abs(Number(last) - 2 ** 40 * 0.9 ** 20)).toBeLessThanOrEqual(20);
  });
});
