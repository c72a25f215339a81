import { createServer as createSecureServer } from 'node:https';
import { connect as tcpConnect, type Socket } from 'node:net';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { seconds, milliseconds } from '../../../src/base/units.ts';
import type { NameResolver } from '../../../src/egress/dns-cache.ts';
import type { Egress, EgressOptions } from '../../../src/egress/egress.ts';
import { EgressError } from '../../../src/egress/egress-error.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { replyTo } from '../../../src/egress/proxy-reply.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';
import { CERTIFICATE, PRIVATE_KEY } from './secure-localhost.ts';

const signal = new AbortController().signal;
const nobody: NameResolver = { resolve: async (name) => await Promise.reject(new Error(`ENOTFOUND ${name}`)) };

/** Names with their answers; each answer of a list is given once, the last one for ever. */
function names(
  table: Readonly<Record<string, readonly (readonly string[])[]>>,
): NameResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      const answers = table[name] ?? [[]];
      const turn = asked.filter((each) => each === name).length;
      asked.push(name);
      return await Promise.resolve(answers[Math.min(turn, answers.length - 1)] ?? []);
    },
  };
}

async function egressTo(
  ports: readonly number[],
  more: Partial<EgressOptions> & { readonly resolver?: NameResolver; readonly trusted?: readonly string[] } = {},
): Promise<Egress> {
  const { resolver = nobody, trusted, ...options } = more;
  return await openEgress(
    {
      grants: ports.map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
      ...options,
    },
    { log: silentLog, resolver, ...(trusted === undefined ? {} : { trusted }) },
  );
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly body: Buffer;
  /** The answer ended as it should. */
  readonly complete: boolean;
}

/** One request in absolute-form, as a browser sends it. */
async function viaProxy(
  egress: Egress,
  target: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  } = {},
): Promise<Reply> {
  const proxy = new URL(egress.proxyUrl);
  return await new Promise((resolve, reject) => {
    const asked = httpRequest({
      host: proxy.hostname,
      port: proxy.port,
      method: options.method ?? 'GET',
      path: target,
      headers: { host: URL.canParse(target) ? new URL(target).host : 'x', ...options.headers },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      const done = (complete: boolean): void => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          raw: response.rawHeaders,
          body: Buffer.concat(chunks),
          complete,
        });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    asked.end(options.body);
  });
}

/** Sends bytes to the proxy and gives back the socket and the head of its answer. */
async function rawToProxy(egress: Egress, bytes: string): Promise<{ readonly socket: Socket; readonly head: string }> {
  const socket = tcpConnect({ host: '127.0.0.1', port: Number(new URL(egress.proxyUrl).port), allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(bytes);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const chunk = await Promise.race([once(socket, 'data'), once(socket, 'end'), once(socket, 'close')]);
    if (!Buffer.isBuffer(chunk[0])) break;
    head += chunk[0].toString('latin1');
  }
  return { socket, head };
}

describe('a plain request through the proxy', () => {
  test('reaches a granted origin in origin-form, and the answer comes back as it was', async () => {
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(203, 'As It Is', [
        ['X-One', '1'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['Content-Encoding', 'br'],
      ]);
      response.end('not brotli at all');
    });
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `${origin.url}/a%20b?q=%7e&r=[]`);
    expect(origin.requests).toEqual(['GET /a%20b?q=%7e&r=[]']);
    expect(reply.status).toBe(203);
    expect(reply.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(reply.raw).toContain('X-One');
    expect(reply.body.toString()).toBe('not brotli at all');
    expect(egress.counts()).toMatchObject({ requests: 1, refused: 0 });
    expect(egress.counts().received).toBeGreaterThan(100);
  });

  test('carries a body both ways unharmed, with a length and in chunks', async () => {
    await using origin = await httpOrigin((incoming, response) => {
      response.setHeader(
        'x-framing',
        incoming.headers['transfer-encoding'] ?? `length ${incoming.headers['content-length']}`,
      );
      incoming.pipe(response);
    });
    await using egress = await egressTo([origin.port]);
    const body = Buffer.alloc(3_000_000, 'orbweaver ');
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const sized = await viaProxy(egress, `${origin.url}/`, {
      method: 'POST',
      body,
      headers: { 'content-length': String(body.length) },
    });
    expect([sized.headers['x-framing'], digest(sized.body)]).toEqual([`length ${body.length}`, digest(body)]);
    const chunked = await viaProxy(egress, `${origin.url}/`, {
      method: 'PUT',
      body,
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect([chunked.headers['x-framing'], digest(chunked.body)]).toEqual(['chunked', digest(body)]);
    const empty = await viaProxy(egress, `${origin.url}/`, { method: 'POST', headers: { 'content-length': '0' } });
    expect([empty.headers['x-framing'], empty.body.length]).toEqual(['length 0', 0]);
  });

  test('loses the headers of its own connection and keeps the others', async () => {
    let seen: IncomingHttpHeaders = {};
    await using origin = await httpOrigin((incoming, response) => {
      seen = incoming.headers;
      response.writeHead(200, {
        connection: 'close, x-private',
        'x-private': '1',
        'x-public': '2',
        'proxy-authenticate': 'Basic',
        'x-orbweaver-refused': 'not at all',
      });
      response.end();
    });
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `${origin.url}/`, {
      headers: {
        host: 'other.example',
        connection: 'keep-alive, x-mine',
        'x-mine': '1',
        'x-kept': '2',
        te: 'trailers',
        'proxy-connection': 'keep-alive',
        'proxy-authorization': 'Basic eDp5',
      },
    });
    expect(seen).toMatchObject({ host: `127.0.0.1:${origin.port}`, 'x-kept': '2' });
    for (const name of ['x-mine', 'te', 'proxy-connection', 'proxy-authorization'])
      expect(seen).not.toHaveProperty(name);
    expect(reply.headers).toMatchObject({ 'x-public': '2' });
    for (const name of ['x-private', 'proxy-authenticate', 'x-orbweaver-refused'])
      expect(reply.headers).not.toHaveProperty(name);
  });

  test('re-uses the connection to its origin', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    await using egress = await egressTo([origin.port]);
    for (let index = 0; index < 5; index += 1) await viaProxy(egress, `${origin.url}/${index}`);
    expect(origin.requests).toHaveLength(5);
    expect(origin.connections()).toBe(1);
  });

  test('is sent again on a new connection where the kept one was dead already', async () => {
    let connections = 0;
    await using origin = await rawOrigin((socket) => {
      connections += 1;
      const first = connections === 1;
      let asked = 0;
      socket.on('data', () => {
        asked += 1;
        if (first && asked === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    await using egress = await egressTo([origin.port]);
    expect((await viaProxy(egress, `http://127.0.0.1:${origin.port}/1`)).status).toBe(200);
    expect((await viaProxy(egress, `http://127.0.0.1:${origin.port}/2`)).status).toBe(200);
    expect(connections).toBe(2);
  });

  test('streams: the first bytes are there before the origin has sent the last', async () => {
    let finish = (): void => {};
    await using origin = await httpOrigin((_request, response) => {
      response.write('first');
      finish = () => response.end('last');
    });
    await using egress = await egressTo([origin.port]);
    const { socket, head } = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    let body = head;
    const more = (async () => {
      for await (const chunk of socket) {
        body += String(chunk);
        if (body.includes('last')) break;
      }
    })();
    await expect.poll(() => body).toContain('first');
    expect(body).not.toContain('last');
    finish();
    await more;
    expect(body).toContain('last');
  });

  test('ends at the origin when the client goes away', async () => {
    await using origin = await httpOrigin((_request, response) => void response.write('endless'));
    await using egress = await egressTo([origin.port]);
    const { socket } = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(origin.open()).toBe(1);
    socket.destroy();
    await expect.poll(() => origin.open()).toBe(0);
  });
});

describe('a refusal', () => {
  test('is a 403 that names the range, and the origin hears nothing', async () => {
    await using canary = await rawOrigin(() => {});
    await using egress = await egressTo([]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${canary.port}/`);
    expect(reply.status).toBe(403);
    expect(reply.headers['x-orbweaver-refused']).toBe(`127.0.0.1:${canary.port} is 127.0.0.1 (loopback 127.0.0.0/8)`);
    expect(canary.connections()).toBe(0);
    expect(egress.counts()).toMatchObject({ refused: 1 });
    expect(egress.lastFailure('127.0.0.1', canary.port)).toMatchObject({ kind: 'blocked' });
    expect(egress.lastFailure('127.0.0.1', canary.port + 1)).toBeNull();
  });

  test.each([
    'localhost',
    '0',
    '0x7f.1',
    '2130706433',
    '①②⑦.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::127.0.0.1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fd00::1]',
    'metadata.google.internal',
  ])('meets http://%s/, with and without CONNECT', async (host) => {
    await using canary = await rawOrigin(() => {});
    await using egress = await egressTo([]);
    const { hostname } = new URL(`http://${host}/`);
    const plain = await viaProxy(egress, `http://${hostname}:${canary.port}/`);
    expect([plain.status, plain.headers['x-orbweaver-refused']]).toEqual([403, expect.stringContaining('(')]);
    const tunnel = await rawToProxy(egress, `CONNECT ${hostname}:${canary.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(tunnel.head).toMatch(/^HTTP\/1.1 403 [^]*x-orbweaver-refused: /);
    expect(canary.connections()).toBe(0);
  });

  test('meets every hop of a redirect anew', async () => {
    await using canary = await rawOrigin(() => {});
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/secret` }).end();
    });
    await using egress = await egressTo([origin.port]);
    const hop = await viaProxy(egress, `${origin.url}/`);
    expect(hop.status).toBe(302);
    expect((await viaProxy(egress, String(hop.headers.location))).status).toBe(403);
    expect(canary.connections()).toBe(0);
  });

  test('meets the proxy itself, in whatever form it is named', async () => {
    await using egress = await egressTo([], {
      grants: [
        { cidr: '127.0.0.0/8', port: null },
        { cidr: '0.0.0.0', port: null },
      ],
    });
    const { port } = new URL(egress.proxyUrl);
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '127.1.2.3']) {
      expect((await viaProxy(egress, `http://${host}:${port}/`)).status).toBe(403);
      const { head } = await rawToProxy(egress, `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`);
      expect(head).toMatch(/^HTTP\/1.1 403 /);
    }
    expect((await viaProxy(egress, '/')).status).toBe(400);
  });

  test('meets our own closed ports though they are granted', async () => {
    await using redis = await rawOrigin(() => {});
    await using egress = await egressTo([redis.port], { closedPorts: [redis.port] });
    expect((await viaProxy(egress, `http://127.0.0.1:${redis.port}/`)).status).toBe(403);
    await expect(request(`http://127.0.0.1:${redis.port}/`, { dispatcher: egress.dispatcher })).rejects.toThrow(
      'closed port',
    );
    expect(redis.connections()).toBe(0);
  });

  test.each([
    'https://1.1.1.1/',
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'http:///x',
    'http://',
    '*',
    'http://[::1/',
    'http://user@1.1.1.1/',
    'http://10.0.0.1:80\\@1.1.1.1/',
  ])('meets the target %s, which is not for a proxy', async (target) => {
    await using egress = await egressTo([]);
    const { head } = await rawToProxy(egress, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(head === '' || head.startsWith('HTTP/1.1 400 ')).toBe(true);
  });

  test.each([
    'example.org',
    'user@example.org:443',
    'example.org:443/x',
    ':443',
    'example.org:99999',
    '[::1:443',
    'a b:443',
  ])('meets CONNECT %s, which names no host and port that could be had', async (target) => {
    const resolver = names({ 'example.org': [['1.1.1.1']] });
    await using egress = await egressTo([], { resolver });
    const { head } = await rawToProxy(egress, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(head === '' || /^HTTP\/1.1 40[03] /.test(head)).toBe(true);
  });

  test('ends when a grant is added', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    await using egress = await egressTo([]);
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(403);
    egress.grant({ cidr: '127.0.0.1', port: origin.port });
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(200);
  });
});

describe('a name', () => {
  test('is resolved once and pinned, whatever the DNS says later (rebinding)', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'rebind.example': [['127.0.0.1'], ['10.0.0.1']] });
    await using egress = await egressTo([origin.port], { resolver });
    for (let index = 0; index < 3; index += 1) {
      expect((await viaProxy(egress, `http://rebind.example:${origin.port}/`)).status).toBe(200);
    }
    expect(resolver.asked).toEqual(['rebind.example']);
  });

  test('that answers publicly first and with loopback later never gets to loopback', async () => {
    await using canary = await rawOrigin(() => {});
    const resolver = names({ 'rebind.example': [['203.0.113.1', '127.0.0.1'], ['127.0.0.1']] });
    await using egress = await egressTo([], { resolver });
    expect((await viaProxy(egress, `http://rebind.example:${canary.port}/`)).status).toBe(403);
    expect((await viaProxy(egress, `http://rebind.example:${canary.port}/`)).status).toBe(403);
    expect(canary.connections()).toBe(0);
  });

  test('with a public and a private address is refused whole', async () => {
    await using egress = await egressTo([], { resolver: names({ 'mixed.example': [['1.1.1.1', '10.0.0.1']] }) });
    expect(await egress.check('mixed.example', 80, signal)).toEqual({
      kind: 'blocked',
      address: '10.0.0.1',
      range: 'private 10.0.0.0/8',
    });
  });

  test('with public addresses alone is allowed with all of them', async () => {
    await using egress = await egressTo([], { resolver: names({ 'far.example': [['1.1.1.1', '2606:4700::1']] }) });
    expect(await egress.check('far.example', 443, signal)).toEqual({
      kind: 'allowed',
      addresses: ['1.1.1.1', '2606:4700::1'],
    });
  });

  test('with a dead and a living address is connected to at the living one', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'two.example': [['127.0.0.2', '127.0.0.1']] });
    await using egress = await egressTo([origin.port], {
      resolver,
      grants: [{ cidr: '127.0.0.0/8', port: origin.port }],
    });
    expect((await viaProxy(egress, `http://two.example:${origin.port}/`)).status).toBe(200);
  });

  test('that does not resolve is a 502 with the reason dns, and is remembered', async () => {
    await using egress = await egressTo([]);
    const reply = await viaProxy(egress, 'http://nowhere.example/');
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'dns']);
    const { head } = await rawToProxy(egress, 'CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 502 [^]*x-orbweaver-error: dns\r\n/);
    expect(egress.lastFailure('NOWHERE.example.', 443)).toEqual({
      kind: 'failed',
      failure: 'dns',
      detail: 'ENOTFOUND nowhere.example',
    });
    expect(await egress.check('nowhere.example', 80, signal)).toMatchObject({ kind: 'unresolvable' });
  });

  test('can be prefetched', async () => {
    const resolver = names({ 'soon.example': [['1.1.1.1']] });
    await using egress = await egressTo([], { resolver });
    egress.prefetch(['soon.example']);
    expect(resolver.asked).toEqual(['soon.example']);
    expect(await egress.check('soon.example', 80, signal)).toMatchObject({ kind: 'allowed' });
    expect(resolver.asked).toEqual(['soon.example']);
  });
});

describe('an origin that fails', () => {
  test('by refusing the connection is a 502 with the reason refused', async () => {
    const port = await (async () => {
      await using gone = await rawOrigin(() => {});
      return gone.port;
    })();
    await using egress = await egressTo([port]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${port}/`);
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'refused']);
    const { head } = await rawToProxy(egress, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1.1 502 [^]*x-orbweaver-error: refused\r\n/);
    expect(egress.lastFailure('127.0.0.1', port)).toMatchObject({ kind: 'failed', failure: 'refused' });
  });

  test('by not answering in time is a 504, by anything else a 502', () => {
    expect(replyTo({ kind: 'failed', failure: 'timeout', detail: 'x' })).toEqual({
      status: 504,
      header: ['x-orbweaver-error', 'timeout'],
    });
    expect(replyTo({ kind: 'failed', failure: 'tls', detail: 'x' })).toMatchObject({ status: 502 });
  });

  test('by being silent in the TLS handshake is a timeout', async () => {
    await using origin = await rawOrigin((socket) => socket.resume());
    await using egress = await egressTo([origin.port], { connectTimeout: milliseconds(100) });
    const asked = request(`https://127.0.0.1:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'failed', failure: 'timeout' } });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['reset', 'resets before it answers', (socket) => socket.resetAndDestroy()],
    ['reset', 'closes before it answers', (socket) => socket.end()],
    ['bad-response', 'speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'bad-response',
      'sends a NUL in a header',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /a\0b\r\n\r\n'),
    ],
    [
      'bad-response',
      'sends 300 KB of headers',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`),
    ],
    ['bad-response', 'sends 300 fields', (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(300)}\r\n`)],
    [
      'bad-response',
      'sends two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    [
      'bad-response',
      'sends hints for ever',
      (socket) => socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(5000)),
    ],
  ])('with %s: one that %s', async (reason, _title, act) => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => act(socket)));
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, reason]);
    expect(egress.lastFailure('127.0.0.1', origin.port)).toMatchObject({ kind: 'failed', failure: reason });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['ends before its length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', (socket) => socket.end()],
    [
      'is reset within its length',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
      (socket) => socket.resetAndDestroy(),
    ],
    [
      'ends within a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf',
      (socket) => socket.end(),
    ],
    [
      'has a chunk of absurd size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nffffffffffffffffff\r\n',
      () => {},
    ],
  ])('within a body that %s leaves the client with an answer that is visibly cut', async (_title, bytes, then) => {
    await using origin = await cannedOrigin(bytes, then);
    await using egress = await egressTo([origin.port]);
    const outcome = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`).then(
      (reply) => reply.complete,
      () => false,
    );
    expect(outcome).toBe(false);
  });
});

describe('a tunnel', () => {
  test('carries bytes both ways and passes an end on in one direction', async () => {
    await using origin = await rawOrigin((socket) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk.toString();
      });
      socket.on('end', () => socket.end(`heard ${heard}`));
    });
    await using egress = await egressTo([origin.port]);
    const { socket, head } = await rawToProxy(egress, `CONNECT 127.0.0.1:${origin.port} HTTP/1.1\r\n\r\nearly `);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    socket.end('late');
    let body = '';
    for await (const chunk of socket) body += String(chunk);
    expect(body).toBe('heard early late');
    await expect.poll(() => origin.open()).toBe(0);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['vanishes', (socket) => socket.destroy()],
  ])('whose client %s is closed at the origin', async (_title, act) => {
    await using origin = await rawOrigin((socket) => socket.resume().once('end', () => socket.end()));
    await using egress = await egressTo([origin.port]);
    const { socket } = await rawToProxy(egress, `CONNECT 127.0.0.1:${origin.port} HTTP/1.1\r\n\r\n`);
    expect(origin.open()).toBe(1);
    act(socket);
    await expect.poll(() => origin.open()).toBe(0);
  });

  test('whose origin resets is closed at the client', async () => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await using egress = await egressTo([origin.port]);
    const { socket } = await rawToProxy(egress, `CONNECT 127.0.0.1:${origin.port} HTTP/1.1\r\n\r\n`);
    const closed = once(socket, 'end');
    socket.write('now');
    await closed;
    expect(socket.readableEnded).toBe(true);
    socket.destroy();
  });

  test('for an upgrade in absolute-form passes the handshake and the bytes after it', async () => {
    await using origin = await httpOrigin(() => {});
    origin.server.on('upgrade', (incoming, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n${incoming.url} ${incoming.headers.host} `,
      );
      socket.pipe(socket);
    });
    await using egress = await egressTo([origin.port]);
    const { socket, head } = await rawToProxy(
      egress,
      `GET ${origin.url}/chat HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`,
    );
    expect(head).toContain('101 Switching Protocols');
    let body = head.split('\r\n\r\n')[1] ?? '';
    socket.on('data', (chunk) => {
      body += chunk.toString();
    });
    socket.write('hello');
    await expect.poll(() => body).toBe(`/chat 127.0.0.1:${origin.port} hello`);
    socket.destroy();
  });

  test('for an upgrade to a refused address is a 403', async () => {
    await using egress = await egressTo([]);
    const { head } = await rawToProxy(
      egress,
      'GET http://127.0.0.1:8080/chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('the dispatcher', () => {
  async function secureOrigin(): Promise<AsyncDisposable & { readonly port: number }> {
    const server = createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) =>
      response.end('secret'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return {
      port: address.port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test('goes straight to the checked address and is counted', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'site.example': [['127.0.0.1']] });
    await using egress = await egressTo([origin.port], { resolver });
    const { statusCode, body } = await request(`http://site.example:${origin.port}/`, {
      dispatcher: egress.dispatcher,
    });
    expect([statusCode, await body.text()]).toEqual([200, 'ok']);
    expect(egress.counts()).toMatchObject({ requests: 1, refused: 0 });
  });

  test('rejects with the refusal as a value', async () => {
    await using egress = await egressTo([]);
    const error: unknown = await request('http://10.0.0.1/', { dispatcher: egress.dispatcher }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(EgressError);
    expect(error).toMatchObject({
      failure: { kind: 'blocked', detail: '10.0.0.1:80 is 10.0.0.1 (private 10.0.0.0/8)' },
    });
  });

  test('speaks TLS with a server whose certificate is trusted and names it', async () => {
    await using origin = await secureOrigin();
    await using egress = await egressTo([origin.port], { trusted: [CERTIFICATE] });
    const { body } = await request(`https://secure.localhost:${origin.port}/`, { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe('secret');
  });

  test.each([
    ['self-signed', 'secure.localhost', []],
    ["another host's", 'other.localhost', [CERTIFICATE]],
    ["another host's", '127.0.0.1', [CERTIFICATE]],
  ])('does not speak to a server whose certificate is %s: %s', async (_title, host, trusted) => {
    await using origin = await secureOrigin();
    await using egress = await egressTo([origin.port], trusted.length === 0 ? {} : { trusted });
    const asked = request(`https://${host}:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'failed', failure: 'tls' } });
    expect(egress.lastFailure(host, origin.port)).toMatchObject({ kind: 'failed', failure: 'tls' });
  });
});

describe('disposing', () => {
  test('ends requests, tunnels and pools, and closes the port', async () => {
    await using origin = await httpOrigin((_request, response) => void response.write('endless'));
    await using tunnelled = await rawOrigin((socket) => socket.resume().once('end', () => socket.end()));
    const egress = await egressTo([origin.port, tunnelled.port]);
    const streaming = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    const tunnel = await rawToProxy(egress, `CONNECT 127.0.0.1:${tunnelled.port} HTTP/1.1\r\n\r\n`);
    const closed = Promise.all(
      [streaming, tunnel].map(async ({ socket }) => await Promise.race([once(socket, 'end'), once(socket, 'close')])),
    );
    streaming.socket.resume();
    tunnel.socket.resume();
    await egress[Symbol.asyncDispose]();
    await closed;
    await expect.poll(() => origin.open() + tunnelled.open()).toBe(0);
    await expect(viaProxy(egress, `${origin.url}/`)).rejects.toThrow('ECONNREFUSED');
  });
});
