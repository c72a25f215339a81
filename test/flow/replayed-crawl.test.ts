/** A recorded crawl is served and crawled again: it has the same pages and links, although the site is gone. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { exportCrawl } from '../../src/inspect/export-crawl.ts';
import { openReplayServer } from '../../src/replay/open-replay-server.ts';
import { openTestArchive, pass } from '../support/archive.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { secureOrigin } from '../support/secure-origin.ts';
import { storeCrawl } from '../support/stored-crawl.ts';

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

/** The findings of a crawl, with replayed origins written as recorded. */
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

/** Requests a path by its host header: browsers resolve .localhost names, but not every resolver does. */
async function asked(port: number, path: string, host: string): Promise<Answer> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, location: response.headers.location, text: await text(response) };
}

/** Crawls a crawl folder, then opens it on the same port to get its origins. */
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
    // a name that resolves here by accident, or by design
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
    expect(output).toContain('1 request answered; 2 for what was not recorded, or cannot be read.');
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

describe('a WACZ file', () => {
  it('is served as its crawl is, and is a seed; a broken one is refused with the cure', async () => {
    const wacz = join(base, 'files', 'shop.wacz');
    vi.stubEnv('TMPDIR', base);
    onTestFinished(() => void vi.unstubAllEnvs());
    await mkdir(join(base, 'files'));
    await exportCrawl(folders.shop, { wacz });
    const answers: string[] = [];
    for (const place of [wacz, join(base, 'files')]) {
      await using replay = await openReplayServer(place, { port: 0 }, silentLog);
      const [seed = ''] = replay.seeds;
      const home = await asked(replay.port, '/', new URL(seed).host);
      expect(home.status).toBe(200);
      answers.push(home.text);
    }
    expect(answers[0]).toContain('Woven by hand');
    const output = join(base, 'of-wacz');
    await crawl(wacz, output, { render: 'never' });
    const paths = (all: Seen): readonly string[] => all.pages.map((line) => line.replace(/^http:\/\/[^/]+/, ''));
    expect(paths(await seen(output))).toEqual(expect.arrayContaining([expect.stringMatching(/^\/ captured 200 Shop/)]));
    expect((await readdir(base)).filter((name) => name.startsWith('orbweaver-wacz-'))).toEqual([]);
    await writeFile(wacz, 'no zip');
    await expect(openReplayServer(wacz, { port: 0 }, silentLog)).rejects.toThrow(
      /is no WACZ file: .*\n.*export --wacz/,
    );
  });
});

describe('an answer whose content coding cannot be undone', () => {
  /** A frame of zstd with one block that is not compressed (RFC 8878 section 3.1.1). @param content of at most 255 bytes */
  function zstdFrame(content: string): Buffer {
    const header = [0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length];
    const block = (content.length << 3) | 1;
    return Buffer.concat([Buffer.from([...header, block & 0xff, block >> 8, 0]), Buffer.from(content)]);
  }

  it('is sent with its coding as it was recorded, and a browser reads it', async () => {
    const body = zstdFrame('<title>Packed</title><p>https://example.org/ stays</p><a href="/next">next</a>');
    await using stored = await storeCrawl();
    {
      await using archive = await openTestArchive(stored.folder);
      const headers = [
        ['Content-Type', 'text/html'],
        ['Content-Encoding', 'zstd'],
      ] as const;
      for (const path of ['', 'next']) pass(archive, { url: `https://example.org/${path}`, answer: { headers }, body });
      await archive.seal();
    }
    {
      await using replay = await openReplayServer(stored.folder, { port: 0 }, silentLog);
      for (const path of ['/', '/next']) {
        const { host } = new URL(replay.seeds[0] ?? '');
        const request = get({ host: '127.0.0.1', port: replay.port, path, headers: { host }, agent: false });
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        expect(response.headers['content-encoding']).toBe('zstd');
        expect((await buffer(response)).equals(body)).toBe(true);
      }
    }
    const again = join(base, 'packed-again');
    await crawl(stored.folder, again, { render: 'always' });
    const pages = await linesOf<PageRecord>(again, 'pages.jsonl');
    expect(pages.map(({ url, title }) => [new URL(url).pathname, title])).toEqual([
      ['/', 'Packed'],
      ['/next', 'Packed'],
    ]);
  });
});

describe('a site that was recorded over https', () => {
  it('is replayed over http under names of .localhost, with all its addresses', async () => {
    const folder = join(base, 'secure');
    {
      await using origin = await secureOrigin((request, response) => {
        const own = `https://${request.headers.host ?? ''}`;
        response.writeHead(200, { 'content-type': 'text/html', 'strict-transport-security': 'max-age=9' });
        response.end(request.url === '/' ? `<title>Safe</title><a href="${own}/next">next</a>` : '<title>Next</title>');
      });
      const authority = join(base, 'authority.pem');
      await writeFile(authority, origin.authority);
      const words = ['crawl', origin.url('/'), '-o', folder, '--snapshot', 'warc', '--render', 'never', '--quiet'];
      const { code } = await runCommand(words, base, { NODE_EXTRA_CA_CERTS: authority }).ended;
      expect(code).toBe(0);
    } // the site is gone
    const again = join(base, 'secure-again');
    await crawl(folder, again, { render: 'never' });
    const pages = await linesOf<PageRecord>(again, 'pages.jsonl');
    expect(pages.map(({ url, title }) => [new URL(url).pathname, title])).toEqual([
      ['/', 'Safe'],
      ['/next', 'Next'],
    ]);
    expect(pages.every(({ url }) => /^http:\/\/[a-z0-9.-]+\.localhost:\d+\//.test(url))).toBe(true);
  });
});
