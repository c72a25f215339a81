import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { BROWSER_LANGUAGE } from '../../../browsers/protocol/browser.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { fetchDocument, type DocumentAnswer, type DocumentRequest } from '../../../src/fetch/document.ts';
import { canonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';

const signal = new AbortController().signal;

async function egressTo(...ports: readonly number[]): Promise<Egress> {
  return await openEgress(
    {
      grants: ports.map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
    },
    { log: silentLog },
  );
}

async function get(port: number, egress: Egress, more: Partial<DocumentRequest> = {}): Promise<DocumentAnswer> {
  const url = canonicalUrl(`http://127.0.0.1:${port}/page?q=1#/route`);
  if (url === null) throw new Error('no URL');
  const asked: DocumentRequest = {
    url,
    userAgent: 'Test/1',
    headers: {},
    timeout: seconds(10),
    bodyTimeout: seconds(10),
    wantsFile: () => false,
    ...more,
  };
  return fetchDocument(asked, { egress, clock: systemClock }, signal);
}

async function fromListener(listener: RequestListener, more: Partial<DocumentRequest> = {}): Promise<DocumentAnswer> {
  await using origin = await httpOrigin(listener);
  await using egress = await egressTo(origin.port);
  return await get(origin.port, egress, more);
}

async function fromBytes(answer: string | Buffer, more: Partial<DocumentRequest> = {}): Promise<DocumentAnswer> {
  await using origin = await cannedOrigin(answer);
  await using egress = await egressTo(origin.port);
  return await get(origin.port, egress, more);
}

const HTML = '<!doctype html><title>a</title>';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked';
/** Digits that hardly shrink. */
const noise = Array.from({ length: 5000 }, (_, index) => Math.imul(index, 2_654_435_761) >>> 0).join(' ');

describe('the document of a visit', () => {
  test('is asked for as a browser does it, with the headers of the user', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    await using origin = await httpOrigin((request, response) => {
      seen = request.headers;
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(HTML);
    });
    await using egress = await egressTo(origin.port);
    const answer = await get(origin.port, egress, { headers: { Authorization: 'Basic x' } });
    expect(answer).toMatchObject({ kind: 'document', head: { status: 200, contentType: 'text/html' } });
    expect(origin.requests).toEqual(['GET /page?q=1']);
    expect(seen).toMatchObject({
      'user-agent': 'Test/1',
      authorization: 'Basic x',
      'upgrade-insecure-requests': '1',
      'sec-fetch-mode': 'navigate',
      'accept-language': BROWSER_LANGUAGE,
    });
    expect(String(seen['accept'])).toMatch(/^text\/html,application\/xhtml\+xml,/);
  });

  test.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from('/тест?q=é'), '/%D1%82%D0%B5%D1%81%D1%82?q=%C3%A9'],
    ['another encoding', Buffer.from('/caf\xe9', 'latin1'), '/caf%E9'],
  ])('leads to where a browser goes by a Location in %s', async (_encoding, address, location) => {
    const head = Buffer.from('HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLink: </é>; rel=next\r\nLocation: ');
    const answer = await fromBytes(Buffer.concat([head, address, Buffer.from('\r\n\r\n')]));
    expect(answer).toMatchObject({ kind: 'judged', verdict: { kind: 'redirected', location } });
    if (answer.kind === 'judged') expect(answer.head.headers).toContainEqual(['link', '</é>; rel=next']);
  });

  test('is asked for in the language that the user names', async () => {
    let language: unknown;
    await fromListener(
      (request, response) => {
        language = request.headers['accept-language'];
        response.end();
      },
      { headers: { 'Accept-Language': 'de' } },
    );
    expect(language).toBe('de');
  });

  test('has every header as often as it came, without those of the connection', async () => {
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, [
        ['Content-Type', 'text/html'],
        ['Set-Cookie', 'a=1'],
        ['X-Orbweaver-Refused', 'a lie'],
        ['Link', '</n>; rel=next'],
        ['Set-Cookie', 'b=2'],
      ]);
      response.end(HTML);
    });
    if (answer.kind !== 'document') throw new Error(answer.kind);
    expect(answer.head.headers.filter(([name]) => name !== 'date')).toEqual([
      ['content-type', 'text/html'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['link', '</n>; rel=next'],
    ]);
  });

  test('has headers beyond ASCII as browsers read them: UTF-8, or bytes', async () => {
    const bytes = (text: string): string => Buffer.from(text).toString('latin1');
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', Link: bytes('</zurück>; rel=prev'), 'X-Old': 'r\xfcck' });
      response.end(HTML);
    });
    if (answer.kind !== 'document') throw new Error(answer.kind);
    expect(answer.head.headers).toContainEqual(['link', '</zurück>; rel=prev']);
    expect(answer.head.headers).toContainEqual(['x-old', 'r\xfcck']);
  });

  test.each([
    ['/straße?q=€', '/stra%C3%9Fe?q=%E2%82%AC'],
    [Buffer.from('/stra\xdfe', 'latin1'), '/stra%DFe'],
    ['/stra%C3%9Fe', '/stra%C3%9Fe'],
  ])('that redirects leads where it leads a browser: %s', async (location, target) => {
    const answer = await fromListener((_request, response) => {
      response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
    });
    expect(answer).toMatchObject({ kind: 'judged', verdict: { kind: 'redirected', location: target } });
  });

  test.each([
    ['gzip', gzipSync(HTML)],
    ['br', brotliCompressSync(HTML)],
    ['deflate', deflateRawSync(HTML)],
    ['gzip', gzipSync(HTML).subarray(0, -8)],
    ['gzip', Buffer.concat([gzipSync(HTML), Buffer.from('\n')])],
    ['utf-8', Buffer.from(HTML)],
  ])('comes decoded from %s', async (encoding, body) => {
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': encoding }).end(body);
    });
    expect(answer.kind === 'document' && Buffer.from(answer.body).toString()).toBe(HTML);
  });

  test('is what could be decoded of it, as in a browser', async () => {
    const packed = gzipSync(HTML + noise).subarray(0, -1000);
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(packed);
    });
    expect(answer).toMatchObject({ kind: 'document', truncated: 'encoding' });
    expect(answer.kind === 'document' && Buffer.from(answer.body).toString()).toMatch(/^<!doctype html><title>a</);
  });

  test.each([
    [
      'an unasked 100 Continue before it',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: ${HTML.length}`,
      HTML,
    ],
    ['a later version of HTTP/1', `HTTP/1.2 200 OK\r\nContent-Length: ${HTML.length}`, HTML],
    ['blanks behind the size of a chunk', CHUNKED, `${HTML.length.toString(16)}  \r\n${HTML}\r\n0\r\n\r\n`],
  ])('is read as browsers read it with %s', async (_what, head, body) => {
    const answer = await fromBytes(`${head}\r\nContent-Type: text/html\r\n\r\n${body}`);
    expect(answer.kind === 'document' && Buffer.from(answer.body).toString()).toBe(HTML);
  });

  test('is what had come of it where the connection broke', async () => {
    const answer = await fromBytes(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999\r\n\r\n${HTML}`);
    expect(answer.kind === 'document' && Buffer.from(answer.body).toString()).toBe(HTML);
  });
});

test('a document that does not end in time is what had come of it', async () => {
  const answer = await fromListener(
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.write(HTML);
    },
    { bodyTimeout: milliseconds(300) },
  );
  expect(answer).toMatchObject({ kind: 'document', truncated: 'time' });
  expect(answer.kind === 'document' && Buffer.from(answer.body).toString()).toBe(HTML);
});

describe('an answer that is no document', () => {
  test.each([
    ['a redirect', '302 Found', 'Location: /b', { kind: 'redirected', location: '/b' }],
    ['an error', '404 Not Found', 'Content-Type: text/html', { kind: 'http-error' }],
    ['a full host', '429 Slow', 'Retry-After: 7', { kind: 'throttled', retryAfter: '7' }],
    ['a picture', '200 OK', 'Content-Type: image/png', { kind: 'not-html' }],
    ['an emptiness', '204 No Content', 'X: y', { kind: 'empty' }],
  ])('%s is judged by its head', async (_what, status, header, verdict) => {
    // the body never ends: code that waits for it fails here
    await using origin = await rawOrigin((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 ${status}\r\n${header}\r\n\r\nbeginning`));
    });
    await using egress = await egressTo(origin.port);
    expect(await get(origin.port, egress)).toMatchObject({ kind: 'judged', verdict });
  });

  test('a file that is wanted for its links is read', async () => {
    const answer = await fromListener(
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(gzipSync('/a'));
      },
      { wantsFile: (type, url) => type === 'text/plain' && url.includes('/page') },
    );
    if (answer.kind !== 'judged') throw new Error(answer.kind);
    expect(answer.verdict).toEqual({ kind: 'not-html' });
    expect(Buffer.from(answer.file?.bytes ?? []).toString()).toBe('/a');
  });

  test('a body that grows without end is too large', async () => {
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
    });
    expect(answer).toMatchObject({ kind: 'none', outcome: { kind: 'too-large' } });
  });

  test('a head that does not come in time is late', async () => {
    const answer = await fromListener(() => {}, { timeout: milliseconds(300) });
    expect(answer).toMatchObject({ kind: 'none', outcome: { kind: 'timed-out' } });
  });

  test('a body that cannot be decoded is a bad response', async () => {
    const answer = await fromListener((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end('no gzip');
    });
    expect(answer).toMatchObject({ kind: 'none', outcome: { kind: 'unreachable', failure: 'bad-response' } });
  });

  test('an address that may not be connected to is blocked, and a closed port refuses', async () => {
    await using origin = await httpOrigin((_request, response) => response.end(HTML));
    await using egress = await egressTo();
    expect(await get(origin.port, egress)).toMatchObject({ kind: 'none', outcome: { kind: 'blocked-address' } });
    expect(origin.requests).toEqual([]);
    const { port } = origin;
    await origin[Symbol.asyncDispose]();
    await using open = await egressTo(port);
    expect(await get(port, open)).toMatchObject({ kind: 'none', outcome: { kind: 'unreachable', failure: 'refused' } });
  });
});
