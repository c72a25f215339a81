import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approveCrawl } from '../../../src/compare/approve-crawl.ts';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { documentOf, prose } from '../../support/audited-site.ts';
import { storeComparedSite, toldBy } from '../../support/compared-sites.ts';

const NAV = '<a href="/">Start</a> <a href="/about">About</a> <a href="/blog/one">One</a>';
const page = (title: string, body = ''): string => documentOf(`${NAV}${prose(title)}${body}`, { title });
const PAGES = { '/': page('The harbour'), '/about': page('About'), '/blog/one': page('One') };
const CHANGED = {
  '/': page('The harbour'),
  '/about': page('About us').replace('About us. The', 'About. The'),
  '/blog/one': page('One', '<p>A second thought.</p>'),
  '/blog/two': page('Two'),
};

describe('a baseline', () => {
  it('is compared as the crawl is that it was made of', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    await using now = await storeComparedSite({ pages: CHANGED, origin: 'http://127.0.0.1:4001' });
    const folder = join(old.base, 'baseline');
    const { pages, bytes } = await approveCrawl(old.folder, folder);
    expect(pages).toBe(3);
    expect(bytes).toBeLessThan(12_000);
    expect((await readdir(folder)).toSorted()).toEqual(['baseline.json', 'pages.jsonl']);
    const [byFolder, byBaseline] = [await diffCrawls(old.folder, now.folder), await diffCrawls(folder, now.folder)];
    expect(toldBy(byFolder).length).toBeGreaterThan(3);
    expect(byBaseline.findings).toEqual(byFolder.findings);
    expect(byBaseline.against).toMatchObject({ kind: 'baseline', folder });
    expect(toldBy(await diffCrawls(folder, old.folder))).toEqual([]);
  });

  it('has the same bytes for the same crawl, and takes what is approved of another', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    await using now = await storeComparedSite({ pages: CHANGED });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const first = await readFile(join(folder, 'pages.jsonl'), 'utf8');
    expect((await approveCrawl(old.folder, folder)).changed).toBe(0);
    expect(await readFile(join(folder, 'pages.jsonl'), 'utf8')).toBe(first);
    const rulesLeft = async (only: readonly string[]): Promise<readonly string[]> => {
      await approveCrawl(now.folder, folder, { only });
      return (await diffCrawls(folder, now.folder)).findings.map(({ rule, url }) => `${rule} ${new URL(url).pathname}`);
    };
    expect(await rulesLeft(['title'])).toEqual([
      'changed-meta /about',
      'changed-meta /about',
      'changed-text /about',
      'changed-text /blog/one',
      'added-page /blog/two',
    ]);
    expect(await rulesLeft(['/about'])).toEqual(['changed-text /blog/one', 'added-page /blog/two']);
    expect(await rulesLeft(['text', 'https://example.org/blog/*'])).toEqual(['added-page /blog/two']);
    expect(await rulesLeft(['pages'])).toEqual([]);
  });

  it('is refused where it is none, and nothing is written where a crawl may not be one', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    await using half = await storeComparedSite({ pages: PAGES, crawl: { state: 'interrupted', end: 'interrupted' } });
    const folder = join(old.base, 'baseline');
    await expect(approveCrawl(half.folder, folder)).rejects.toThrow(/is half a crawl \(interrupted\)/);
    await expect(approveCrawl(old.folder, folder, { only: ['title'] })).rejects.toThrow(/there is no baseline in/);
    await expect(approveCrawl(old.folder, old.base)).rejects.toThrow(/is no baseline, and not empty/);
    await expect(diffCrawls(folder, old.folder)).rejects.toThrow(/holds no crawl: there is no crawl\.json in it/);
    expect(await readdir(old.base)).not.toContain('baseline');
    await approveCrawl(old.folder, folder);
    await expect(diffCrawls(old.folder, folder)).rejects.toThrow(
      /is a baseline, and what is compared with one is a crawl/,
    );
    await expect(approveCrawl(old.folder, folder, { only: ['tittle'] })).rejects.toThrow(
      /--only: "tittle" is no facet and no page of the crawl\nAccepted: pages, status/,
    );
    const head = await readFile(join(folder, 'baseline.json'), 'utf8');
    await writeFile(join(folder, 'baseline.json'), head.replace('"format": 1', '"format": 2'));
    await expect(diffCrawls(folder, old.folder)).rejects.toThrow(/a baseline of format 2/);
    await writeFile(join(folder, 'baseline.json'), head);
    await writeFile(join(folder, 'pages.jsonl'), '<<<<<<< HEAD\n');
    await expect(diffCrawls(folder, old.folder)).rejects.toThrow(/pages\.jsonl, line 1 is no page/);
  });
});
