/** A crawl with an archive is served again, and crawled again: the same pages and links, though the site is gone. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { openReplayServer } from '../../src/replay/open-replay-server.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';

interface Seen {
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly texts: readonly string[];
}

let base = '';
const folders = { shop: '', hosts: '' };

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-replayed-'));
  for (const [name, fixture] of [
    ['shop', 'archived-page'],
    ['hosts', 'two-hosts'],
  ] as const) {
    folders[name] = join(base, name);
    await using site = await openFixture(fixture);
    const scope = name === 'hosts' ? ({ scope: 'any', limit: 20 } as const) : {};
    await crawl(site.url, folders[name], { snapshot: ['warc', 'text'], ...scope });
  } // the sites are gone
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function crawl(seed: string, output: string, options: object): Promise<void> {
  await using crawled = await startCrawl({ seeds: [seed], output, delay: 0, ...options });
  await crawled.report();
}

/** What a crawl has seen, with the origins of a replay as they were recorded. */
async function seen(folder: string, origins: ReadonlyMap<string, string> = new Map()): Promise<Seen> {
  const own = (text: string): string =>
    [...origins].reduce((all, [recorded, served]) => all.replaceAll(served, recorded), text);
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const texts = pages.flatMap(({ url, snapshot }) =>
    snapshot.text === null ? [] : [[own(url), snapshot.text] as const],
  );
  return {
    pages: pages.map(({ url, outcome, status, title }) => own(`${url} ${outcome} ${status} ${title}`)).sort(),
    links: (await linesOf<LinkRecord>(folder, 'links.jsonl'))
      .map(({ from, to, kind, text: words, context }) => own(`${from} ${kind} ${to} ${words} ${context}`))
      .sort(),
    texts: (
      await Promise.all(texts.map(async ([url, path]) => `${url} ${own(await readFile(join(folder, path), 'utf8'))}`))
    ).sort(),
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** Names of .localhost are known to browsers, and not to every resolver. */
async function asked(port: number, path: string, host: string): Promise<Answer> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, location: response.headers.location, text: await text(response) };
}

/** Crawls a crawl folder on a port that is known before: only so the origins can be told. */
async function crawledAgain(
  name: keyof typeof folders,
  options: object,
): Promise<{ was: Seen; is: Seen; notes: string }> {
  const output = join(base, `${name}-again`);
  await crawl(folders[name], output, { snapshot: ['text'], render: 'always', ...options });
  const { served, notes } = JSON.parse(await readFile(join(output, 'crawl.json'), 'utf8')) as {
    served: readonly { port: number }[];
    notes: readonly string[];
  };
  await using replay = await openReplayServer(folders[name], { port: served[0]?.port ?? 0 }, silentLog);
  return { was: await seen(folders[name]), is: await seen(output, replay.origins), notes: notes.join('\n') };
}

describe('a crawl of a recorded crawl', () => {
  it('finds the same pages, links and texts: redirects, missing pages, data and modules', async () => {
    const { was, is } = await crawledAgain('shop', {});
    expect(was.pages.length).toBeGreaterThan(3);
    expect(is.pages).toEqual(was.pages);
    expect(is.links).toEqual(was.links);
    expect(is.texts).toEqual(was.texts);
  });

  it('finds the same on a site of several hosts, each under a name of its own', async () => {
    const { was, is } = await crawledAgain('hosts', { scope: 'any', limit: 20 });
    expect(is.pages).toEqual(was.pages);
    expect(is.links).toEqual(was.links);
  });
});

describe('orbweaver serve', () => {
  it('answers as was recorded, and with 404 what was not, which it counts', async () => {
    await using replay = await openReplayServer(folders.shop, { port: 0 }, silentLog);
    const [seed = ''] = replay.seeds;
    const { host } = new URL(seed);
    const ask = (path: string, name = host): Promise<Answer> => asked(replay.port, path, name);
    const home = await ask('/');
    expect(home.status).toBe(200);
    expect(home.text).toContain('Woven by hand');
    expect(await ask('/old-shop')).toMatchObject({ status: 301, location: '/' });
    expect(await ask('/gone')).toMatchObject({ status: 404 });
    const missing = await ask('/nobody-asked');
    expect(missing.status).toBe(404);
    expect(missing.text).toMatch(/^This address was not recorded: GET http:\/\/127\.0\.0\.1:\d+\/nobody-asked$/m);
    expect([replay.answered, replay.missing]).toEqual([3, 1]);
    // a name that leads here by chance, or by somebody's design
    expect(await ask('/', `127.0.0.1:${replay.port}`)).toMatchObject({ status: 421 });
  });

  it('says where each origin is, and at its end how much it could answer', async () => {
    const command = runCommand(['serve', folders.shop], base);
    await expect.poll(command.output).toContain('Ctrl-C ends the server.');
    const [, port = ''] = /^http:\/\/127-0-0-1\.localhost:(\d+)\/$/m.exec(command.output()) ?? [];
    const host = `127-0-0-1.localhost:${port}`;
    for (const path of ['/', '/nobody-asked', '/nobody-asked-either']) await asked(Number(port), path, host);
    command.child.kill('SIGINT');
    const { code, output } = await command.ended;
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+ is http:\/\/127-0-0-1\.localhost:\d+$/m);
    expect(output).toContain('1 request answered; 2 for what was not recorded.');
    expect(code).toBe(0);
  });

  it('refuses a crawl without an archive, with the cure', async () => {
    const plain = join(base, 'plain');
    await using site = await openFixture('two-hosts');
    await crawl(site.url, plain, { render: 'never' });
    await expect(startCrawl({ seeds: [plain], output: join(base, 'none') })).rejects.toThrow(
      /folder of a crawl without an archive\n.*--snapshot warc/,
    );
    await expect(openReplayServer(plain, { port: 0 }, silentLog)).rejects.toThrow(/--snapshot warc/);
  });
});
