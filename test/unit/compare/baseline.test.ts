import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approveCrawl } from '../../../src/compare/approve-crawl.ts';
import { BASELINE_FILE, PAGES_FILE, readApproved, type BaselinePage } from '../../../src/compare/baseline-site.ts';
import { baselineTexts } from '../../../src/compare/baseline-text.ts';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { noiseText, readNoise } from '../../../src/compare/noise-file.ts';
import { documentOf, prose, type SitePage } from '../../support/audited-site.ts';
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

  it('of two hosts tells of removed and added pages as the crawl does', async () => {
    const seeds = ['https://example.org/', 'https://blog.example.org/'];
    const blog = 'https://blog.example.org/';
    const crawl = { seeds, state: 'finished', end: 'all-visited' };
    const home = (...links: readonly string[]): string =>
      documentOf(`${links.map((link) => `<a href="${link}">x</a> `).join('')}${prose('Blog')}`, { title: 'Blog' });
    const before = { ...PAGES, [blog]: home(`${blog}one`), [`${blog}one`]: page('First'), '/old': page('Old') };
    const after = { ...PAGES, [blog]: home(`${blog}two`), [`${blog}two`]: documentOf('Second', { title: 'Second' }) };
    await using old = await storeComparedSite({ pages: before, crawl });
    await using now = await storeComparedSite({ pages: after, crawl });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const told = toldBy(await diffCrawls(old.folder, now.folder));
    expect(told.map((text) => text.split(':', 1)[0])).toEqual(['removed-page', 'removed-page', 'added-page']);
    expect(toldBy(await diffCrawls(folder, now.folder))).toEqual(told);
  });

  it('of a preview host is compared by mapped origins, too', async () => {
    const [preview, other] = ['https://preview.example.net', 'https://preview-2.example.net'];
    const data = '<script type="application/ld+json">{"@type":"Event","url":"https://example.org/about"}</script>';
    const at = (origin: string): Record<string, string | SitePage> => ({
      '/': documentOf(`${NAV}<a href="https://example.org/about">x</a>${data}${prose('Home')}`, { title: 'Home' }),
      '/about': documentOf(`${NAV}<img src="https://example.org/a.png">${prose('About')}`, {
        title: 'About',
        head: '<link rel="canonical" href="https://example.org/about">',
      }),
      '/blog/one': documentOf(`${NAV}<a href="${origin}/about">x</a>${prose('One')}`, { title: 'One' }),
      '/old': { redirect: 'https://example.org/about' },
    });
    await using old = await storeComparedSite({ pages: at(preview), origin: preview });
    await using now = await storeComparedSite({ pages: at(other), origin: other });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const map = [`${preview}=https://example.org`, `${other}=https://example.org`];
    expect(toldBy(await diffCrawls(old.folder, now.folder, { map }))).toEqual([]);
    expect(toldBy(await diffCrawls(folder, now.folder, { map }))).toEqual([]);
  });

  it('takes over with --only pages that one is gone or has moved, and not what else an address answers', async () => {
    const long = 'Boats of oak and of larch lie in the old harbour, and their owners mend the nets. '.repeat(3);
    const [moved, one] = [documentOf(long, { title: 'Boats' }), page('One')];
    const before = {
      '/': page('The harbour'),
      '/about': page('About'),
      '/blog/one': one,
      '/boats': moved,
      '/fine': one,
    };
    const after = {
      ...{ '/': page('The harbour'), '/about': { status: 404 }, '/blog/one': { redirect: '/' } },
      ...{ '/boats': { redirect: '/ships' }, '/ships': moved, '/fine': { html: one, status: 203 } },
    };
    await using old = await storeComparedSite({ pages: before });
    await using now = await storeComparedSite({ pages: after });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const rules = async (): Promise<readonly string[]> =>
      (await diffCrawls(folder, now.folder)).findings.map(({ rule, url }) => `${rule} ${new URL(url).pathname}`);
    const others = ['changed-status /blog/one', 'changed-status /fine'];
    expect((await rules()).toSorted()).toEqual([...others, 'moved-page /ships', 'removed-page /about']);
    await approveCrawl(now.folder, folder, { only: ['pages', '/about'] });
    expect((await rules()).toSorted()).toEqual([...others, 'moved-page /ships']);
    await approveCrawl(now.folder, folder, { only: ['pages'] });
    expect((await rules()).toSorted()).toEqual(others);
  });

  it('keeps with --only the contents of a page whose address shows none now: a page that moved, or failed', async () => {
    const long = 'Boats of oak and of larch lie in the old harbour, and their owners mend the nets. '.repeat(3);
    const moved = documentOf(long, { title: 'Boats' });
    const before = { '/': page('The harbour'), '/about': page('About'), '/boats': moved };
    const after = {
      ...{ '/': page('The harbour'), '/about': { outcome: 'http-error', status: 503 } as const },
      ...{ '/boats': { status: 404 }, '/ships': moved },
    };
    await using old = await storeComparedSite({ pages: before });
    await using now = await storeComparedSite({ pages: after });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const told = toldBy(await diffCrawls(folder, now.folder));
    const pages = await readFile(join(folder, PAGES_FILE), 'utf8');
    const only = ['text', 'title', 'meta', 'canonical', 'robots', 'links', 'files', 'structured-data', 'weight'];
    expect((await approveCrawl(now.folder, folder, { only })).changed).toBe(0);
    expect(await readFile(join(folder, PAGES_FILE), 'utf8')).toBe(pages);
    expect(toldBy(await diffCrawls(folder, now.folder))).toEqual(told);
    expect(told.some((text) => text.startsWith('moved-page: /boats is at /ships now'))).toBe(true);
    expect(toldBy(await diffCrawls(folder, old.folder))).toEqual([]);
  });

  it('has no error pages that only guesses name, and those that it has are no difference', async () => {
    const lost = documentOf('<a href="/">Start</a><h1>Page not found</h1><p>We could not find it.</p>', {
      title: 'Page not found',
    });
    const pages = { ...PAGES, '/404.html': { html: lost, confidence: 'low' } as const };
    await using old = await storeComparedSite({ pages: PAGES });
    await using now = await storeComparedSite({ pages });
    const folder = join(old.base, 'baseline');
    for (const { folder: crawl } of [old, now]) {
      await approveCrawl(crawl, folder);
      expect([...(await readApproved(folder)).pages.keys()].toSorted()).toEqual(['/', '/about', '/blog/one']);
      for (const other of [old, now]) expect(toldBy(await diffCrawls(folder, other.folder))).toEqual([]);
    }
    const approved = await readApproved(folder);
    const about = approved.pages.get('/about') as BaselinePage;
    const kept = new Map([...approved.pages, ['/404.html', { ...about, address: '/404.html' }]]);
    const texts = baselineTexts({ ...approved, pages: kept });
    await writeFile(join(folder, BASELINE_FILE), texts.head);
    await writeFile(join(folder, PAGES_FILE), texts.pages);
    const rules = (await diffCrawls(folder, now.folder)).findings.map(({ rule }) => rule);
    expect(rules).not.toContain('removed-page');
  });

  it('has the versions in other languages, says nothing of them where it has none, and takes them with their facet', async () => {
    const named = (path: string): string => `<link rel="alternate" hreflang="de" href="${path}">`;
    const at = (path: string): { pages: typeof PAGES } => ({
      pages: { ...PAGES, '/': PAGES['/'].replace('</head>', `${named(path)}</head>`) },
    });
    await using old = await storeComparedSite(at('/de/'));
    await using now = await storeComparedSite(at('https://example.de/'));
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const told = ['changed-meta: The version for de was “/de/”, and is “example.de/”'];
    expect(toldBy(await diffCrawls(folder, old.folder))).toEqual([]);
    expect(toldBy(await diffCrawls(folder, now.folder))).toEqual(told);
    expect(toldBy(await diffCrawls(folder, now.folder, { map: ['https://example.de=https://example.org'] }))).toEqual([
      'changed-meta: The version for de was “/de/”, and is “/”',
    ]);
    await approveCrawl(now.folder, folder, { only: ['canonical'] });
    expect(toldBy(await diffCrawls(folder, now.folder))).toEqual(told);
    await approveCrawl(now.folder, folder, { only: ['meta'] });
    expect(toldBy(await diffCrawls(folder, now.folder))).toEqual([]);
    const lines = await readFile(join(folder, PAGES_FILE), 'utf8');
    await writeFile(join(folder, PAGES_FILE), lines.replaceAll(/"alternates":\[[^\]]*\],/g, ''));
    expect(toldBy(await diffCrawls(folder, old.folder))).toEqual([]);
  });

  it('takes over what robots.txt forbids with the pages or the facet that are approved', async () => {
    const skip = { reason: 'disallowed-by-robots' as const, rule: 'Disallow: /about (line 2)', referrer: null };
    const { '/about': _about, ...rest } = PAGES;
    await using old = await storeComparedSite({ pages: PAGES });
    await using now = await storeComparedSite({
      pages: rest,
      skipped: [{ url: 'https://example.org/about', ...skip }],
    });
    const told = ['changed-robots: robots.txt did not forbid it, and forbids it now: Disallow: /about'];
    const back = ['changed-robots: robots.txt forbade it, and does not forbid it now'];
    for (const only of [[], ['robots'], ['/about'], ['robots', '/about']]) {
      const folder = join(old.base, 'baseline');
      await approveCrawl(old.folder, folder);
      for (const other of [['title'], ['pages'], ['/blog/*'], ['robots', '/blog/*']]) {
        await approveCrawl(now.folder, folder, { only: other });
        expect(toldBy(await diffCrawls(folder, now.folder))).toEqual(told);
      }
      await approveCrawl(now.folder, folder, { only });
      expect(toldBy(await diffCrawls(folder, now.folder))).toEqual([]);
      expect(toldBy(await diffCrawls(folder, old.folder))).toEqual(back);
      await approveCrawl(old.folder, folder, { only });
      expect(toldBy(await diffCrawls(folder, old.folder))).toEqual([]);
    }
  });

  it('keeps its noise where a part of a crawl with noise of its own is approved', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    await using now = await storeComparedSite({ pages: CHANGED });
    const folder = join(old.base, 'baseline');
    const [own, other] = [
      { facet: 'text', address: '/', passage: 'Stock: *' },
      { facet: 'links', address: '/about', passage: '/ad/*' },
    ] as const;
    await writeFile(join(old.folder, 'noise.json'), noiseText([own]));
    await writeFile(join(now.folder, 'noise.json'), noiseText([other]));
    await approveCrawl(old.folder, folder);
    await approveCrawl(now.folder, folder, { only: ['title'] });
    expect(await readNoise(folder)).toEqual([other, own]);
    await approveCrawl(now.folder, folder);
    expect(await readNoise(folder)).toEqual([other]);
  });

  describe('takes the findings that are approved, by page and facet', () => {
    const found = (rule: string, place: string, id: string): object => ({
      ...{ id: id.repeat(16), rule, severity: 'error', confidence: 'high', url: `https://example.org${place}` },
      ...{ target: null, message: `${rule} on ${place}`, evidence: {}, group: rule, sources: { count: 0, first: [] } },
    });
    const before = [
      found('broken-link', '/', '0'),
      found('axe-image-alt', '/', '1'),
      found('axe-region', '/about', '2'),
      found('broken-link', '/blog/one', '3'),
      found('dead-end', '/old', '4'),
    ];
    const after = [
      found('broken-link', '/', '0'),
      found('broken-link', '/', 'a'),
      found('axe-image-alt', '/', 'b'),
      found('axe-region', '/', 'c'),
      found('broken-link', '/blog/one', 'd'),
      found('axe-region', '/blog/one', 'e'),
    ];
    const approved = async (
      only: readonly string[],
      [one, other]: readonly [readonly object[] | null, readonly object[] | null] = [before, after],
    ): Promise<readonly string[]> => {
      const audited = (findings: readonly object[] | null): object => (findings === null ? {} : { findings });
      await using old = await storeComparedSite({ pages: { ...PAGES, '/old': page('Old') }, ...audited(one) });
      await using now = await storeComparedSite({ pages: PAGES, ...audited(other) });
      const folder = join(old.base, 'baseline');
      await approveCrawl(old.folder, folder);
      await approveCrawl(now.folder, folder, { only });
      const { head, pages } = await readApproved(folder);
      const ids = head.findings?.map(({ id }) => id.slice(0, 1)).toSorted() ?? ['not audited'];
      return pages.has('/old') ? ids : [...ids, 'without /old'];
    };

    it.each([
      [['accessibility'], ['0', '3', '4', 'b', 'c', 'e']],
      [['findings'], ['0', '1', '2', 'a', 'd']],
      [
        ['findings', 'accessibility'],
        ['0', 'a', 'b', 'c', 'd', 'e'],
      ],
      [
        ['findings', '/blog/*'],
        ['0', '1', '2', '4', 'd'],
      ],
      [['/blog/one'], ['0', '1', '2', '4', 'd', 'e']],
      [['title'], ['0', '1', '2', '3', '4']],
      [['/old'], ['0', '1', '2', '3', 'without /old']],
    ])('with --only %j', async (only, ids) => {
      expect(await approved(only)).toEqual(ids);
    });

    it('and those of axe-core alone of a crawl that asked it for the first time, not of a single page', async () => {
      const options = { seeds: ['https://example.org/'] };
      await using old = await storeComparedSite({ pages: PAGES, findings: [], crawl: { options } });
      const asked = { options: { ...options, audit: true, axe: 'all' } };
      await using now = await storeComparedSite({ pages: PAGES, findings: after, crawl: asked });
      const folder = join(old.base, 'baseline');
      await approveCrawl(old.folder, folder);
      for (const [only, ids, axe] of [
        [['/'], ['0', 'a'], 'not given'],
        [['accessibility'], ['0', 'a', 'b', 'c', 'e'], 'all'],
      ] as const) {
        await approveCrawl(now.folder, folder, { only });
        const { findings, settings } = (await readApproved(folder)).head;
        expect(findings?.map(({ id }) => id.slice(0, 1)).toSorted()).toEqual(ids);
        expect(settings['--axe']).toBe(axe);
      }
    });

    it('and keeps those of rules on the whole site where the crawl was cut', async () => {
      const whole = { state: 'finished', end: 'all-visited' };
      const findings = [found('orphan-page', '/about', '0'), found('broken-link', '/', '1')];
      await using old = await storeComparedSite({ pages: PAGES, findings, crawl: whole });
      await using cut = await storeComparedSite({ pages: PAGES, findings: [], crawl: { ...whole, end: 'page-limit' } });
      const folder = join(old.base, 'baseline');
      await approveCrawl(old.folder, folder);
      await approveCrawl(cut.folder, folder, { only: ['findings'] });
      expect((await readApproved(folder)).head.findings?.map(({ rule }) => rule)).toEqual(['orphan-page']);
    });

    it('and keeps what the crawl says nothing of, for it was not audited, or shows on another page', async () => {
      expect(await approved(['findings'], [before, null])).toEqual(['0', '1', '2', '3', '4']);
      expect(await approved(['/'], [null, after])).toEqual(['not audited']);
      expect(await approved(['/'], [before, [found('broken-link', '/about', '0')]])).toEqual(['0', '2', '3', '4']);
    });
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

  it('is replaced as a whole where it cannot be read and stands alone', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const head = await readFile(join(folder, BASELINE_FILE), 'utf8');
    await writeFile(join(folder, BASELINE_FILE), head.replace('"seeds"', '<<<<<<< HEAD\n"seeds"'));
    await expect(approveCrawl(old.folder, folder, { only: ['title'] })).rejects.toThrow(/without --only/);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await expect(approveCrawl(old.folder, folder)).rejects.toThrow(/not empty: there is notes\.txt in it/);
    await rm(join(folder, 'notes.txt'));
    expect(await approveCrawl(old.folder, folder)).toMatchObject({ pages: 3, changed: 3, isNew: false });
    expect(await readFile(join(folder, BASELINE_FILE), 'utf8')).toBe(head);
    for (const [content, refusal] of [
      [head.replace('"format": 1', '"format": 2'), /a baseline of format 2/],
      ['{"format": 1, "measured": []}', /nothing in it says that approve wrote it/],
    ] as const) {
      await writeFile(join(folder, BASELINE_FILE), content);
      await expect(approveCrawl(old.folder, folder)).rejects.toThrow(refusal);
      expect(await readFile(join(folder, BASELINE_FILE), 'utf8')).toBe(content);
    }
  });

  it('of a large site can be read: pages have the texts in full that are too many to share, and always the same ones', async () => {
    await using old = await storeComparedSite({ pages: PAGES });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder);
    const { head, pages: few } = await readApproved(folder);
    const [first] = few.values();
    if (first === undefined) throw new Error('no page');
    const numbered = (word: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${word} ${index}`);
    const lists = { text: numbered('line', 30_000), links: numbered('/long-address', 60_000) };
    const all = ['/a', '/b', '/c', '/d'].map((address): BaselinePage => ({ ...first, ...lists, address }));
    const by = (some: readonly BaselinePage[]): ReadonlyMap<string, BaselinePage> =>
      new Map(some.map((each) => [each.address, each]));
    const texts = baselineTexts({ head, pages: by(all) });
    expect(baselineTexts({ head, pages: by(all.toReversed()) })).toEqual(texts);
    await writeFile(join(folder, BASELINE_FILE), texts.head);
    await writeFile(join(folder, PAGES_FILE), texts.pages);
    const read = await readApproved(folder);
    expect(read.pages).toEqual(by(all));
    expect(read.head.shared).toHaveLength(50_000);
    expect(read.head.shared.filter((each) => each.startsWith('line'))).toEqual([]); // links save more
  });
});
