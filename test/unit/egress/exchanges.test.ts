/** The recorder's reports of requests over plain HTTP and over TLS: both the same, and as the server sent them. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Egress } from '../../../src/egress/egress.ts';
import { hearExchanges, type HeardExchanges } from '../../support/heard-exchanges.ts';
import { httpOrigin } from '../../support/origin.ts';
import { secureOrigin } from '../../support/secure-origin.ts';
import { until } from '../../support/until.ts';
import { admitted, egressTo, rawToProxy, viaProxy, type Reply } from './through-proxy.ts';
import { ask, throughTunnel, viaTunnel } from './through-tunnel.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Site extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly connected: () => number;
  /** The beginning of a request target, before the path. */
  readonly target: string;
  /** Opens a connection for writing requests. */
  readonly open: (egress: Egress) => Promise<Duplex>;
  /** A request head that the proxy admits on it. */
  readonly written: (egress: Egress, head: string) => string;
  readonly trusted: readonly string[];
  readonly ask: (egress: Egress, target: string, options?: Parameters<typeof viaProxy>[2]) => Promise<Reply>;
}

async function plainSite(listener: Listener): Promise<Site> {
  const origin = await httpOrigin(listener);
  const { port, url } = origin;
  return {
    port,
    url,
    connected: () => origin.open(),
    target: url,
    open: (egress) =>
      Promise.resolve(connect(Number(new URL(egress.proxyUrl).port), '127.0.0.1').on('error', () => {})),
    written: admitted,
    trusted: [],
    ask: viaProxy,
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  };
}

async function secureSite(listener: Listener): Promise<Site> {
  const origin = await secureOrigin(listener);
  const url = origin.url('');
  return {
    port: origin.port,
    url,
    connected: () => origin.open(),
    target: '',
    open: (egress) => throughTunnel(egress, url),
    written: (_egress, head) => head,
    trusted: [origin.authority],
    ask: viaTunnel,
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  };
}

describe.each([
  ['over plain HTTP', plainSite],
  ['over TLS', secureSite],
])('an exchange %s', (_title, open) => {
  let heard: HeardExchanges;
  let site: Site;
  let egress: Egress;
  let listener: Listener = (_request, response) => response.end();
  beforeEach(async () => {
    heard = hearExchanges();
    site = await open((request, response) => listener(request, response));
    egress = await egressTo([site.port], { recorder: heard, trusted: site.trusted });
  });
  afterEach(async () => {
    await egress[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    expect(heard.faults).toEqual([]);
  });

  test('is told with the headers of both sides as they were sent, and the packed body as it was', async () => {
    const packed = gzipSync('Words '.repeat(1000));
    listener = (_request, response) => {
      response.writeHead(203, 'As It Is', [
        'X-One',
        '1',
        'Set-Cookie',
        'a=1',
        'set-cookie',
        'b=2',
        'Content-Encoding',
        'gzip',
      ]);
      response.end(packed);
    };
    const before = Date.now();
    const reply = await site.ask(egress, `${site.url}/a%20b?q=%7e&r=[]`, {
      headers: { 'X-Kept': 'Ä'.normalize(), te: 'trailers' },
    });
    expect(reply.body).toEqual(packed);
    const { request, requestBody, answer, body, end } = heard.of(`${site.url}/a%20b?q=%7e&r=[]`);
    expect(request.method).toBe('GET');
    expect(request.headers).toEqual([
      ['Host', new URL(site.url).host],
      ['X-Kept', 'Ä'],
    ]);
    expect(request.startedAt).toBeGreaterThanOrEqual(before);
    expect(requestBody).toHaveLength(0);
    expect(answer).toMatchObject({ httpVersion: '1.1', status: 203, statusText: 'As It Is', address: '127.0.0.1' });
    expect(answer?.headers.slice(0, 4)).toEqual([
      ['X-One', '1'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['Content-Encoding', 'gzip'],
    ]);
    expect([body.equals(packed), end]).toEqual([true, 'complete']);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'gzip, deflate, br'],
    ['gzip, ZSTD;q=0.5, dcb,dcz', 'gzip'],
    ['zstd', 'identity'],
    ['gzip;q=0, br', 'gzip;q=0, br'],
  ])('asks for codings that can be read from an archive: %s', async (asked, sent) => {
    let seen: string | undefined;
    listener = (request, response) => {
      seen = request.headers['accept-encoding']?.toString();
      response.end();
    };
    await site.ask(egress, `${site.url}/`, { headers: { 'Accept-Encoding': asked } });
    expect(seen).toBe(sent);
    expect(heard.of(`${site.url}/`).request.headers).toContainEqual(['Accept-Encoding', sent]);
  });

  test('in chunks is told without the marks between them', async () => {
    const parts = ['one, ', 'two, ', 'three'];
    listener = (_request, response) => {
      for (const part of parts) response.write(part);
      response.end();
    };
    await site.ask(egress, `${site.url}/`);
    const { answer, body, end } = heard.of(`${site.url}/`);
    expect(answer?.headers).toContainEqual(['Transfer-Encoding', 'chunked']);
    expect([body.toString(), end]).toEqual(['one, two, three', 'complete']);
  });

  test.each([
    ['HEAD', 200, { 'content-length': '5' }],
    ['GET', 204, {}],
    ['GET', 304, { etag: '"x"' }],
    ['GET', 301, { location: '/elsewhere', 'content-length': '0' }],
    ['OPTIONS', 200, { 'content-length': '0' }],
  ])('by %s whose answer %i has no body is complete', async (method, status, headers) => {
    listener = (_request, response) => response.writeHead(status, headers).end();
    const reply = await site.ask(egress, `${site.url}/`, { method });
    expect(reply.status).toBe(status);
    expect(heard.all).toHaveLength(1);
    const { request, answer, body, end } = heard.of(`${site.url}/`);
    expect([request.method, answer?.status, body.length, end]).toEqual([method, status, 0, 'complete']);
    for (const header of Object.entries(headers)) expect(answer?.headers).toContainEqual(header);
  });

  test.each([
    ['with a length', 'content-length'],
    ['in chunks', 'transfer-encoding'],
  ])('that sends a body %s is told of it', async (_way, framing) => {
    const sent = Buffer.alloc(300_000, 'orbweaver ');
    listener = (request, response) => request.pipe(response);
    const headers = { [framing]: framing === 'content-length' ? String(sent.length) : 'chunked' };
    await site.ask(egress, `${site.url}/`, { method: 'POST', headers, body: sent });
    const { request, requestBody, body, end } = heard.of(`${site.url}/`);
    expect([requestBody.equals(sent), body.equals(sent), end]).toEqual([true, true, 'complete']);
    expect(request.headers.map(([name]) => name.toLowerCase())).not.toContain('transfer-encoding');
  });

  test('that is answered before its body was read is told of all of it', async () => {
    const sent = Buffer.alloc(3_000_000, 'orbweaver ');
    listener = (request, response) => {
      response.end('soon');
      request.resume();
    };
    const client = await site.open(egress);
    client.write(
      site.written(egress, `POST ${site.target}/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${sent.length}\r\n\r\n`),
    );
    client.write(sent);
    await until(() => (heard.all[0]?.end ?? null) !== null, 'the end');
    const { requestBody, body, end } = heard.of(`${site.url}/`);
    expect([requestBody.equals(sent), body.toString(), end]).toEqual([true, 'soon', 'complete']);
    client.destroy();
  });

  test.each(['the origin', 'the client'])(
    'that is answered before its body was read is complete where %s then goes',
    async (who) => {
      let go = (): void => {};
      listener = (request, response) => {
        response.writeHead(413, { 'content-length': '5' }).end('large');
        go = () => request.socket.destroy();
      };
      const client = await site.open(egress);
      client.write(
        site.written(egress, `POST ${site.target}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\nsome of it`),
      );
      await until(() => heard.all[0]?.body.length === 5, 'the answer');
      if (who === 'the origin') go();
      else client.destroy();
      await until(() => (heard.all[0]?.end ?? null) !== null, 'the end');
      const { requestBody, answer, body, end } = heard.of(`${site.url}/`);
      expect([requestBody.toString(), answer?.status, body.toString(), end]).toEqual([
        'some of it',
        413,
        'large',
        'complete',
      ]);
      client.destroy();
      await until(() => site.connected() === 0, 'the origin to be left');
    },
  );

  test('that the origin cuts short is disconnected, and what came of it is told', async () => {
    listener = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    const complete = await site.ask(egress, `${site.url}/`).then(
      (reply) => reply.complete,
      () => false,
    );
    await until(() => heard.of(`${site.url}/`).end !== null, 'the end');
    const { answer, body, end } = heard.of(`${site.url}/`);
    expect([complete, answer?.status, body.toString(), end]).toEqual([false, 200, 'half', 'disconnect']);
  });

  test('that the origin does not answer has an end and no answer', async () => {
    listener = (request) => request.socket.destroy();
    const reply = await site.ask(egress, `${site.url}/`);
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'reset']);
    const { answer, end } = heard.of(`${site.url}/`);
    expect([answer, end]).toEqual([null, 'disconnect']);
  });

  test('that is closed with the gate is cancelled before the gate is closed', async () => {
    listener = (_request, response) => void response.write('endless');
    site.ask(egress, `${site.url}/`).catch(() => {}); // the request is cut short
    await until(() => heard.all[0]?.body.length === 7, 'the first bytes');
    await egress[Symbol.asyncDispose]();
    expect(heard.of(`${site.url}/`).end).toBe('cancelled');
  });

  test('keeps its connection for the next one', async () => {
    listener = (_request, response) => response.end('ok');
    for (let index = 0; index < 3; index += 1) await site.ask(egress, `${site.url}/${index}`);
    expect(heard.all.map(({ body, end }) => `${body.toString()} ${end}`)).toEqual([
      'ok complete',
      'ok complete',
      'ok complete',
    ]);
  });
});

describe('an exchange', () => {
  test('whose client goes away is cancelled', async () => {
    await using origin = await httpOrigin((_request, response) => void response.write('endless'));
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard });
    const { socket } = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    socket.destroy();
    await until(() => heard.of(`${origin.url}/`).end !== null, 'the end');
    expect(heard.of(`${origin.url}/`)).toMatchObject({ end: 'cancelled', answer: { status: 200 } });
    await until(() => origin.open() === 0, 'the origin to be left');
  });

  test('whose client goes away within TLS is cancelled', async () => {
    await using origin = await secureOrigin((_request, response) => void response.write('endless'));
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard, trusted: [origin.authority] });
    const tls = await throughTunnel(egress, origin.url('/'));
    tls.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(tls, 'data');
    tls.destroy();
    await until(() => heard.of(origin.url('/')).end !== null, 'the end');
    expect(heard.of(origin.url('/'))).toMatchObject({ end: 'cancelled', answer: { status: 200 } });
    await until(() => origin.open() === 0, 'the origin to be left');
  });

  test('that is sent again on a new connection is told once', async () => {
    let asked = 0;
    await using origin = await secureOrigin((request, response) => {
      asked += 1;
      if (asked === 2) request.socket.destroy();
      else response.end('ok');
    });
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard, trusted: [origin.authority] });
    const tls = await throughTunnel(egress, origin.url('/'));
    expect((await ask(tls, '/1')).body.toString()).toBe('ok');
    const again = await throughTunnel(egress, origin.url('/'));
    expect((await ask(again, '/2')).body.toString()).toBe('ok');
    expect(asked).toBe(3);
    expect(heard.of(origin.url('/2'))).toMatchObject({ end: 'complete', answer: { status: 200 } });
    for (const each of [tls, again]) each.destroy();
  });

  test('of twenty megabytes waits for its client, and is told to the byte', async () => {
    const megabyte = Buffer.alloc(1_000_000, 'flat ');
    let sent = 0;
    await using origin = await secureOrigin((_request, response) => {
      const more = (): void => {
        while (sent < 20) {
          sent += 1;
          if (!response.write(megabyte)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      response.setHeader('content-length', 20_000_000);
      more();
    });
    let told = 0;
    let end: string | null = null;
    const recorder = {
      begin: () => ({
        requestBody: () => {},
        answered: () => {},
        body: (chunk: Uint8Array) => {
          told += chunk.length;
        },
        end: (how: string) => {
          end = how;
        },
      }),
    };
    await using egress = await egressTo([origin.port], { recorder, trusted: [origin.authority] });
    const tls = await throughTunnel(egress, origin.url('/'));
    tls.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`);
    tls.pause();
    let [before, still] = [-1, 0];
    await until(() => {
      // the flow stops while the client does not read
      still = told > 0 && told === before ? still + 1 : 0;
      before = told;
      return still > 10;
    }, 'the flow to stand still');
    expect([sent < 20, end]).toEqual([true, null]);
    let received = 0;
    tls.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    tls.resume();
    await until(() => end !== null && received > 20_000_000, 'the whole of it');
    expect([told, end]).toEqual([20_000_000, 'complete']);
    tls.destroy();
  });

  test('that its recorder does not want goes on all the same', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    await using egress = await egressTo([origin.port], { recorder: { begin: () => null } });
    expect((await viaProxy(egress, `${origin.url}/`)).body.toString()).toBe('ok');
  });
});
