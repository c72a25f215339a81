import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orphansText } from '../../../src/cli/text/links-text.ts';
import { PLAIN } from '../../../src/cli/terminal/paint.ts';
import type { LinkRecord } from '../../../src/model/record.ts';
import { asNobody } from '../../support/as-nobody.ts';
import { linkRecord } from '../../support/frontier-nouns.ts';
import { pageOf } from './fake-crawl.ts';
import { runFake } from './fake-shell.ts';

const SEED = 'https://example.org/';
let folder = '';

const link = (from: string, to: string, changes: Partial<LinkRecord> = {}): LinkRecord => ({
  ...linkRecord(`${SEED}${from}`, to.includes(':') ? to : `${SEED}${to}`),
  new: false,
  ...changes,
});
const page = (path: string, changes: Parameters<typeof pageOf>[0] = {}) =>
  pageOf({ url: `${SEED}${path}`, finalUrl: `${SEED}${path}`, ...changes });

/** / → a → b → c; / → old, which redirects to b; c has no further links; only the sitemap names hidden. */
const links: readonly LinkRecord[] = [
  link('', 'a', { text: 'To \u001b[31mA', new: true }),
  link('', 'old', { new: true }),
  link('', 'style.css', { kind: 'resource', context: 'link/@href', rel: ['stylesheet'] }),
  link('', 'mailto:x@example.org'),
  link('a', 'b', { rel: ['nofollow'] }),
  link('a', 'b', { kind: 'link-element', context: 'link/@href', rel: ['next'] }),
  link('old', 'b', { kind: 'redirect', context: 'Location' }),
  link('b', 'c'),
  link('c', 'c'),
  link('map.xml', 'hidden', { kind: 'sitemap', context: 'urlset/loc' }),
  link('map.xml', 'b', { kind: 'sitemap', context: 'urlset/loc' }),
];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'orbweaver-links-')));
  const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const pages = [
    page(''),
    page('a'),
    page('b'),
    page('c'),
    page('hidden'),
    page('old', { outcome: 'redirected', finalUrl: `${SEED}b`, status: 301 }),
  ];
  await writeFile(join(folder, 'pages.jsonl'), lines(pages));
  await writeFile(join(folder, 'links.jsonl'), lines(links));
  const about = { id: 'c-1', state: 'finished', end: 'all-visited', seeds: [SEED], options: { seeds: [SEED] } };
  const started = { versions: { orbweaver: '0.1.0' }, started: '2026-01-02T03:04:05.678Z', suspectedTraps: [] };
  await writeFile(join(folder, 'crawl.json'), JSON.stringify({ ...about, ...started }));
  await runFake({ words: ['links', folder, '--depth'] }); // makes the index
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function ask(...words: readonly string[]): Promise<string> {
  const { code, shell } = await runFake({ words: ['links', folder, ...words] });
  expect([code, shell.errorText]).toEqual([0, '']);
  return shell.outputText;
}

async function refused(...words: readonly string[]): Promise<string> {
  const { code, shell } = await runFake({ words: ['links', folder, ...words] });
  expect([code, shell.outputText]).toEqual([2, '']);
  return shell.errorText;
}

test('an anchor to a route without a slash is a link once the route has proved a page', async () => {
  const routed = await mkdtemp(join(tmpdir(), 'orbweaver-routes-'));
  await cp(folder, routed, { recursive: true });
  const anchor = (to: string): LinkRecord => link('c', to, { confidence: 'low', text: to });
  const isTold = link('c', '#told', { kind: 'text', context: 'text', confidence: 'low' });
  const added = [anchor('#notes'), anchor('#nowhere'), isTold].map((line) => `${JSON.stringify(line)}\n`);
  await appendFile(join(routed, 'links.jsonl'), added.join(''));
  const found = [page('#notes', { confidence: 'low' }), page('#told', { confidence: 'low' })];
  await appendFile(join(routed, 'pages.jsonl'), found.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const asked = async (...words: readonly string[]) =>
    (await runFake({ words: ['links', routed, ...words] })).shell.outputText;
  const depths = (await asked('--depth', '--json')).split('\n').filter((line) => line.includes('#'));
  expect(depths).toEqual([`{"url":"${SEED}#notes","clicks":3}`, `{"url":"${SEED}#told","clicks":null}`]);
  expect(await asked('--path', '/#notes')).toContain('a/@href, "#notes"');
  expect(await asked('--path', '/#nowhere')).not.toContain('clicks from a seed');
  expect(await asked('--dead-ends')).not.toContain(`${SEED}c\n`);
  await rm(routed, { recursive: true });
});

describe('links', () => {
  test('--to tells who links to a URL, and by which redirect', async () => {
    expect(await ask('--to', '/b')).toBe(`https://example.org/b

Page    captured
Linked  by 4 URLs: 2 anchor, 1 link-element, 1 sitemap, 1 redirect
        1 of them by https://example.org/old, which redirects here

https://example.org/a
  anchor, a/@href, rel=nofollow
  link-element, link/@href, rel=next

https://example.org/old
  redirect, Location

https://example.org/
  anchor, a/@href, via https://example.org/old, which redirects

https://example.org/map.xml
  sitemap, urlset/loc
`);
  });

  test('--from tells where a page leads, its parts last, without what a terminal would obey', async () => {
    expect(await ask('--from', SEED)).toBe(`https://example.org/

Page   captured, a seed
Links  to 4 URLs: 3 anchor, 1 resource

https://example.org/a
  anchor, a/@href, "To A", made it known

https://example.org/old
  anchor, a/@href, made it known

mailto:x@example.org
  anchor, a/@href

https://example.org/style.css
  resource, link/@href, rel=stylesheet
`);
    expect(await ask('--from', '/old')).toContain('redirected, redirects to https://example.org/b\n');
    expect(await ask('--to', '/')).toContain('Linked  by nobody\n');
  });

  test('--kind, --pages, --parts and --limit tell fewer', async () => {
    expect(await ask('--to', '/b', '--kind', 'sitemap,redirect')).not.toContain('anchor');
    expect(await ask('--from', '/', '--parts')).toContain('Links  to 1 URL: 1 resource\n');
    expect(await ask('--from', '/', '--pages')).toContain('Links  to 2 URLs: 2 anchor\n');
    const two = await ask('--from', '/', '--limit', '2');
    expect(two).toContain('and more: --limit <n> shows them');
    expect(two).not.toContain('style.css');
  });

  test('--json tells a line of links.jsonl for each link, on a line', async () => {
    const lines = (await ask('--to', '/b', '--json')).trim().split('\n');
    const expected = [links[4], links[5], links[6], { ...links[1], via: `${SEED}old` }, links[10]];
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(expected);
  });

  test('--path tells one shortest way, with its links and redirects', async () => {
    expect(await ask('--path', '/c')).toBe(`2 clicks from a seed
https://example.org/
  anchor, a/@href, made it known
https://example.org/old
  redirects to
https://example.org/b
  anchor, a/@href
https://example.org/c
`);
    expect(await ask('--path', '/hidden')).toBe('No links lead from the seeds to https://example.org/hidden.\n');
    expect((await ask('--path', '/', '--json')).trim()).toBe(
      JSON.stringify({ url: SEED, link: null, redirected: false }),
    );
  });

  test('--depth counts pages by clicks, and names those that no links lead to', async () => {
    expect(await ask('--depth')).toBe(`clicks   pages
     0       1
     1       2
     2       1

1 page that no links lead to from the seeds
https://example.org/hidden
`);
    const lines = (await ask('--depth', '--json')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { url: SEED, clicks: 0 },
      { url: `${SEED}a`, clicks: 1 },
      { url: `${SEED}b`, clicks: 1 },
      { url: `${SEED}c`, clicks: 2 },
      { url: `${SEED}hidden`, clicks: null },
    ]);
  });

  test('--orphans and --dead-ends name pages', async () => {
    expect(await ask('--orphans')).toBe(`1 page in a sitemap that no page links to
https://example.org/hidden
  captured, in https://example.org/map.xml
`);
    expect(await ask('--dead-ends')).toBe(`2 pages without a link to another page
https://example.org/c
https://example.org/hidden
`);
    expect((await ask('--dead-ends', '--json')).trim().split('\n')).toHaveLength(2);
    expect(await ask('--dead-ends', '--limit', '1')).toContain('and 1 more: --limit <n> shows them\n');
  });

  test('a crawl that has read no sitemap cannot tell orphans, and says so', () => {
    const told = (inSitemaps: number): string => orphansText({ pages: [], inSitemaps }, 5, { paint: PLAIN, width: 80 });
    expect(told(0)).toMatch(/^No sitemap of the site was read/);
    expect(told(2)).toBe('Every page of the sitemaps is linked from some page.');
  });

  test('--rank tells the best pages, and says that the ranks are written', async () => {
    const text = await ask('--rank', '--limit', '2');
    expect(text).toMatch(/^5 pages, 3 links between them\npageRank {2}authority {7}hub {7}site\n/);
    expect(text).toContain('Each line of pages.jsonl has its ranks now, as "rank".\n');
    expect(text.match(/https:/g)).toHaveLength(2);
    expect((await ask('--rank', '--json')).trim().split('\n')).toHaveLength(5);
  });

  test('is refused without a question, with two, with a filter that does not go with it, and for a URL that nothing names', async () => {
    expect(await refused()).toMatch(/nothing is asked \[USAGE\]\n *Give one of --to <url>, --from <url>, --path <url>/);
    expect(await refused('/about us')).toMatch(
      /takes a URL behind a flag that says what is asked of it \[USAGE\]\n *Write .* --to '\/about us' for the links to it/,
    );
    expect(await refused('--to', '/a', '--from', '/a')).toContain("option '--to <url>' cannot be used with");
    expect(await refused('--orphans', '--kind', 'anchor')).toContain('--kind goes with --to and --from only');
    expect(await refused('--to', '/a', '--kind', 'anchors')).toContain('Accepted: anchor, area, frame');
    expect(await refused('--to', '/a', '--limit', 'many')).toContain('Accepted: a number from 0 to');
    expect(await refused('--to', '/hiden')).toMatch(
      /nothing that the crawl has seen names https:\/\/example.org\/hiden \[NOT_STORED\]\n *Pages like it:\n *https:\/\/example.org\/hidden/,
    );
    const { code, shell } = await runFake({ words: ['links', join(folder, 'nowhere'), '--orphans'] });
    expect([code, shell.errorText]).toEqual([2, expect.stringContaining('CRAWL_UNREADABLE')]);
  });

  test.each([
    ['finished', { resumable: true, totals: { queued: 1234 } }, 'ended at a limit with 1,234 URLs still queued'],
    ['finished', { resumable: true, totals: { queued: 0 } }, 'ended at a limit with something left to visit'],
    ['failed', { resumable: true, totals: { queued: 1 } }, 'ended early with 1 URL still queued'],
  ])(
    'of a crawl that is %s and left something notes what is missing where links are said to lack',
    async (state, left, words) => {
      const base = await mkdtemp(join(tmpdir(), 'orbweaver-links-'));
      try {
        await cp(folder, base, { recursive: true, preserveTimestamps: true });
        const about = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as object;
        await writeFile(join(base, 'crawl.json'), JSON.stringify({ ...about, state, ...left }));
        for (const question of [['--orphans'], ['--depth'], ['--path', '/hidden']]) {
          const { code, shell } = await runFake({ words: ['links', base, ...question] });
          expect([code, shell.errorText]).toEqual([
            0,
            expect.stringContaining(`note  the crawl ${words}: links on pages that were not visited are missing\n`),
          ]);
        }
        const { shell } = await runFake({ words: ['links', base, '--to', '/b'] });
        expect(shell.errorText).not.toContain('missing');
      } finally {
        await rm(base, { recursive: true, force: true });
      }
    },
  );

  test('of a crawl that runs, or was killed, says both', async () => {
    const base = await mkdtemp(join(tmpdir(), 'orbweaver-links-'));
    try {
      await cp(folder, base, { recursive: true, preserveTimestamps: true });
      const text = await readFile(join(folder, 'crawl.json'), 'utf8');
      await writeFile(join(base, 'crawl.json'), text.replace('"finished"', '"running"'));
      const { shell } = await runFake({ words: ['links', base, '--to', '/b'] });
      expect(shell.errorText).toContain(
        'note  the crawl is running, or was killed: this is what it has found by now\n',
      );
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });

  test('says why it takes longer where the index has to be made', async () => {
    await rm(join(folder, 'graph'), { recursive: true });
    const { code, shell } = await runFake({ words: ['links', folder, '--orphans'] });
    expect([code, shell.errorText]).toEqual([0, 'note  the crawl has no index of its links yet; it is made now\n']);
  });
});

test('links of a crawl whose graph folder is a link are not indexed through it', async () => {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-links-'));
  try {
    await mkdir(join(base, 'elsewhere'));
    await cp(folder, join(base, 'crawl'), { recursive: true });
    await rm(join(base, 'crawl/graph'), { recursive: true, force: true });
    await symlink(join(base, 'elsewhere'), join(base, 'crawl/graph'));
    const { code, shell } = await runFake({ words: ['links', 'crawl', '--depth'], workingFolder: base });
    expect({ code, errors: shell.errorText }).toMatchObject({
      code: 2,
      errors: expect.stringContaining('OUTPUT_UNUSABLE') as string,
    });
    expect(await readdir(join(base, 'elsewhere'))).toEqual([]);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});

test('links of a crawl that the user may only read are told, and nothing is written', async () => {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-links-'));
  try {
    const crawl = join(base, 'crawl');
    await cp(folder, crawl, { recursive: true });
    await rm(join(crawl, 'graph'), { recursive: true, force: true });
    const names = await readdir(crawl);
    await chmod(base, 0o755);
    await chmod(crawl, 0o555);
    for (const name of names) await chmod(join(crawl, name), 0o444);
    const answers = await asNobody(async () => [
      await runFake({ words: ['links', crawl, '--dead-ends'] }),
      await runFake({ words: ['links', crawl, '--rank'] }),
    ]);
    expect(answers.map(({ code, shell }) => [code, shell.errorText])).toEqual(
      answers.map(() => [0, 'note  the crawl has no index of its links yet; it is made now\n']),
    );
    expect(answers[0]?.shell.outputText).toContain('https://example.org/c\n');
    expect(answers[1]?.shell.outputText).toContain('or this user may not write to it');
    expect(await readdir(crawl)).toEqual(names);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
