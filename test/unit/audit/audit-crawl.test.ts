import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditCrawl, type AuditOptions } from '../../../src/audit/audit-crawl.ts';
import { compareWithBaseline } from '../../../src/core/gates/baseline.ts';
import { lockCrawlFolder } from '../../../src/crawl-folder/crawl-folder.ts';
import type { SkippedRecord } from '../../../src/model/record.ts';
import type { PageRule } from '../../../src/model/audit-rule.ts';
import { documentOf, prose, storeSite, type AuditedSiteParts, type SitePage } from '../../support/audited-site.ts';

const nav = '<a href="/">Start</a> <a href="/about">About</a>';
const page = (title: string, body = ''): string => documentOf(`${nav}${prose(title)}${body}`, { title });
const faulty = '<img src="/map.png"><a href="/gone">Old</a><a href="#nowhere">Place</a>';
const SITE: AuditedSiteParts = {
  pages: { '/': page('The harbour', faulty), '/about': page('About', faulty), '/gone': {} },
};

describe('a crawl folder', () => {
  it('is read whose crawl had a password, which is not kept', async () => {
    const options = {
      seeds: ['https://example.org/'],
      httpAuth: ['(redacted)@example.org'],
      headers: ['X-A: (redacted)'],
    };
    await using site = await storeSite({ ...SITE, crawl: { options } });
    expect((await auditCrawl(site.folder, { only: ['broken-link'] })).findings).toHaveLength(1);
  });
});

describe('an audit', () => {
  it('names the spaces that the crawl held back, for its reports', async () => {
    const trap = { pattern: 'https://example.org/calendar/0', rule: 'trap', fetched: 50, held: 9, why: 'alike' };
    await using held = await storeSite({ ...SITE, crawl: { suspectedTraps: [trap] } });
    expect((await auditCrawl(held.folder)).suspectedTraps).toEqual([trap]);
    await using whole = await storeSite(SITE);
    expect(await auditCrawl(whole.folder)).not.toHaveProperty('suspectedTraps');
  });
});

describe('an audit of a site that shows no page', () => {
  it('says nothing of what was not recorded of pages', async () => {
    await using down = await storeSite({ pages: { '/': { outcome: 'unreachable', status: null } }, details: false });
    expect((await auditCrawl(down.folder)).notes.join()).not.toContain('crawl --audit');
    await using up = await storeSite({ ...SITE, details: false });
    expect((await auditCrawl(up.folder)).notes.join()).toContain('crawl --audit');
  });
});

describe('findings', () => {
  it('are one for a thing that a layout shows on all pages, with every page counted and the first listed', async () => {
    const pages: Record<string, AuditedSiteParts['pages'][string]> = { '/gone': {} };
    const footer = '<footer id="foot"><a href="/gone">Imprint</a></footer>';
    for (let number = 0; number < 60; number += 1) pages[`/p${number}`] = page(`Page ${number}`, footer);
    await using site = await storeSite({
      pages: { '/': page('The harbour', footer), '/about': page('About', footer), ...pages },
    });
    const { findings } = await auditCrawl(site.folder, { only: ['broken-link'] });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      target: 'https://example.org/gone',
      url: 'https://example.org/',
      group: 'broken-link /',
      evidence: { request: 'GET https://example.org/gone 404' },
      sources: { count: 62 },
    });
    expect(findings[0]?.sources.first).toHaveLength(20);
    expect(findings[0]?.sources.first[0]).toEqual({
      url: 'https://example.org/',
      selector: '#foot > a',
      text: 'Imprint',
    });
  });

  it('of a page template are one group', async () => {
    const bare = (title: string): string => documentOf(`${nav}${prose(title)}`, { title, description: '' });
    await using site = await storeSite({
      pages: {
        '/': page('The harbour'),
        '/blog/one': bare('One'),
        '/blog/another': bare('Another'),
        '/about': bare('About'),
      },
    });
    const { findings } = await auditCrawl(site.folder, { only: ['missing-description'] });
    expect(findings.map(({ group }) => group).toSorted()).toEqual([
      'missing-description /*',
      'missing-description /blog/*',
      'missing-description /blog/*',
    ]);
  });

  it('are lines of findings.jsonl, the same as those given back, and another audit replaces them', async () => {
    await using site = await storeSite(SITE);
    const { findings } = await auditCrawl(site.folder);
    const stored = async (): Promise<readonly unknown[]> =>
      (await readFile(join(site.folder, 'findings.jsonl'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    expect(await stored()).toEqual(findings);
    expect(findings.length).toBeGreaterThan(2);
    const again = await auditCrawl(site.folder, { only: ['broken-link'] });
    expect(await stored()).toEqual(again.findings);
  });

  it('have the same ids on another host, in another order, and with another number of pages', async () => {
    const ids = async (parts: AuditedSiteParts, map: readonly string[] = []): Promise<readonly string[]> => {
      await using site = await storeSite(parts);
      return (await auditCrawl(site.folder, { map })).findings.map(({ id }) => id).toSorted();
    };
    const first = await ids(SITE);
    expect(first.length).toBeGreaterThan(3);
    expect(new Set(first).size).toBe(first.length);
    expect(await ids({ ...SITE, origin: 'http://127.0.0.1:4000' })).toEqual(first);
    const [home, ...others] = Object.entries(SITE.pages);
    expect(await ids({ ...SITE, pages: Object.fromEntries([home ?? ['', ''], ...others.toReversed()]) })).toEqual(
      first,
    );
    expect(
      await ids({ ...SITE, pages: { ...SITE.pages, '/more': page('More', faulty.split('<a href="#')[0]) } }),
    ).toEqual(first);
  });

  it('keep the host of other origins, unless it is mapped', async () => {
    const parts = (host: string): AuditedSiteParts => ({
      pages: {
        '/': page('The harbour', `<a href="${host}/gone">Old</a>`),
        '/about': page('About'),
        [`${host}/gone`]: {},
      },
    });
    const idOf = async (host: string, map: readonly string[] = []): Promise<readonly string[]> => {
      await using site = await storeSite(parts(host));
      return (await auditCrawl(site.folder, { map, only: ['broken-link'] })).findings.map(({ id }) => id);
    };
    const shop = await idOf('https://shop.example.org');
    expect(await idOf('https://shop-staging.example.org')).not.toEqual(shop);
    expect(
      await idOf('https://shop-staging.example.org', ['https://shop-staging.example.org=https://shop.example.org/']),
    ).toEqual(shop);
  });

  it('take the canonical origin of a folder for its own, and say so', async () => {
    const named = (path: string, title: string): string =>
      documentOf(`${nav}${prose(title)}`, { title, head: `<link rel="canonical" href="https://example.org${path}">` });
    await using site = await storeSite({
      origin: 'http://127.0.0.1:4000',
      pages: {
        '/': named('/', 'The harbour'),
        '/about': named('/gone', 'About'),
        '/market': named('/market', 'Market'),
        '/gone': {},
      },
    });
    const { findings, notes } = await auditCrawl(site.folder, { except: ['orphan-page'] });
    expect(findings.map(({ rule, target }) => ({ rule, target }))).toEqual([
      { rule: 'broken-canonical', target: 'http://127.0.0.1:4000/gone' },
    ]);
    expect(notes.join()).toContain('https://example.org');
  });

  it('take the folder that canonical addresses name for that of the crawl: a build of a site that lies below a path', async () => {
    const named = (path: string, title: string): string => {
      const head = `<link rel="canonical" href="https://example.org/town/guide${path}">`;
      return documentOf(`${nav}${prose(title)}`, { title, head });
    };
    await using site = await storeSite({
      origin: 'http://127.0.0.1:4000',
      pages: {
        '/': named('/', 'The harbour'),
        '/about': named('/gone', 'About'),
        '/market': named('/market', 'Market'),
        '/gate': named('/gate', 'Gate'),
        '/walls': named('/walls', 'Walls').replace('/town/guide/walls"', '/town/guides/walls"'),
        '/gone': {},
      },
    });
    const { findings, notes } = await auditCrawl(site.folder, { except: ['orphan-page'] });
    expect(findings.map(({ rule, target }) => ({ rule, target }))).toEqual([
      { rule: 'broken-canonical', target: 'http://127.0.0.1:4000/gone' },
      { rule: 'canonical-elsewhere', target: 'https://example.org/town/guides/walls' },
    ]);
    expect(notes.join()).toContain('https://example.org/town/guide');
  });

  it('take the place of canonical addresses for their own though half of the pages name the first one of a list', async () => {
    const named = (path: string): string => {
      const head = `<link rel="canonical" href="https://example.org/guide${path}">`;
      return documentOf(`${nav}${prose(`Page ${path}`)}`, { title: `Page ${path}`, head });
    };
    const pages = {
      '/': named('/'),
      '/about': named('/about'),
      '/about/2': named('/about'),
      '/about/3': named('/about'),
    };
    await using site = await storeSite({ origin: 'http://127.0.0.1:4000', pages });
    const { findings } = await auditCrawl(site.folder, { only: ['canonical-elsewhere'] });
    expect(findings).toEqual([]);
  });

  it.each([
    ['', '1 address that the site names at https://example.org was not visited'],
    ['/town', '1 address that the site names at https://example.org/town was not visited'],
  ])('tell that a build links to its pages where it is to be published: "%s"', async (folder, note) => {
    const at = (path: string): string => `https://example.org${folder}${path}`;
    const head = (path: string): string => `<link rel="canonical" href="${at(path)}">`;
    const out = (url: string): SkippedRecord => ({ url, reason: 'out-of-scope', rule: 'host', referrer: null });
    await using site = await storeSite({
      origin: 'http://127.0.0.1:4000',
      pages: {
        '/': documentOf(`${nav}${prose('Town')}<a href="${at('/walls')}">Walls</a>`, {
          title: 'Town',
          head: head('/'),
        }),
        '/about': documentOf(`${nav}${prose('About')}`, { title: 'About', head: head('/about') }),
      },
      skipped: [out(at('/about')), out(at('/walls')), out('https://other.example/')],
    });
    const { notes } = await auditCrawl(site.folder);
    expect(notes.filter((text) => text.includes('not visited')).join()).toContain(note);
  });

  it('say "not sure" of what a script may still make', async () => {
    const withScript = page('The harbour', '<a href="/about#late">Late</a>');
    const scripted = page('About', '<script src="/late.js"></script>');
    const broken = async (rendered: boolean): Promise<unknown> => {
      await using site = await storeSite({ pages: { '/': withScript, '/about': { html: scripted, rendered } } });
      return (await auditCrawl(site.folder)).findings.map(({ severity, confidence }) => ({ severity, confidence }));
    };
    expect(await broken(true)).toEqual([{ severity: 'warning', confidence: 'high' }]);
    expect(await broken(false)).toEqual([{ severity: 'notice', confidence: 'low' }]);
  });

  it.each([
    ['the top of a page', '<a href="#">a</a><a href="/about#top">b</a><a href="#Top">c</a>'],
    ['a text in a page', '<a href="/about#:~:text=harbour">a</a>'],
    ['a route of an application', '<a href="#/inbox">a</a><a href="/about#!inbox">b</a><a href="#?q=b">c</a>'],
    ['a button that is written as a link', '<a href="#menu" role="button">a</a><a href="#m" data-toggle="tab">b</a>'],
    ['a place whose name is encoded', '<h2 id="größe">G</h2><a href="#gr%C3%B6%C3%9Fe">a</a><a href="#größe">b</a>'],
    ['a named anchor', '<a name="old"></a><a href="#old">a</a>'],
    ['a page behind a redirect', '<a href="/moved#place">a</a>'],
  ])('are none for links to %s', async (_name, body) => {
    const about = page('About', '<p id="place">Here</p>');
    await using site = await storeSite({
      pages: { '/': page('The harbour', body), '/about': about, '/moved': { redirect: '/about' } },
    });
    expect((await auditCrawl(site.folder)).findings.map(({ message }) => message)).toEqual([]);
  });

  it('say nothing of documents that may be pieces of pages', async () => {
    const bare = '<p>Fish of the day</p>';
    await using site = await storeSite({
      pages: {
        '/': page('The harbour'),
        '/about': page('About'),
        '/framed': bare,
        '/loaded': bare,
        '/opened': page('Opened by a script'),
        '/partial': { html: bare, confidence: 'low' },
        '/lost': { html: documentOf('<h1>Not found</h1>', { title: 'Not found' }), confidence: 'low' },
        '/route': { html: page('A route'), confidence: 'low' },
      },
      links: [
        { from: '/', to: '/framed', kind: 'frame', context: 'iframe/@src' },
        { from: '/', to: '/loaded', kind: 'attribute', context: 'div/@hx-get' },
        { from: '/', to: '/opened', kind: 'attribute', context: 'tr/@data-href' },
        { from: '/', to: '/partial', kind: 'script', confidence: 'low' },
        { from: '/', to: '/lost', kind: 'script', confidence: 'low' },
        { from: '/', to: '/route', kind: 'script', confidence: 'low' },
      ],
    });
    const { findings, coverage } = await auditCrawl(site.folder);
    expect(findings.map(({ message }) => message)).toEqual([]);
    expect(coverage).toMatchObject({ seen: 7, judged: 4, notJudged: { part: 3 } });
  });

  it('are none of a place that might have been a route of a script, and shows the page itself', async () => {
    const html = page('The harbour').replace('</body>', '<a href="/gone">gone</a></body>');
    const same = { html, confidence: 'low', duplicateOf: 'https://example.org/' } as const;
    await using site = await storeSite({
      pages: { '/': html, '/about': page('About'), '/#place': same, '/gone': {} },
      links: [{ from: '/', to: '/#place', kind: 'anchor', confidence: 'low' }],
    });
    const { findings, coverage } = await auditCrawl(site.folder);
    expect(findings.map(({ rule, sources }) => [rule, sources.count])).toEqual([['broken-link', 1]]);
    expect(coverage).toMatchObject({ expected: 3, seen: 3, judged: 2 });
  });

  it('are none of broken links for guesses, and for links of an error page', async () => {
    await using site = await storeSite({
      pages: {
        '/': page('The harbour'),
        '/about': page('About'),
        '/guess': { confidence: 'low' },
        '/lost': documentOf(`${nav}<h1>Page not found</h1><a href="/gone">x</a>`, { title: 'Not found' }),
        '/gone': {},
      },
      links: [
        { from: '/', to: '/guess', kind: 'text', confidence: 'low' },
        { from: '/', to: '/guess', kind: 'script' },
        { from: '/', to: '/lost' },
      ],
    });
    const { findings, coverage } = await auditCrawl(site.folder);
    expect(findings.map(({ rule }) => rule)).toEqual(['soft-404']);
    expect(coverage).toMatchObject({ seen: 4, judged: 2, notJudged: { 'error-page': 1, 'soft-404': 1 } });
  });

  it('are those of a captured route to which an anchor leads, but of no guess without a title', async () => {
    const bare = { html: documentOf(`${nav}${prose('Notes')}`, { title: '' }), confidence: 'low' } as const;
    await using site = await storeSite({
      pages: { '/': page('The harbour'), '/about': page('About'), '/#notes': bare, '/#told': bare },
      links: [
        { from: '/', to: '/#notes', kind: 'anchor', confidence: 'low', context: 'a/@href' },
        { from: '/', to: '/#told', kind: 'text', confidence: 'low' },
      ],
    });
    const { findings } = await auditCrawl(site.folder, { only: ['missing-title'] });
    expect(findings.map(({ url }) => url)).toEqual(['https://example.org/#notes']);
  });

  it('are none of the page for errors of a static site, which only answers of status 404 and itself name', async () => {
    const head = '<link rel="canonical" href="https://example.org/404.html">';
    const lost = documentOf(`${nav}<h1>404</h1><p>Page not found :(</p>`, { title: 'Not found', head });
    await using site = await storeSite({
      pages: { '/': page('The harbour'), '/about': page('About'), '/404.html': { html: lost, confidence: 'low' } },
      links: [
        { from: '/', to: '/404.html', kind: 'link-element', confidence: 'low' },
        { from: '/404.html', to: '/404.html', kind: 'link-element', rel: ['canonical'] },
      ],
    });
    const { findings, coverage } = await auditCrawl(site.folder);
    expect(findings).toEqual([]);
    expect(coverage).toMatchObject({ expected: 2, seen: 2, judged: 2 });
  });
});

describe('a link that failed', () => {
  const failed = { outcome: 'unreachable', status: null } as const;
  it.each<[string, SitePage, readonly string[]]>([
    ['is broken where the page is gone', { status: 410, outcome: 'http-error' }, ['broken-link error high']],
    [
      'is not sure where the server refuses',
      { status: 403, outcome: 'http-error' },
      ['link-target-failed warning low'],
    ],
    [
      'is not sure where the server has too much to do',
      { status: 429, outcome: 'http-error' },
      ['link-target-failed warning low'],
    ],
    [
      'is not sure where no answer came in time',
      { status: null, outcome: 'timed-out' },
      ['link-target-failed warning low'],
    ],
    ['is none where a log-in is asked for', { status: 401, outcome: 'http-error' }, []],
    [
      'is not sure where the host answered for other pages',
      { ...failed, detail: 'connect ECONNREFUSED 192.0.2.1:443' },
      ['link-target-failed warning low'],
    ],
  ])('%s', async (_name, target, expected) => {
    await using site = await storeSite({
      pages: { '/': page('The harbour', '<a href="/x">x</a>'), '/about': page('About'), '/x': target },
    });
    const { findings } = await auditCrawl(site.folder);
    expect(findings.map(({ rule, severity, confidence }) => `${rule} ${severity} ${confidence}`)).toEqual(expected);
  });

  it.each([
    'the name old.example does not exist (ENOTFOUND)',
    'connect ECONNREFUSED 192.0.2.1:443',
    'net::ERR_NAME_NOT_RESOLVED',
  ])('is broken where nobody answers at another host: %s', async (detail) => {
    const away = 'https://old.example/';
    await using site = await storeSite({
      pages: {
        '/': page('The harbour', `<a href="${away}">x</a>`),
        '/about': page('About'),
        [away]: { ...failed, detail },
      },
    });
    expect((await auditCrawl(site.folder)).findings.map(({ rule, target }) => ({ rule, target }))).toEqual([
      { rule: 'broken-link', target: away },
    ]);
  });

  it('is less sure where only a form leads there', async () => {
    await using site = await storeSite({
      pages: { '/': page('The harbour'), '/about': page('About'), '/search': {} },
      links: [{ from: '/', to: '/search', kind: 'form', context: 'form/@action' }],
    });
    expect((await auditCrawl(site.folder)).findings).toMatchObject([
      { rule: 'broken-link', severity: 'warning', confidence: 'medium' },
    ]);
  });
});

describe('the coverage', () => {
  it('says what a crawl that was cut has not seen, and rules about what is missing are silent', async () => {
    const skips = ['/deep', '/deeper'].map(
      (path) => ({ url: `https://example.org${path}`, reason: 'depth', rule: 'depth', referrer: null }) as const,
    );
    const cut: AuditedSiteParts = {
      pages: {
        '/': page('The harbour'),
        '/market': page('The market'),
        '/old': { redirect: '/about' },
        '/about': page('About'),
      },
      sitemap: ['/market'],
      skipped: [...skips, { url: 'https://other.example/', reason: 'out-of-scope', rule: 'host', referrer: null }],
      crawl: { end: 'page-limit', totals: { queued: 7 } },
    };
    await using site = await storeSite(cut);
    const { coverage, findings, notes } = await auditCrawl(site.folder);
    expect(coverage).toEqual({
      expected: 13,
      seen: 4,
      redirected: 1,
      files: 0,
      judged: 3,
      notJudged: {},
      notJudgedPages: [],
      limits: ['the crawl ended early (page-limit): 7 URLs were not visited', '2 URLs beyond --depth'],
    });
    expect(findings).toEqual([]);
    expect(notes).toEqual(['the crawl did not see the whole site: nothing is said of orphan-page, deep-page']);

    await using almost = await storeSite({ ...cut, crawl: { end: 'page-limit', totals: { queued: 1 } } });
    expect((await auditCrawl(almost.folder)).coverage.limits).toContain(
      'the crawl ended early (page-limit): 1 URL was not visited',
    );
  });

  it('expects no error pages that only guesses and one another name, as those of all languages do', async () => {
    const lost = (path: string, title: string): SitePage => ({
      html: documentOf(
        `<a href="/">Start</a><h1>${title}</h1><p>Page not found. We could not find what you look for.</p>`,
        {
          title: 'Page not found',
          head: `<link rel="alternate" hreflang="${path === '/404.html' ? 'de' : 'en'}" href="/other">`,
        },
      ),
      confidence: 'low',
    });
    const pages = {
      '/': page('The harbour', '<a href="/gone">Gone</a>'),
      '/about': page('About'),
      '/gone': { outcome: 'http-error', status: 404 } as const,
      '/404.html': lost('/404.html', 'Page not found'),
      '/de/404.html': lost('/de/404.html', 'Page not found'),
    };
    const alternate = { kind: 'link-element', rel: ['alternate'] } as const;
    const links = [
      { from: '/gone', to: '/404.html', confidence: 'low', ...alternate } as const,
      { from: '/404.html', to: '/de/404.html', ...alternate },
      { from: '/de/404.html', to: '/404.html', ...alternate },
    ];
    await using site = await storeSite({ pages, links });
    const { findings, coverage } = await auditCrawl(site.folder, { only: ['soft-404'] });
    expect(findings).toEqual([]);
    expect(coverage).toMatchObject({ expected: 3, seen: 3, judged: 2 });
    await using named = await storeSite({ pages, links: [...links, { from: '/', to: '/de/404.html' }] });
    const told = (await auditCrawl(named.folder, { only: ['soft-404'] })).findings;
    expect(told.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(['/404.html', '/de/404.html']);
  });

  it('expects no page that only a guess names, such as the path of a rule in robots.txt', async () => {
    const forbidden = ['/admin/', '/cart', '/map'].map(
      (path) =>
        ({
          url: `https://example.org${path}`,
          reason: 'disallowed-by-robots',
          rule: 'Disallow',
          referrer: null,
        }) as const,
    );
    const ruled = { from: '/', kind: 'robots', confidence: 'low', context: 'robots.txt Disallow' } as const;
    await using site = await storeSite({
      pages: { '/': page('The harbour', '<a href="/cart">Cart</a>'), '/about': page('About') },
      skipped: forbidden,
      links: [
        { ...ruled, to: '/admin/' },
        { ...ruled, to: '/cart' },
        { from: '/', to: '/map', kind: 'script', confidence: 'low', context: 'literal' },
      ],
    });
    const { coverage } = await auditCrawl(site.folder);
    expect(coverage).toMatchObject({ expected: 3, seen: 2, judged: 2, limits: ['robots.txt forbids 1 URL'] });
  });

  it('expects no files that were not visited, and no pages of other sites that a sitemap names', async () => {
    const names = ['/hidden', '/_sources/index.rst.txt', 'https://other.example/a', 'https://www.example.org/'];
    const shunned = names.map((to): SkippedRecord => {
      const { href: url } = new URL(to, 'https://example.org/');
      return { url, reason: 'nofollow', rule: 'rel=nofollow', referrer: 'https://example.org/' };
    });
    await using site = await storeSite({
      pages: { '/': page('The harbour', '<a href="/about">About</a>'), '/about': page('About') },
      skipped: shunned,
      links: shunned.map(({ url }) => ({ from: '/', to: url })),
    });
    const { coverage } = await auditCrawl(site.folder, { map: ['https://www.example.org=https://example.org'] });
    expect(coverage).toMatchObject({ expected: 3, seen: 2, judged: 2, limits: ['1 URL linked with nofollow only'] });
  });

  it('is that of a folder whose last line was torn', async () => {
    await using site = await storeSite(SITE);
    const lines = await readFile(join(site.folder, 'pages.jsonl'), 'utf8');
    await writeFile(join(site.folder, 'pages.jsonl'), lines.slice(0, -200));
    const { coverage, notes } = await auditCrawl(site.folder);
    expect(coverage.seen).toBe(2);
    expect(notes.join()).toContain('ends within a line');
  });

  it('counts pages whose snapshot is gone as not judged', async () => {
    await using site = await storeSite(SITE);
    const pages = await readFile(join(site.folder, 'pages.jsonl'), 'utf8');
    await writeFile(join(site.folder, 'pages.jsonl'), pages.replace('snapshots/0.html', 'snapshots/none.html'));
    const { coverage, notes } = await auditCrawl(site.folder);
    expect(coverage.notJudged).toEqual({ 'error-page': 1, 'not-stored': 1 });
    expect(notes.join()).toContain('https://example.org/ is not judged');
  });
});

describe('an accepted finding that is not there', () => {
  const served = { origin: 'http://127.0.0.1:4000', crawl: { served: [{ folder: '/dist', port: 4000 }] } };
  const depth = { url: 'https://example.org/deep', reason: 'depth', rule: 'depth', referrer: null } as const;
  const theirs: PageRule = {
    ...{ id: 'theirs', severity: 'notice', category: 'documents', about: 'page', title: 'A page', why: '', fix: '' },
    source: { name: 'none', url: 'https://example.org/' },
    checkPage({ title }) {
      if (title === 'About') throw new Error('no such field');
      return [];
    },
  };
  const lost = {
    ...{ url: 'https://ads.example/x.js', method: 'GET', type: 'script', status: null, error: 'net::ERR_FAILED' },
    ...{ initiator: null, party: 'third' as const },
  };
  const cutOff = { html: page('The harbour'), behaviour: { failed: { count: 1, first: [lost] } } };

  it.each<[rule: string, what: string, parts: Partial<AuditedSiteParts>, options?: AuditOptions]>([
    ['orphan-page', 'whose crawl did not see the whole site', { skipped: [depth] }],
    ['deep-page', 'whose crawl did not see the whole site', { skipped: [depth] }],
    ['console-error', 'whose crawl recorded no details', { details: false }],
    ['missing-content-type-options', 'whose crawl recorded no details', { details: false }],
    ['missing-content-type-options', 'that was served from a folder', served],
    ['slow-first-byte', 'that was served from a folder', served],
    ['failed-third-party-request', 'of which no other site answered', { pages: { '/': cutOff } }],
    ['theirs', 'on one page of which it threw', {}, { extra: [theirs] }],
    ['console-error', 'that was audited without it', {}, { except: ['console-error'] }],
  ])('of %s stays in an audit of a site %s, and is stale otherwise', async (rule, _what, parts, options = {}) => {
    const standing = async (given: Partial<AuditedSiteParts>, how: AuditOptions): Promise<string> => {
      await using site = await storeSite({ ...SITE, ...given });
      const entry = { id: 'f'.repeat(16), rule, address: '/', message: null, reason: 'known', until: null };
      const result = await auditCrawl(site.folder, how);
      const { stale, unseen } = compareWithBaseline(result, { site: [], accepted: [entry] }, '2026-11-26').comparison;
      return `${stale.length} stale, ${unseen.length} not looked at`;
    };
    expect(await standing(parts, options)).toBe('0 stale, 1 not looked at');
    const sound = { ...theirs, checkPage: () => [] };
    expect(await standing({}, { extra: [sound] })).toBe('1 stale, 0 not looked at');
  });
});

describe('what is asked for', () => {
  it('is refused where it names a rule that is none, with the nearest name', async () => {
    await using site = await storeSite(SITE);
    await expect(auditCrawl(site.folder, { only: ['brokn-link'] })).rejects.toThrow('Did you mean broken-link?');
    await expect(auditCrawl(site.folder, { except: ['xyz'] })).rejects.toThrow('Rules: broken-link,');
  });

  it.each(['https://a.example', 'a=b', 'https://a.example/x=https://b.example'])(
    'is refused where %s maps nothing',
    async (map) => {
      await using site = await storeSite(SITE);
      await expect(auditCrawl(site.folder, { map: [map] })).rejects.toThrow('maps no origin');
    },
  );

  it('is refused for a folder without a crawl, and where findings.jsonl is a link', async () => {
    await using site = await storeSite(SITE);
    await expect(auditCrawl(site.base)).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
    await symlink('/dev/null', join(site.folder, 'findings.jsonl'));
    await expect(auditCrawl(site.folder)).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
  });

  it('is refused while another process writes to the folder', async () => {
    await using site = await storeSite(SITE);
    await using _lock = await lockCrawlFolder(site.folder);
    await expect(auditCrawl(site.folder)).rejects.toMatchObject({ code: 'OUTPUT_IN_USE' });
  });

  it('may be a rule of the caller, and one that throws is told of', async () => {
    const own = (id: string, checkPage: PageRule['checkPage']): PageRule => ({
      id,
      severity: 'notice',
      category: 'documents',
      about: 'page',
      title: 'A page',
      why: 'It is one.',
      fix: 'Nothing.',
      source: { name: 'none', url: 'https://example.org/' },
      checkPage,
    });
    await using site = await storeSite(SITE);
    const { findings, notes } = await auditCrawl(site.folder, {
      only: ['ours', 'theirs'],
      extra: [
        own('ours', ({ title }) => [{ message: title }]),
        own('theirs', () => {
          throw new Error('no such field');
        }),
      ],
    });
    expect(findings.map(({ message }) => message).toSorted()).toEqual(['About', 'The harbour']);
    expect(notes.join()).toContain('theirs could not be applied to all pages: no such field');
  });
});

describe('details of pages', () => {
  const formOf = (field: string): string =>
    documentOf(`<form action="http://example.net/in"><input name="name"><input ${field}></form>`, { title: 'Log in' });

  it('tell of forms and cookies of log-in pages, whose contents are not judged', async () => {
    await using site = await storeSite({
      pages: { '/': page('The harbour'), '/about': page('About'), '/login': formOf('type="password"') },
    });
    const { findings, coverage } = await auditCrawl(site.folder, { only: ['form-over-http', 'missing-h1'] });
    expect(coverage.notJudged).toEqual({ 'log-in-page': 1 });
    expect(findings).toMatchObject([{ rule: 'form-over-http', severity: 'error', target: 'http://example.net/in' }]);
  });

  it('that a crawl has not recorded silence the rules that go by them, and a note names those', async () => {
    await using site = await storeSite({ ...SITE, details: false });
    const { findings, notes, inventory } = await auditCrawl(site.folder);
    expect(notes).toEqual([expect.stringMatching(/\(crawl --audit does\): nothing is said of .*uncaught-exception/)]);
    expect(findings.map(({ rule }) => rule)).not.toContain('missing-content-type-options');
    expect(inventory).toBeUndefined();
  });

  it('say nothing of the server of a folder that was served for the crawl', async () => {
    const origin = 'http://127.0.0.1:4000';
    const bare = { html: page('The harbour'), headers: { 'x-content-type-options': null } };
    const pages = { '/': bare, '/about': page('About') };
    const rules = { only: ['missing-content-type-options'] };
    await using live = await storeSite({ origin, pages });
    expect((await auditCrawl(live.folder, rules)).findings).toHaveLength(1);
    await using served = await storeSite({ origin, pages, crawl: { served: [{ folder: '/dist', port: 4000 }] } });
    const { findings, notes } = await auditCrawl(served.folder, rules);
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      'the site was served from a folder: nothing is said of the headers and times of its server',
    ]);
  });

  it('that are damaged or not ours are passed over and counted', async () => {
    await using site = await storeSite(SITE);
    await writeFile(join(site.folder, 'details.jsonl'), '{"url":"https://example.org/","behaviour":7}\nnonsense\n{"ur');
    const { notes } = await auditCrawl(site.folder, { only: ['uncaught-exception'] });
    expect(notes.join(' ')).toContain('details.jsonl');
  });
});
