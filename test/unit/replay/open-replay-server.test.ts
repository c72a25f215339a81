import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { silentLog } from '../../../src/base/log.ts';
import { openReplayServer } from '../../../src/replay/open-replay-server.ts';
import { openTestArchive, pass, warcFiles } from '../../support/archive.ts';
import { storeCrawl } from '../../support/stored-crawl.ts';

test('a preflight request is allowed where the request that it asks for was recorded', async () => {
  await using stored = await storeCrawl({ crawl: { seeds: ['https://example.org/'] } });
  {
    await using archive = await openTestArchive(stored.folder);
    pass(archive, { url: 'https://example.org/' });
    pass(archive, { url: 'https://api.example.org/data', method: 'POST', requestBody: '{}' });
    await archive.seal();
  }
  await using replay = await openReplayServer(stored.folder, { port: 0 }, silentLog);
  const origin = replay.origins.get('https://example.org') ?? '';
  const { host } = new URL(replay.origins.get('https://api.example.org') ?? '');
  const ask = async (headers: Readonly<Record<string, string>>): Promise<IncomingMessage> => {
    const asked = request({
      ...{ host: '127.0.0.1', port: replay.port, path: '/data', method: 'OPTIONS', agent: false },
      headers: { host, ...headers },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };
  const allowed = await ask({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-key',
  });
  expect(allowed.statusCode).toBe(204);
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type,x-key',
    'access-control-allow-credentials': 'true',
  });
  expect(replay.missing).toBe(0);
  expect((await ask({ origin, 'access-control-request-method': 'PUT' })).statusCode).toBe(404);
  expect((await ask({ origin })).statusCode).toBe(404);
  expect(replay.missing).toBe(2);
});

test('a WACZ file without a list of pages begins at the first pages of its index', async () => {
  await using stored = await storeCrawl();
  {
    await using archive = await openTestArchive(stored.folder);
    const png = { headers: [['Content-Type', 'image/png']] } as const;
    pass(archive, { url: 'https://example.org/a.png', answer: png });
    pass(archive, { url: 'https://example.org/gone', answer: { status: 404 } });
    pass(archive, { url: 'https://example.org/sent', method: 'POST' });
    for (const path of ['', 'b']) pass(archive, { url: `https://example.org/${path}` });
    await archive.seal();
  }
  const zip = new ZipFile();
  const [name = ''] = await warcFiles(stored.folder);
  zip.addFile(join(stored.folder, 'archive', name), `archive/${name}`, { compress: false });
  zip.addFile(join(stored.folder, 'archive', 'index.cdxj'), 'indexes/index.cdxj', { compress: false });
  zip.end();
  const path = join(stored.base, 'no-pages.wacz');
  await pipeline(zip.outputStream, createWriteStream(path));
  await using replay = await openReplayServer(path, { port: 0 }, silentLog);
  const origin = replay.origins.get('https://example.org') ?? '';
  expect(replay.seeds).toEqual([`${origin}/`, `${origin}/b`]);
});

test('a record that is damaged counts as missing, unless an earlier answer of its address can be read', async () => {
  await using stored = await storeCrawl({ crawl: { seeds: ['https://example.org/'] } });
  {
    await using archive = await openTestArchive(stored.folder);
    pass(archive, { url: 'https://example.org/', body: 'as it was' });
    pass(archive, { url: 'https://example.org/', body: 'later', startedAt: Date.parse('2026-02-03T04:05:06Z') });
    pass(archive, { url: 'https://example.org/b' });
    await archive.seal();
  }
  const [name = ''] = await warcFiles(stored.folder);
  const archive = join(stored.folder, 'archive');
  const content = await readFile(join(archive, name));
  for (const line of (await readFile(join(archive, 'index.cdxj'), 'utf8')).split('\n')) {
    const { offset } = JSON.parse(/\{.*$/.exec(line)?.[0] ?? '{}') as { readonly offset?: string };
    if (/ 20260203|^org,example\)\/b /.test(line)) content.fill(0xff, Number(offset) + 20, Number(offset) + 60);
  }
  await writeFile(join(archive, name), content);
  const faults: unknown[] = [];
  const onMissing = (url: string, fault: string | null): unknown => faults.push([url, fault]);
  await using replay = await openReplayServer(stored.folder, { port: 0, onMissing }, silentLog);
  const host = new URL(replay.origins.get('https://example.org') ?? '').host;
  const answers: (readonly [number | undefined, string])[] = [];
  for (const path of ['/', '/b']) {
    const asked = get({ host: '127.0.0.1', port: replay.port, path, headers: { host }, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answers.push([answer.statusCode, (await buffer(answer)).toString()]);
  }
  expect(answers).toEqual([
    [200, 'as it was'],
    [404, 'The record of this address cannot be read: GET https://example.org/b\n'],
  ]);
  expect(faults).toEqual([['https://example.org/b', expect.stringMatching(/\.warc\.gz cannot be read at \d+: /)]]);
  expect(replay.missing).toBe(1);
});

test('a packed sitemap names the pages where they are served', async () => {
  await using stored = await storeCrawl({ crawl: { seeds: ['https://example.org/'] } });
  {
    await using archive = await openTestArchive(stored.folder);
    pass(archive, { url: 'https://example.org/' });
    const body = gzipSync('<?xml version="1.0"?><urlset><url><loc>https://example.org/a</loc></url></urlset>');
    const answer = { headers: [['Content-Type', 'application/x-gzip']] } as const;
    pass(archive, { url: 'https://example.org/sitemap.xml.gz', body, answer });
    await archive.seal();
  }
  await using replay = await openReplayServer(stored.folder, { port: 0 }, silentLog);
  const origin = replay.origins.get('https://example.org') ?? '';
  const headers = { host: new URL(origin).host };
  const asked = get({ host: '127.0.0.1', port: replay.port, path: '/sitemap.xml.gz', headers, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.headers['content-type']).toBe('application/x-gzip');
  expect(gunzipSync(await buffer(answer)).toString()).toContain(`<loc>${origin}/a</loc>`);
});
