import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SitePage } from '../../support/audited-site.ts';
import { approveCrawl } from '../../../src/compare/approve-crawl.ts';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { unseenWords } from '../../../src/core/diff/pages.ts';
import { SKIP_REASONS } from '../../../src/model/record.ts';
import { comparedSites, storeComparedSite, toldBy } from '../../support/compared-sites.ts';

const WORDS =
  'rope anchor mast sail keel rudder oar plank tar hull deck bow stern tide wind wave gull fog lamp pier'.split(' ');

/** A different text for each seed, as long as an article. */
function article(seed: number): string {
  return Array.from(
    { length: 80 },
    (_, at) => WORDS[(seed * 7 + at * (3 + seed) + Math.floor(at / 9)) % WORDS.length],
  ).join(' ');
}

const LINKS = ['/', '/one', '/two', '/three', '/four', '/five'];
const menu = (links: readonly string[]): string => links.map((path) => `<a href="${path}"></a> `).join('');

function page(text: string, links: readonly string[] = LINKS): string {
  return `<!doctype html><html lang="en"><head><title>Boats</title></head><body><nav>${menu(links)}</nav><p>${text}</p></body></html>`;
}

function site(
  links: readonly string[] = LINKS,
  more: Readonly<Record<string, SitePage | string>> = {},
): Record<string, SitePage | string> {
  const pages: Record<string, SitePage | string> = {};
  for (const [index, path] of LINKS.entries()) if (links.includes(path)) pages[path] = page(article(index), links);
  return { ...pages, ...more };
}

/** Makes the crawl one that stored no HTML, or no texts. */
async function keptNo(part: 'html' | 'text', folder: string): Promise<void> {
  const lines = await readFile(join(folder, 'pages.jsonl'), 'utf8');
  const kept = new RegExp(`"${part}":"[^"]*"`, 'g');
  await writeFile(join(folder, 'pages.jsonl'), lines.replaceAll(kept, `"${part}":null`));
}

const without = (path: string): readonly string[] => LINKS.filter((each) => each !== path);

describe('pages', () => {
  it('that no page links to any more are removed, and their links are no difference of their own', async () => {
    expect(toldBy(await comparedSites({ pages: site() }, { pages: site(without('/two')) }))).toEqual([
      'removed-page: /two is not there any more: no page links to it any more',
    ]);
  });

  it('that went with the redirects that led to them, such as short links of their own, are removed', async () => {
    const whole = {
      pages: { ...site(), '/two': page(article(2), [...LINKS, '/?p=2']), '/?p=2': { redirect: '/two' } },
    };
    const less = { pages: site(without('/two')) };
    expect(toldBy(await comparedSites(whole, less))).toEqual([
      'removed-page: /two is not there any more: no page links to it any more',
    ]);
    expect(toldBy(await comparedSites(less, whole))).toEqual(['added-page: /two is new: “Boats”']);
  });

  it('that answer with 404 are removed, those that answer with 503 have failed', async () => {
    const now = site(LINKS, { '/two': { status: 404 }, '/three': { status: 503 } });
    expect(toldBy(await comparedSites({ pages: site() }, { pages: now }))).toEqual([
      'failed-page: /three was a page, and answered with status 503 this time',
      'removed-page: /two is not there any more: it answers with status 404',
    ]);
  });

  it('with a nonce in their address are compared in their links, too', async () => {
    const visit = (text: string): Record<string, string> => ({
      ...site(),
      '/flag?token=a1': page(article(8), LINKS) + text,
    });
    const told = toldBy(await comparedSites({ pages: visit('') }, { pages: visit('<a href="/five?x=1"></a>') }));
    expect(told).toEqual(['changed-links: A new link to /five?x=1']);
  });

  it('with another generated value in their address are the same, as frames are that are asked for anew', async () => {
    const visit = (random: string, token: string, week: string): ReturnType<typeof site> => {
      const frames = `<iframe src="/ad?r=${random}&v=1"></iframe><iframe src="/spot?token=${token}"></iframe>`;
      return {
        ...site(),
        '/six': page(article(6) + frames),
        [`/ad?r=${random}&v=1`]: '<title>Ad</title>',
        [`/spot?token=${token}`]: `<title>Spot</title>Buy ${token}`,
        [`/week?day=${week}`]: page(article(Number(week))),
      };
    };
    const told = await comparedSites(
      { pages: visit('58du1khmdac', 'a', '20261101') },
      { pages: visit('nwpcs8oxgv', 'b', '20261108') },
    );
    expect(toldBy(told)).toEqual([
      'removed-page: /week?day=20261101 is not there any more: no page links to it any more',
      'changed-text: The text changed: Buy [-a-] {+b+}',
      'added-page: /week?day=20261108 is new: “Boats”',
    ]);
  });

  it('whose documents are gone are compared all the same, and a note says so', async () => {
    await using old = await storeComparedSite({ pages: site() });
    await using now = await storeComparedSite({ pages: site(LINKS, { '/two': page('Nothing of that is left here') }) });
    for (const name of await readdir(join(now.folder, 'snapshots')))
      if (name.endsWith('.html')) await rm(join(now.folder, 'snapshots', name));
    const { findings, notes } = await diffCrawls(old.folder, now.folder);
    expect(findings.map(({ rule }) => rule)).toEqual(['changed-text']);
    expect(notes.join(' ')).toMatch(/now: https:\/\/example\.org\/two: /);
  });

  it('whose texts differ by their digests have changed, also where one crawl kept no texts', async () => {
    await using old = await storeComparedSite({ pages: site() });
    await using now = await storeComparedSite({ pages: site(LINKS, { '/two': page('Nothing of that is left here') }) });
    for (const name of await readdir(join(old.folder, 'snapshots')))
      if (name.endsWith('.txt')) await rm(join(old.folder, 'snapshots', name));
    const { findings, notes } = await diffCrawls(old.folder, now.folder);
    expect(findings.map(({ rule, url }) => [rule, url])).toEqual([['changed-text', 'https://example.org/two']]);
    expect(notes).toContain(
      'the texts of 1 page differ, and no passages are shown: crawls keep texts with --snapshot html,text',
    );
  });

  it('without texts have moved, too, where the digests of their texts show it', async () => {
    const links = ['/', '/one', '/boats/two', '/three', '/four', '/five'];
    await using old = await storeComparedSite({ pages: site() });
    await using now = await storeComparedSite({
      pages: { ...site(links), '/boats/two': page(article(2), links) },
    });
    for (const { folder } of [old, now]) await keptNo('text', folder);
    expect(toldBy(await diffCrawls(old.folder, now.folder))).toEqual([
      'moved-page: /two is at /boats/two now; the old address does not redirect there',
    ]);
  });

  it('without HTML are compared in all but their structured data, and a note says so', async () => {
    const stored = {
      ...site(),
      '/two': page(article(2)).replace('<nav>', '<script type="application/ld+json">{"a":1}</script><nav>'),
    };
    await using old = await storeComparedSite({ pages: stored });
    await using now = await storeComparedSite({ pages: site() });
    await keptNo('html', old.folder);
    const { findings, notes } = await diffCrawls(old.folder, now.folder);
    expect(findings).toEqual([]);
    expect(notes).toEqual(['the structured data of 6 pages is not compared: crawls keep HTML with --snapshot html']);
  });

  it('that came are added', async () => {
    expect(toldBy(await comparedSites({ pages: site(without('/two')) }, { pages: site() }))).toEqual([
      'added-page: /two is new: “Boats”',
    ]);
  });

  it('with the same text at another address have moved, with or without a redirect', async () => {
    const links = ['/', '/one', '/boats/two', '/three', '/four', '/five'];
    const now = { ...site(links), '/boats/two': page(article(2), links) };
    expect(toldBy(await comparedSites({ pages: site() }, { pages: now }))).toEqual([
      'moved-page: /two is at /boats/two now; the old address does not redirect there',
    ]);
    const redirecting = { ...now, '/two': { redirect: '/boats/two' } };
    const { findings } = await comparedSites({ pages: site() }, { pages: redirecting });
    expect(findings).toMatchObject([
      { rule: 'moved-page', severity: 'notice', message: '/two is at /boats/two now; the old address redirects there' },
    ]);
  });

  it('that moved are linked to as before where links still lead by their redirect', async () => {
    const now = { ...site(), '/two': { redirect: '/boats/two' }, '/boats/two': page(article(2)) };
    expect(toldBy(await comparedSites({ pages: site() }, { pages: now }))).toEqual([
      'moved-page: /two is at /boats/two now; the old address redirects there',
    ]);
  });

  it('that moved and were edited are compared with their old selves', async () => {
    const links = ['/', '/one', '/boats/two', '/three', '/four', '/five'];
    const now = { ...site(links), '/boats/two': page(article(2).replace(/^\w+ \w+/, 'Two words'), links) };
    const told = toldBy(await comparedSites({ pages: site() }, { pages: now }));
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^changed-text: .*\{\+Two words\+\}/);
    expect(told[1]).toMatch(/^moved-page: \/two is at \/boats\/two now, with \d\d % of its text/);
  });

  it('are counted apart from other addresses that differ', async () => {
    const old = { ...site(without('/two')), '/a': { redirect: '/one' } };
    const now = { ...site(without('/two')), '/a': { redirect: '/three' } };
    const { findings, coverage } = await comparedSites({ pages: old }, { pages: now });
    expect(findings.map(({ rule }) => rule)).toEqual(['changed-redirects']);
    expect(coverage.compared).toEqual({ before: 5, now: 5, both: 5, changed: 0, others: 1 });
  });

  it('that the new crawl would not have seen are no differences: the coverage says why', async () => {
    const cut = { state: 'finished', end: 'page-limit', totals: { queued: 1 } };
    const skip = (path: string, reason: 'depth' | 'out-of-scope') => ({
      ...{ url: `https://example.org${path}`, reason, rule: '', referrer: null },
    });
    const now = site();
    for (const path of ['/two', '/three', '/four']) delete now[path];
    const { findings, coverage } = await comparedSites(
      { pages: site() },
      { pages: now, crawl: cut, skipped: [skip('/two', 'depth'), skip('/three', 'out-of-scope')] },
    );
    expect(findings).toEqual([]);
    expect(coverage.limits).toEqual([
      '1 page of before, /two: beyond --depth',
      '1 page of before, /three: out of the scope',
      '1 page of before, /four: not reached before the crawl ended',
    ]);
    expect(coverage.compared).toEqual({ before: 6, now: 3, both: 3, changed: 0 });
  });

  it('that are error pages which only guesses and one another name are none of the site', async () => {
    const lost = (html: string): SitePage => ({
      html: `<!doctype html><html lang="en"><head><title>Page not found</title></head><body><a href="/"></a> ${html}<h1>Page not found</h1><p>We could not find what you look for.</p></body></html>`,
      confidence: 'low',
    });
    const errors = {
      '/404.html': lost('<a href="/de/404.html"></a>'),
      '/de/404.html': lost('<a href="/404.html"></a>'),
    };
    const more = site(LINKS, errors);
    expect(toldBy(await comparedSites({ pages: site() }, { pages: more }))).toEqual([]);
    const { findings, coverage } = await comparedSites({ pages: more }, { pages: site() });
    expect(findings).toEqual([]);
    expect(coverage).toMatchObject({ expected: 6, compared: { before: 6, now: 6, both: 6, changed: 0 } });
    const gone = { '/404.html': { status: 404 }, '/de/404.html': { status: 404 } };
    expect(toldBy(await comparedSites({ pages: more }, { pages: site(LINKS, gone) }))).toEqual([]);
    const named = { ...more, '/one': page(article(1), [...LINKS, '/de/404.html']) };
    const told = toldBy(await comparedSites({ pages: site() }, { pages: named }));
    expect(told).toEqual([
      'added-page: /404.html is new: “Page not found”',
      'added-page: /de/404.html is new: “Page not found”',
    ]);
    const guessed = { html: page(article(9)), confidence: 'low' } as const;
    expect(toldBy(await comparedSites({ pages: site() }, { pages: site(LINKS, { '/guess': guessed }) }))).toEqual([
      'added-page: /guess is new: “Boats”',
    ]);
  });

  describe('that robots.txt forbids', () => {
    const forbid = (paths: readonly string[], rule = 'Disallow: /t (line 3)') => ({
      pages: site(LINKS, {}),
      skipped: paths.map((path) => ({
        ...{ url: `https://example.org${path}`, reason: 'disallowed-by-robots' as const, rule, referrer: null },
      })),
    });
    const forbidden = (paths: readonly string[], rule?: string): ReturnType<typeof forbid> => {
      const { pages, ...rest } = forbid(paths, rule);
      for (const path of paths) delete pages[path];
      return { pages, ...rest };
    };

    it('by a new rule, or no longer, are told of by their robots, and neither as removed nor as added', async () => {
      const both = forbidden(['/two', '/three']);
      const { findings, coverage } = await comparedSites({ pages: site() }, both);
      expect(findings.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
        ['changed-robots', 'error', 'robots.txt did not forbid it, and forbids it now: Disallow: /t'],
      ]);
      expect(findings[0]?.sources.first.map(({ url }) => new URL(url).pathname)).toEqual(['/two', '/three']);
      expect(coverage.limits).toEqual(['2 pages of before such as /two: forbidden by robots.txt']);
      expect(coverage.compared).toEqual({ before: 6, now: 4, both: 4, changed: 2 });
      expect(toldBy(await comparedSites(both, { pages: site() }))).toEqual([
        'changed-robots: robots.txt forbade it, and does not forbid it now (2)',
      ]);
      const moved = forbidden(['/two', '/three'], 'Disallow: /t (line 9)');
      expect(toldBy(await comparedSites(both, moved))).toEqual([]);
    });

    it('are no difference where robots.txt could not be read, or a crawl did not ask it, or by another name', async () => {
      const unread = forbidden(['/two'], 'robots.txt answered with status 503');
      expect(toldBy(await comparedSites({ pages: site() }, unread))).toEqual([]);
      expect(toldBy(await comparedSites(unread, { pages: site() }))).toEqual([]);
      for (const option of [{ robots: false }, { robotsAgent: 'Other' }]) {
        const other = { pages: site(), crawl: { options: { seeds: ['https://example.org/'], ...option } } };
        const now = { ...forbidden(['/two']), crawl: { options: { seeds: ['https://example.org/'], robots: true } } };
        expect(toldBy(await comparedSites(other, now))).toEqual([]);
        expect(toldBy(await comparedSites(now, other))).toEqual([]);
      }
    });

    it('are no difference where the page was seen by the other scheme of its host', async () => {
      const half = { ...forbid(['/two']), pages: site() };
      for (const skip of half.skipped) skip.url = skip.url.replace('https:', 'http:');
      expect(toldBy(await comparedSites({ pages: site() }, half))).toEqual([]);
      expect(toldBy(await comparedSites(half, { pages: site() }))).toEqual([]);
    });
  });

  it('have words for every reason why they were not seen', () => {
    const words = [...SKIP_REASONS, 'failed' as const, 'cut' as const, 'beyond' as const].map(unseenWords);
    expect(new Set(words).size).toBe(words.length);
    expect(words.join()).not.toMatch(/skipped|undefined/);
    expect(unseenWords('probe')).toBe('asked for only to see how the host answers');
  });

  it('that only a failed page led to are not removed', async () => {
    const old = { ...site(), '/deep': page(article(9)), '/one': page(article(1), [...LINKS, '/deep']) };
    const now = { ...site(), '/one': { status: 500 } };
    const { findings, coverage } = await comparedSites({ pages: old }, { pages: now });
    expect(findings.map(({ rule }) => rule)).toEqual(['failed-page']);
    expect(coverage.limits).toEqual(['1 page of before, /deep: named by pages that failed']);
  });

  it('that a bot protection hides now have failed, and nothing else is said of them', async () => {
    const challenge =
      '<!doctype html><html><head><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></head>' +
      '<body><h1>example.org</h1><p>Verifying you are human. This may take a few seconds.</p></body></html>';
    const { findings } = await comparedSites({ pages: site() }, { pages: site(LINKS, { '/two': challenge }) });
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'failed-page: /two shows something else in its place: challenge of a bot protection',
    ]);
  });

  it('are what their address shows, whatever the other scheme of the host answers, and whenever it was asked', async () => {
    const late = {
      ...site(),
      'http://example.org/two': { redirect: '/two' },
      'http://example.org/three': { outcome: 'unreachable', status: null },
    } as const;
    const early = Object.fromEntries(Object.entries(late).toReversed());
    const others: readonly Record<string, SitePage | string>[] = [site(), late, early];
    for (const old of others)
      for (const now of others) expect(toldBy(await comparedSites({ pages: old }, { pages: now }))).toEqual([]);
    const edited = { ...late, '/two': page(article(2).replace(/^\w+ \w+/, 'Two words')) };
    const { findings } = await comparedSites({ pages: late }, { pages: edited });
    expect(findings.map(({ rule }) => rule)).toEqual(['changed-text']);
  });

  it('that only the other scheme of the host was asked for are unseen, and redirects in a circle are told of', async () => {
    const { '/two': _two, ...rest } = site();
    const half = { ...rest, 'http://example.org/two': { redirect: '/two' } };
    const cut = { state: 'finished', end: 'page-limit', totals: { queued: 1 } };
    const { findings, coverage } = await comparedSites({ pages: site() }, { pages: half, crawl: cut });
    expect(findings).toEqual([]);
    expect(coverage.limits).toEqual(['1 page of before, /two: not reached before the crawl ended']);
    const circle = { ...half, '/two': { redirect: 'http://example.org/two' } };
    expect(toldBy(await comparedSites({ pages: site() }, { pages: circle }))).toEqual([
      expect.stringMatching(/^changed-status: .* now with a redirect \(status 301\) to \/two/),
    ]);
  });

  it('of half a crawl, are told of as such', async () => {
    const half = { state: 'interrupted', end: 'interrupted' };
    const { notes } = await comparedSites({ pages: site() }, { pages: site(), crawl: half });
    expect(notes).toEqual(['now: the crawl did not see the whole site (interrupted)']);
  });

  it('are not told of as removed where the crawls went other ways', async () => {
    const options = { seeds: ['https://example.org/'], scope: 'prefix' };
    const { findings, notes } = await comparedSites(
      { pages: site(), crawl: { options: { ...options, scope: 'host' } } },
      { pages: site(without('/two')), crawl: { options } },
    );
    expect(findings.map(({ rule }) => rule)).toEqual(['changed-links']);
    expect(notes[0]).toBe('the crawls differ in --scope: host before, prefix now; some differences may be of that');
  });
});

describe('a setting that decides which pages are found', () => {
  const seeds = ['https://example.org/'];

  it.each([
    [{ sitemaps: ['https://example.org/more.xml'] }, '--sitemap: ["/more.xml"] before, not given now'],
    [{ selectLinks: ['.card->data-to'] }, '--select-links: [".card->data-to"] before, not given now'],
    [{ removeQueryParams: ['view'] }, '--remove-query-params: ["view"] before, not given now'],
    [{ keepQueryParams: ['sid'] }, '--keep-query-params: ["sid"] before, not given now'],
  ])('is named, and no page is told of as removed: %j', async (option, words) => {
    const { findings, notes } = await comparedSites(
      { pages: site(), crawl: { options: { seeds, ...option } } },
      { pages: site(without('/two')), crawl: { options: { seeds, [Object.keys(option)[0] ?? '']: [] } } },
    );
    expect(findings.map(({ rule }) => rule)).toEqual(['changed-links']);
    expect(notes).toEqual([`the crawls differ in ${words}; some differences may be of that`]);
  });

  it('is the same where a sitemap is named on another host of the site', async () => {
    const at = (origin: string): object => ({
      ...{ pages: site(without('/two')), origin },
      crawl: { options: { seeds: [`${origin}/`], sitemaps: [`${origin}/more.xml`] } },
    });
    const [old, now] = [at('http://127.0.0.1:4001'), at('http://127.0.0.1:4002')];
    const { findings, notes } = await comparedSites({ ...old, pages: site() }, now as never);
    expect(findings.map(({ rule }) => rule)).toEqual(['removed-page']);
    expect(notes).toEqual([]);
  });
});

describe('two crawls of the same site', () => {
  it('on other ports do not differ', async () => {
    const [old, now] = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002'];
    const pages = { ...site(), '/one': page(`${article(1)} <a href="/two">here</a>`) };
    expect(toldBy(await comparedSites({ pages, origin: old }, { pages, origin: now }))).toEqual([]);
  });

  it('do not differ on a preview host that is mapped', async () => {
    const options = { map: ['https://preview.example.net=https://example.org'] };
    const at = (origin: string): Record<string, SitePage | string> => ({
      ...site(),
      '/one': page(article(1), [`${origin}/two`]),
    });
    const now = { pages: at('https://preview.example.net'), origin: 'https://preview.example.net' };
    expect(toldBy(await comparedSites({ pages: at('https://example.org') }, now, options))).toEqual([]);
  });
});

describe('two crawls in another state', () => {
  const seeds = ['https://example.org/'];

  it('of the consent dialog are compared, and a note says what differs', async () => {
    const made = (consent: string): object => ({ pages: site(), crawl: { options: { seeds, consent } } });
    const { findings, notes } = await comparedSites(made('reject') as never, made('accept') as never);
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      'the crawls differ in --consent: reject before, accept now; some differences may be of that',
    ]);
  });

  it.each(['a crawl', 'a baseline'])('of signing in are not compared where it shows, old side %s', async (kind) => {
    const signedIn = (is: boolean, text: string): Record<string, SitePage | string> => ({
      ...site(),
      '/one': { html: page(text), signedIn: is },
    });
    const login = { options: { seeds, login: 'login.yaml' } };
    await using old = await storeComparedSite({ pages: signedIn(true, 'Your orders'), crawl: login });
    await using now = await storeComparedSite({ pages: signedIn(false, 'Our offers'), crawl: { options: { seeds } } });
    const baseline = join(old.base, 'baseline');
    await approveCrawl(old.folder, baseline);
    const { findings, notes } = await diffCrawls(kind === 'a crawl' ? old.folder : baseline, now.folder);
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      'the crawls differ in signing in: yes before, no now; some differences may be of that',
      '1 page was seen signed in by one crawl and signed out by the other: its contents are not compared',
    ]);
  });

  it('of the program: a folder of a later version is refused on either side, with both versions', async () => {
    await using own = await storeComparedSite({ pages: site() });
    await using format = await storeComparedSite({ pages: site(), crawl: { format: 2 } });
    await using version = await storeComparedSite({ pages: site(), crawl: { versions: { orbweaver: '9.0.0' } } });
    const refusals = [
      [format.folder, own.folder, /is a crawl of format 2, and this version reads formats up to 1/],
      [own.folder, format.folder, /is a crawl of format 2, and this version reads formats up to 1/],
      [own.folder, version.folder, /was written by orbweaver 9\.0\.0/],
    ] as const;
    for (const [old, now, message] of refusals) {
      await expect(diffCrawls(old, now)).rejects.toMatchObject({
        code: 'CRAWL_UNREADABLE',
        message: expect.stringMatching(message),
      });
    }
  });
});
