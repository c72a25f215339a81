/** `--render auto`: a page that differs from its cluster makes the crawl visit again those pages of the cluster that were only read. */
import { expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import {
  againSite,
  EARLY,
  edgesOf,
  EVERYTHING,
  expectBalance,
  numbersOf,
  PAGES,
  urlsOf,
} from '../support/again-site.ts';
import { runCrawl } from '../support/crawl-run.ts';

test('finds what a crawl that renders every page finds, with one line for each page and each link', async () => {
  await using server = await FixtureServer.open(againSite());
  const seeds = [server.url('/')];
  const always = await runCrawl({ seeds, delay: 0, render: 'always', workers: 1 });
  const asked = server.asked.length;
  const auto = await runCrawl({ seeds, delay: 0, render: 'auto', workers: 1, snapshot: ['html'] });

  expect(urlsOf(always)).toEqual(EVERYTHING);
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  expect(edgesOf(auto)).toEqual(edgesOf(always));
  const again = numbersOf(auto.pages, (page) => page.again === true);
  expect(again).toEqual(expect.arrayContaining(EARLY));
  expect(numbersOf(auto.pages, ({ rendered }) => !rendered)).toEqual([]);
  for (const page of auto.pages.filter((each) => each.again === true))
    expect(page).toMatchObject({ rendered: true, outcome: 'captured', duplicateOf: null });

  expectBalance(auto);
  // a page visited again is requested twice, all others once
  const times = new Map<string, number>();
  for (const path of server.asked.slice(asked)) times.set(path, (times.get(path) ?? 0) + 1);
  for (let number = 0; number < PAGES; number += 1)
    expect(times.get(`GET /item/${number}`), `item ${number}`).toBe(again.includes(number) ? 2 : 1);
}, 120_000);
