import { describe, expect, test } from 'vitest';

import { openTrapSite, trapSiteNames, type TrapSite } from '../../support/trap-sites.ts';
import { rawRequest } from './temporary-site.ts';

/** Far more than any of them has pages that matter. */
const ENOUGH = 200;

describe.each(await trapSiteNames())('the fixture site %s', (name) => {
  test('has every page that matters, and none of them is in the part without end', async () => {
    await using site = await openTrapSite(name);
    for (const url of site.good) {
      const { status, headers } = await ask(site, url);
      expect({ url, status, type: headers['content-type'] }).toEqual({
        url,
        status: 200,
        type: expect.stringMatching(/html/),
      });
      expect({ url, endless: site.isEndless(url) }).toEqual({ url, endless: false });
    }
  });

  test('leads from its start to every page that matters', async () => {
    await using site = await openTrapSite(name);
    const found = await walk(site, (url) => !site.isEndless(url));
    expect(site.good.filter((url) => !found.has(url))).toEqual([]);
  });

  test('has an endless part: its pages lead to ever more of them', async () => {
    await using site = await openTrapSite(name);
    const found = await walk(site, () => true);
    expect([...found].filter((url) => site.isEndless(url)).length).toBeGreaterThan(ENOUGH);
  });
});

/** Follows links breadth-first until there are none, or enough were found. */
async function walk(site: TrapSite, follows: (url: string) => boolean): Promise<ReadonlySet<string>> {
  const found = new Set([site.server.url]);
  for (const url of found) {
    if ([...found].filter((each) => site.isEndless(each)).length > ENOUGH) break;
    for (const link of await linksOf(site, url)) if (follows(link)) found.add(link);
  }
  return found;
}

async function linksOf(site: TrapSite, url: string): Promise<readonly string[]> {
  const { body } = await ask(site, url);
  return [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), url).href);
}

/** Names under localhost need no resolver this way. */
async function ask(site: TrapSite, url: string) {
  const { host, pathname, search } = new URL(url);
  return rawRequest(site.server.port, pathname + search, { host }, 'GET');
}
