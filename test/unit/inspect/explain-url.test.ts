import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainUrl, type ExplainOptions } from '../../../src/inspect/explain-url.ts';
import type { UrlHistory } from '../../../src/inspect/url-history.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../../src/model/record.ts';
import { linkRecord } from '../../support/frontier-nouns.ts';
import { pageOf } from '../cli/fake-crawl.ts';

const SEED = 'https://example.org/';

interface Folder {
  readonly crawl?: Readonly<Record<string, unknown>>;
  readonly pages?: readonly PageRecord[];
  readonly links?: readonly LinkRecord[];
  readonly skipped?: readonly SkippedRecord[];
  readonly log?: readonly object[];
  /** Text after the last line of pages.jsonl. */
  readonly torn?: string;
}

const crawlFile = {
  id: 'c-1',
  state: 'finished',
  end: 'all-visited',
  seeds: [SEED],
  options: { seeds: [SEED], scope: 'host', depth: 2 },
  versions: { orbweaver: '0.1.0' },
  started: '2026-01-02T03:04:05.678Z',
  suspectedTraps: [],
};

const linkTo = (to: string, changes: Partial<LinkRecord> = {}): LinkRecord => ({
  ...linkRecord(SEED, to),
  new: false,
  ...changes,
});

const lines = (records: readonly object[] = []): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

async function explain(folder: Folder, url: string, options: ExplainOptions = {}): Promise<UrlHistory> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-explain-'));
  try {
    await writeFile(join(path, 'crawl.json'), JSON.stringify({ ...crawlFile, ...folder.crawl }));
    const seed = pageOf({ url: SEED, finalUrl: SEED, depth: 0, referrer: null });
    await writeFile(join(path, 'pages.jsonl'), lines([seed, ...(folder.pages ?? [])]) + (folder.torn ?? ''));
    await writeFile(join(path, 'links.jsonl'), lines(folder.links));
    await writeFile(join(path, 'skipped.jsonl'), lines(folder.skipped));
    await writeFile(join(path, 'log.jsonl'), lines(folder.log));
    return await explainUrl(path, url, options);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

describe('the history of a URL', () => {
  test('of one that signs out says so where the crawl was signed in, and nothing of it where it was not', async () => {
    const url = `${SEED}users/sign_out`;
    const named = { links: [linkTo(`${SEED}bye`, { text: 'Log out' })] };
    const signedIn = { crawl: { options: { ...crawlFile.options, signedIn: 'selector:#menu' } } };
    const rules = { accepted: false, rule: 'its address signs out: /sign_out' };
    expect((await explain(signedIn, url)).scope).toMatchObject(rules);
    expect((await explain({}, url)).scope).toMatchObject({ accepted: true });
    const byText = await explain({ ...signedIn, ...named }, `${SEED}bye`);
    expect(byText.scope).toMatchObject({ accepted: false, rule: 'its text signs out: Log out' });
  });

  test('of a page that was visited holds its line, its in-links and why it was in scope', async () => {
    const url = `${SEED}a`;
    const history = await explain(
      {
        pages: [pageOf({ url, robotsRule: 'Allow: /a (line 2)' })],
        links: [linkTo(url), linkTo(url, { new: true, text: 'A' })],
      },
      'https://Example.ORG:443/./a#part',
    );
    expect(history).toMatchObject({
      asked: 'https://Example.ORG:443/./a#part',
      url,
      standing: 'visited',
      isSeed: false,
    });
    expect(history.page?.url).toBe(url);
    expect(history.scope).toEqual({ accepted: true, rule: 'it lies in the scope (host)', depth: 1 });
    expect(history.robots).toBe('Allow: /a (line 2)');
    expect(history.inLinks).toMatchObject({ total: 2, pages: 1, byKind: { anchor: 2 } });
    expect(history.inLinks.first.map(({ text }) => text)).toEqual(['A', '']);
    expect(history.notes).toEqual([]);
  });

  test('names as many in-links as are asked for, and counts them all', async () => {
    const links = Array.from({ length: 30 }, (_, n) => linkTo(`${SEED}a`, { from: `${SEED}p${n % 20}` }));
    const { inLinks } = await explain({ links }, '/a', { links: 3 });
    expect(inLinks).toMatchObject({ total: 30, pages: 20 });
    expect(inLinks.first).toHaveLength(3);
  });

  test('names the other pages that link to it before further links of the same page', async () => {
    const url = `${SEED}a`;
    const links = ['one', 'one', 'one', 'two', 'three', 'two'].map((from) => linkTo(url, { from: `${SEED}${from}` }));
    const { inLinks } = await explain({ links: [...links, linkTo(url, { from: `${SEED}new`, new: true })] }, url);
    const named = inLinks.first.map(({ from }) => from.slice(SEED.length));
    expect(named).toEqual(['new', 'one', 'two', 'three', 'one', 'one', 'two']);
  });

  test('of a URL that was skipped holds the line that says why', async () => {
    const line = {
      url: `${SEED}no`,
      reason: 'disallowed-by-robots',
      rule: 'Disallow: /no (line 2)',
      referrer: SEED,
    } as const;
    const history = await explain({ skipped: [line], links: [linkTo(line.url)] }, '/no');
    expect(history).toMatchObject({ standing: 'skipped', skipped: line, robots: 'Disallow: /no (line 2)' });
  });

  test('of a URL that nobody named says which rule would decide', async () => {
    expect(await explain({}, 'https://other.example/')).toMatchObject({
      standing: 'unknown',
      scope: { accepted: false, rule: 'host other.example is not example.org', depth: null },
    });
    expect(await explain({}, '/x')).toMatchObject({ standing: 'unknown', scope: { accepted: true } });
  });

  test('reckons the depth from the pages that link to it', async () => {
    const deep = pageOf({ url: `${SEED}deep`, depth: 2 });
    const history = await explain({ pages: [deep], links: [linkTo(`${SEED}x`, { from: deep.url })] }, '/x');
    expect(history.scope).toEqual({ accepted: false, rule: 'depth 3 is more than 2', depth: 3 });
    expect(history.standing).toBe('held');
  });

  test.each([
    ['queued', {}],
    ['held', { rel: ['nofollow'] }],
    ['subresource', { kind: 'resource', context: 'img/@src' }],
  ] as const)('of a URL that was found and has no line of its own says that it is %s', async (standing, changes) => {
    const history = await explain(
      { crawl: { state: 'interrupted', end: 'interrupted' }, links: [linkTo(`${SEED}x`, changes)] },
      '/x',
    );
    expect(history.standing).toBe(standing);
  });

  test('takes the target of a redirect of a seed for a seed', async () => {
    const seed = pageOf({
      url: SEED,
      finalUrl: 'https://www.example.org/',
      depth: 0,
      outcome: 'redirected',
      status: 301,
    });
    const history = await explain({ pages: [seed] }, 'https://www.example.org/x');
    expect(history.scope).toMatchObject({ accepted: true });
    expect(await explain({ pages: [seed] }, 'https://www.example.org/')).toMatchObject({ isSeed: true });
  });

  test('tells earlier tries from the log, and says where that has none', async () => {
    const pages = [pageOf({ url: `${SEED}a`, attempt: 3, outcome: 'http-error', status: 500 })];
    const vain = {
      level: 'info',
      time: '2026-01-02T03:04:05.678Z',
      url: `${SEED}a`,
      attempt: 1,
      event: 'tried in vain',
    };
    const told = await explain({ pages, log: [vain, { ...vain, url: `${SEED}ab` }] }, '/a');
    expect(told).toMatchObject({ standing: 'failed', events: [vain], notes: [] });
    expect((await explain({ pages }, '/a')).notes).toEqual([expect.stringContaining('earlier tries are not listed')]);
  });

  test('names the trap that a URL was held back for', async () => {
    const trap = {
      pattern: `${SEED}calendar/0`,
      rule: 'pattern budget',
      fetched: 50,
      held: 900,
      why: '48 of 50 were known',
    };
    const line = { url: `${SEED}calendar/9`, reason: 'trap', rule: 'pattern budget', referrer: null } as const;
    expect(await explain({ crawl: { suspectedTraps: [trap] }, skipped: [line] }, '/calendar/9')).toMatchObject({
      trap,
    });
  });

  test('goes without a torn last line and says so', async () => {
    const history = await explain(
      { pages: [pageOf({ url: `${SEED}a` })], torn: '{"url":"https://example.org/b","fin' },
      '/a',
    );
    expect(history.standing).toBe('visited');
    expect(history.notes).toEqual([expect.stringMatching(/^pages\.jsonl ends within a line/)]);
    expect((await explain({ torn: '{"url":"https://example.org/b","fin' }, '/b')).standing).toBe('unknown');
  });

  test('answers for what is no http(s) URL', async () => {
    const line = {
      url: 'mailto:a@example.org',
      reason: 'unsupported-scheme',
      rule: 'mailto:',
      referrer: SEED,
    } as const;
    expect(await explain({ skipped: [line] }, line.url)).toMatchObject({
      standing: 'skipped',
      scope: null,
      url: line.url,
    });
  });
});

test('what nothing names is answered with the captured pages most like it, by query and fragment, too', async () => {
  const paths = ['list?page=7', '#/Asteroid', '#/Mars', 'list', 'list?page=1', 'other'];
  const pages = paths.map((path) => pageOf({ url: SEED + path }));
  const near = async (url: string) => (await explain({ pages }, url)).near.map((each) => each.slice(SEED.length));
  expect(await near('/list?page=17')).toEqual(['list?page=7', 'list?page=1', 'list']);
  expect((await near('/#/Marz'))[0]).toBe('#/Mars');
  expect(await near('/list?page=7')).toEqual([]);
});

describe('a URL that can be read in several ways', () => {
  const route = `${SEED}#Formatting`;

  test('is the route that the crawl knows by that fragment, and the page without it otherwise', async () => {
    expect(await explain({ pages: [pageOf({ url: route })] }, '/#Formatting')).toMatchObject({ url: route, notes: [] });
    expect(await explain({ links: [linkTo(route)] }, route)).toMatchObject({ url: route, standing: 'queued' });
    expect(await explain({ links: [linkTo(`${SEED}x`)] }, '/x#top')).toMatchObject({ url: `${SEED}x`, notes: [] });
    expect(await explain({ pages: [pageOf({ url: route })] }, '/#Other')).toMatchObject({
      url: SEED,
      notes: ['the crawl knows no route #Other of it: this is it without one'],
    });
    const withoutScripts = { crawl: { options: { ...crawlFile.options, render: 'never' } } };
    expect(await explain({ ...withoutScripts, links: [linkTo(route)] }, route)).toMatchObject({ url: SEED });
  });

  test('is a path on the host that the seed redirects to, where its own host does not know the path', async () => {
    const [old, www] = ['http://example.org/', 'https://www.example.org/en/'];
    const moved = (url: string, finalUrl: string): PageRecord =>
      pageOf({ url, finalUrl, outcome: 'redirected', status: 301, depth: 0 });
    const folder = {
      crawl: { seeds: [old], options: { seeds: [old] } },
      pages: [moved(old, SEED), moved(SEED, www), pageOf({ url: 'https://www.example.org/about' })],
      links: [linkTo(`${old}own`)],
    };
    expect((await explain(folder, '/about')).url).toBe('https://www.example.org/about');
    expect((await explain(folder, '/own')).url).toBe(`${old}own`);
    expect((await explain(folder, '/nowhere')).url).toBe(`${old}nowhere`);
  });
});

describe('what cannot be explained', () => {
  test.each([
    ['example.org/a', /"example.org\/a" is no URL\nWrite https:\/\/example\.org\/a/],
    ['localhost:80/a', /has no scheme\nWrite http:\/\/localhost:80\/a/],
    ['http://', /is no URL\nAccepted: /],
    ['LOCAL.test:8080/a', /has no scheme\nWrite https:\/\/LOCAL.test:8080\/a/],
    ['127.0.0.1:8080/a', /is no URL\nWrite http:\/\/127/],
  ])('is the URL %j', async (url, message) => {
    const seeds = [SEED, 'http://127.0.0.1:8080/', 'https://local.test:8080/'];
    await expect(explain({ crawl: { seeds, options: { seeds } } }, url)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
    });
  });

  test('is a folder without a crawl', async () => {
    await expect(explainUrl('/there/is/nothing', SEED)).rejects.toMatchObject({
      code: 'CRAWL_UNREADABLE',
      message: expect.stringMatching(/holds no crawl: there is no crawl\.json in it/),
    });
  });

  test.each([
    [{ format: 2 }, /is a crawl of format 2, and this version reads formats up to 1\nRead it with orbweaver 0\.1\.0/],
    [{ versions: { orbweaver: '9.1.0' } }, /was written by orbweaver 9\.1\.0, and this is /],
    [{ versions: { orbweaver: '0.2.0' } }, /Read it with that version/],
    [{ state: 'asleep' }, /is no description of a crawl \(state: /],
    [{ options: { seeds: [SEED], scope: 'galaxy' } }, /the options in .* are not those of this version/],
  ])('is a crawl.json with %j', async (crawl, message) => {
    await expect(explain({ crawl }, SEED)).rejects.toMatchObject({
      code: 'CRAWL_UNREADABLE',
      message: expect.stringMatching(message),
    });
  });
});
