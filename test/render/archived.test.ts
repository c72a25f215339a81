/** The gate's record of a page that a browser loads over TLS: the document and every part, as the server sent them. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { epochMs, hours, milliseconds, seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import type { ExchangeRecorder } from '../../src/model/exchange.ts';
import { hearExchanges, type HeardExchanges } from '../support/heard-exchanges.ts';
import { rawOrigin } from '../support/origin.ts';
import { secureOrigin, type SecureOrigin } from '../support/secure-origin.ts';
import { until } from '../support/until.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

/** An answer in parts; a single part is sent with its length, several in chunks. */
interface Sent {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly (Buffer | string)[];
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A style sheet, which a page waits for in full. */
const NOISE = Buffer.from(`/* ${randomBytes(1_000_000).toString('hex')} */`);

const SITE: Readonly<Record<string, Sent>> = {
  '/': {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' },
    parts: [
      gzipSync(`<!doctype html><title>packed</title><link rel=stylesheet href=/style.css><link rel=stylesheet href=/noise.css><a href=/next>next</a>
        <img src=/picture.png><img src=/moved.png><iframe src=/frame></iframe><script src=/script.js></script>`),
    ],
  },
  '/style.css': { headers: { 'content-type': 'text/css' }, parts: ['body{background:', 'url(/back.png)', '}'] },
  '/back.png': { headers: { 'content-type': 'image/png' }, parts: [PICTURE] },
  '/picture.png': { headers: { 'content-type': 'image/png', etag: '"1"' }, parts: [PICTURE] },
  '/moved.png': { status: 302, headers: { location: '/picture2.png' }, parts: ['moved'] },
  '/picture2.png': { headers: { 'content-type': 'image/png' }, parts: [PICTURE] },
  '/frame': { headers: { 'content-type': 'text/html' }, parts: ['<p>in a ', 'frame</p>'] },
  '/script.js': {
    headers: { 'content-type': 'text/javascript', 'content-encoding': 'br' },
    parts: [
      brotliCompressSync(`
        const body = 'x'.repeat(100000);
        Promise.all([
          fetch('/api', { method: 'POST', body }).then((answer) => answer.json()),
          fetch('/nothing'),
          fetch('/head', { method: 'HEAD' }),
        ]).then(([{ path }]) => {
          document.title += ' ' + isSecureContext;
          document.body.insertAdjacentHTML('beforeend', '<a href=' + path + '>later</a>');
        });`),
    ],
  },
  '/api': { headers: { 'content-type': 'application/json' }, parts: ['{"path":', '"/later"}'] },
  '/nothing': { status: 204, headers: {}, parts: [] },
  '/noise.css': { headers: { 'content-type': 'text/css' }, parts: [NOISE.subarray(0, 5), NOISE.subarray(5)] },
  '/head': { headers: { 'content-type': 'text/plain', 'content-length': '5' }, parts: [] },
};

function serve(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const { status = 200, headers, parts } = SITE[request.url ?? ''] ?? { status: 404, headers: {}, parts: [] };
  response.writeHead(status, parts.length === 1 ? { ...headers, 'content-length': parts[0]?.length ?? 0 } : headers);
  for (const part of parts) response.write(part);
  response.end();
}

function gateTo(
  origins: readonly SecureOrigin[],
  recorder: ExchangeRecorder | null,
  ports: readonly number[] = [],
): Promise<Egress> {
  return openEgress(
    {
      grants: [...origins.map(({ port }) => port), ...ports].map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: milliseconds(700),
      resolveTimeout: seconds(3),
    },
    { log: silentLog, recorder, trusted: origins.map(({ authority }) => authority) },
  );
}

describe('a page over TLS whose exchanges are kept', () => {
  let site: SecureOrigin;
  let expired: SecureOrigin;
  let egress: Egress;
  let bench: Bench;
  let heard: HeardExchanges;
  beforeAll(async () => {
    site = await secureOrigin(serve);
    const past = { ...systemClock, now: () => epochMs(Date.now() - hours(24 * 30)) };
    expired = await secureOrigin(serve, { clock: past });
    egress = await gateTo([site, expired], { begin: (request) => heard.begin(request) });
    bench = await openBench({ workers: 1 }, { egress });
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await expired[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    heard = hearExchanges();
  });

  test('is told whole: every part once, byte for byte as it was sent', async () => {
    const page = await bench.capture(site.url('/'));
    expect(page.title).toBe('packed true');
    expect(paths(page, 'anchor')).toEqual(['/later', '/next']);
    const told = heard.all.filter(({ request }) => !request.url.endsWith('/favicon.ico'));
    expect(told.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`).sort()).toEqual(
      Object.keys(SITE)
        .map((path) => `${path === '/api' ? 'POST' : path === '/head' ? 'HEAD' : 'GET'} ${path}`)
        .sort(),
    );
    await until(() => told.every(({ end }) => end !== null), 'the ends of all');
    for (const { request, requestBody, answer, body, end } of told) {
      const path = new URL(request.url).pathname;
      const sent = SITE[path];
      expect([path, answer?.status, end]).toEqual([path, sent?.status ?? 200, 'complete']);
      expect([path, body.equals(Buffer.concat((sent?.parts ?? []).map((part) => Buffer.from(part))))]).toEqual([
        path,
        true,
      ]);
      for (const [name, value] of Object.entries(sent?.headers ?? {}))
        expect(answer?.headers).toContainEqual([name, value]);
      expect(requestBody.length).toBe(path === '/api' ? 100_000 : 0);
      expect(answer?.address).toBe('127.0.0.1');
      const userAgents = request.headers.filter(([name]) => name.toLowerCase() === 'user-agent');
      expect(userAgents).toEqual([['User-Agent', 'OrbweaverTest/1.0 (+https://example.org/bot)']]);
    }
    expect(heard.faults).toEqual([]);
  });

  test('is told of what its browser asks for, and not of what it has in its cache', async () => {
    await using own = await secureOrigin((request, response) => {
      const isPage = request.url?.startsWith('/page') === true;
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'image/png', 'cache-control': 'max-age=600' });
      response.end(isPage ? `<title>${request.url}</title><img src=/kept.png>` : PICTURE);
    });
    await using gate = await gateTo([own], { begin: (request) => heard.begin(request) });
    await using second = await openBench({ workers: 1 }, { egress: gate });
    for (const path of ['/page1', '/page2']) expect((await second.capture(own.url(path))).title).toBe(path);
    const asked = own.requests.filter((line) => !line.includes('favicon'));
    expect(asked).toEqual(['GET /page1', 'GET /kept.png', 'GET /page2']);
    const told = heard.all
      .map(({ request }) => new URL(request.url).pathname)
      .filter((path) => path !== '/favicon.ico');
    expect(told).toEqual(['/page1', '/kept.png', '/page2']);
  });

  test('whose certificate has ended, or is of another, cannot be reached for that reason', async () => {
    expect(await bench.render(expired.url('/'))).toMatchObject({ kind: 'unreachable', failure: 'tls' });
    expect(expired.requests).toEqual([]);
    await using other = await secureOrigin(serve, { name: 'other.localhost' });
    await using gate = await gateTo([other], hearExchanges());
    await using second = await openBench({ workers: 1 }, { egress: gate });
    expect(await second.render(other.url('/'))).toMatchObject({ kind: 'unreachable', failure: 'tls' });
    expect(other.requests).toEqual([]);
  });

  test('whose part cannot be reached is a page all the same', async () => {
    const title = `title-${Math.random()}`;
    await using own = await secureOrigin((request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(request.url === '/' ? `<title>${title}</title><script src="${expired.url('/script.js')}"></script>` : ''),
    );
    await using gate = await gateTo([own], hearExchanges(), [expired.port]);
    await using second = await openBench({ workers: 1 }, { egress: gate });
    expect((await second.capture(own.url('/'))).title).toBe(title);
    expect(expired.requests).toEqual([]);
  });

  test.each([
    ['resets the handshake', 'reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['says nothing in it', 'timeout', () => {}],
    ['speaks no TLS', 'tls', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad\r\n\r\n')],
  ])('whose server %s ends as %s', async (_title, failure, act) => {
    await using origin = await rawOrigin((socket) => void socket.once('data', () => act(socket)));
    egress.grant({ cidr: '127.0.0.1', port: origin.port });
    const outcome = await bench.render(`https://secure.localhost:${origin.port}/`);
    expect(outcome).toMatchObject({ kind: 'unreachable', failure });
  });

  test('whose address is not granted is blocked', async () => {
    await using canary = await secureOrigin(serve);
    expect(await bench.render(canary.url('/'))).toMatchObject({ kind: 'blocked-address' });
    expect(canary.connections()).toBe(0);
  });
});

test('a page over TLS is not decrypted where nothing is kept: its browser sees the certificate of the site', async () => {
  await using site = await secureOrigin(serve);
  await using egress = await gateTo([site], null);
  await using bench = await openBench({ workers: 1 }, { egress });
  // the gate would trust the certificate, the browser does not know it
  expect(await bench.render(site.url('/'))).toMatchObject({ kind: 'unreachable', failure: 'tls' });
  expect(site.requests).toEqual([]);
});

test("another crawl's authority is trusted by nobody", async () => {
  await using site = await secureOrigin(serve);
  await using egress = await gateTo([site], hearExchanges());
  await using other = await gateTo([site], hearExchanges());
  await using bench = await openBench({ workers: 1 }, { egress: { ...egress, authority: other.authority } });
  expect(await bench.render(site.url('/'))).toMatchObject({ kind: 'unreachable', failure: 'tls' });
  expect(site.requests).toEqual([]);
});
