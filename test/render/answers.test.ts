import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const status =
  (code: number, headers: Record<string, string | string[]> = {}, body = '<a href=/never>x</a>'): Route =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(code, { 'content-type': 'text/html', ...headers });
    response.end(code === 204 ? undefined : body);
  };

const ROUTES: Record<string, Route> = {
  '/ok': '<title>fine</title><a href=/a>a</a>',
  '/moved': status(302, { location: '/target?x' }),
  '/moved-nowhere': status(302, { location: '' }, '<title>shown</title><a href=/a>a</a>'),
  '/target': '<title>target</title>',
  '/404': status(404),
  '/500': status(500),
  '/401': status(401, { 'www-authenticate': 'Basic realm=x' }),
  '/429': status(429, { 'retry-after': '120' }),
  '/503': status(503),
  '/204': status(204),
  '/pdf': status(200, { 'content-type': 'application/pdf' }, '%PDF-1.4'),
  '/image': status(200, { 'content-type': 'Image/PNG; x=y' }),
  '/attachment': status(200, { 'content-disposition': 'attachment; filename=x.html' }),
  '/huge': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(16 * 1024 * 1024) });
    response.write('<a href=/never>x</a>');
  },
  '/reset': (request) => request.socket.destroy(),
  '/garbage': (request) => request.socket.end('\0\0\0\0\r\n\r\n'),
  '/untyped': (_request, response) => response.end('<html><title>sniffed</title><body><a href=/a>a</a>'),
  '/untyped-binary': (_request, response) => response.end(Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 0])),
  // nginx' `add_header Content-Type` adds a second one to its default
  '/typed-twice': status(
    200,
    { 'content-type': ['application/octet-stream', 'text/html; charset=utf-8'] },
    '<title>é</title>',
  ),
  '/no-type': status(200, { 'content-type': 'html' }, '<html><title>sniffed</title>'),
  '/empty': '',
  '/hints': status(
    200,
    { 'accept-ch': 'Sec-CH-UA-Full-Version-List, DPR', 'critical-ch': 'Sec-CH-UA-Full-Version-List' },
    '<title>hints</title><a href=/a>a</a>',
  ),
  '/robots-header': status(200, { 'x-robots-tag': 'NoIndex, nofollow' }, '<meta name=robots content="noarchive">'),
  '/framed-redirect': '<iframe src="/in-frame"></iframe>',
  '/in-frame': status(302, { location: '/frame-target' }),
  '/frame-target': '<a href="/from-frame">x</a>',
};

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('an answer is judged before its body is rendered', () => {
  test('a redirect is an ending: its target is not asked for', async () => {
    const outcome = await bench.render(site.url('/moved'));
    expect(outcome).toMatchObject({ kind: 'redirected', location: '/target?x', answer: { status: 302 } });
    expect(site.paths()).not.toContain('/target?x');
  });

  test('a redirect without an address is a page', async () => {
    expect(await bench.capture(site.url('/moved-nowhere'))).toMatchObject({ title: 'shown', status: 302 });
  });

  test.each(['/404', '/500', '/401'])('%s is an HTTP error', async (path) => {
    expect(await bench.render(site.url(path))).toMatchObject({
      kind: 'http-error',
      answer: { status: Number(path.slice(1)), contentType: 'text/html' },
    });
  });

  test('429 and 503 ask to be left alone, for as long as they say', async () => {
    expect(await bench.render(site.url('/429'))).toMatchObject({ kind: 'throttled', retryAfter: 120_000 });
    expect(await bench.render(site.url('/503'))).toMatchObject({ kind: 'throttled', retryAfter: null });
  });

  test('204 is a captured page without content', async () => {
    const page = await bench.capture(site.url('/204'));
    expect(page).toMatchObject({
      status: 204,
      rendered: false,
      html: null,
      foundLinks: [],
      settle: { reason: 'not-rendered' },
    });
  });

  test.each([
    ['/pdf', 'application/pdf'],
    ['/image', 'image/png'],
    ['/attachment', 'text/html'],
  ])('%s is not HTML to be rendered', async (path, contentType) => {
    expect(await bench.render(site.url(path))).toMatchObject({
      kind: 'not-html',
      answer: { status: 200, contentType },
    });
  });

  test('a document that says it is larger than 15 MiB is not taken in', async () => {
    expect(await bench.render(site.url('/huge'))).toMatchObject({ kind: 'too-large' });
  });

  test('an answer without a type is rendered where the browser takes it for HTML, and not where it does not', async () => {
    expect(await bench.capture(site.url('/untyped'))).toMatchObject({ title: 'sniffed', contentType: 'text/html' });
    expect(await bench.render(site.url('/untyped-binary'))).toMatchObject({ kind: 'not-html' });
  });

  test('of two types the last counts, and a word that is none says nothing', async () => {
    expect(await bench.capture(site.url('/typed-twice'))).toMatchObject({ title: 'é', contentType: 'text/html' });
    expect(await bench.capture(site.url('/no-type'))).toMatchObject({ title: 'sniffed', contentType: 'text/html' });
  });

  test('an empty page is captured', async () => {
    const page = await bench.capture(site.url('/empty'));
    expect(page).toMatchObject({ status: 200, text: '', foundLinks: [], title: '' });
  });

  test('a page for which the browser asks once more, with the hints that it wants, is rendered', async () => {
    const page = await bench.capture(site.url('/hints'));
    expect([page.title, paths(page)]).toEqual(['hints', ['/a']]);
  });

  test('robots directives of header and document are joined', async () => {
    expect((await bench.capture(site.url('/robots-header'))).robots).toEqual(['noarchive', 'noindex', 'nofollow']);
  });

  test('a redirect inside a frame is followed', async () => {
    const page = await bench.capture(site.url('/framed-redirect'));
    expect(paths(page)).toEqual(['/from-frame', '/in-frame']);
  });
});

describe('a server that does not answer', () => {
  test('refused, reset and nonsense have their names', async () => {
    await using gone = await FixtureServer.open({});
    const url = gone.url('/');
    await gone[Symbol.asyncDispose]();
    expect(await bench.render(url)).toMatchObject({ kind: 'unreachable', failure: 'refused' });
    expect(await bench.render(site.url('/reset'))).toMatchObject({ kind: 'unreachable', failure: 'reset' });
    expect(await bench.render('http://no-such-host.invalid/')).toMatchObject({ kind: 'unreachable', failure: 'dns' });
    expect(await bench.render(site.url('/ok', '127.0.0.1').replace('http:', 'https:'))).toMatchObject({
      kind: 'unreachable',
      failure: 'tls',
    });
    expect(await bench.capture(site.url('/ok'))).toMatchObject({ title: 'fine' });
  });
});
