import type { Socket } from 'node:net';

import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import { milliseconds } from '../../../src/base/units.ts';
import { replyTo } from '../../../src/egress/proxy/proxy-reply.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';

/** A ServerHello of TLS 1.2 without any extension, so without that of RFC 5746: the cipher is ECDHE-RSA-AES128-GCM-SHA256. */
const SERVER_HELLO = Buffer.from(
  `16 0303 002a 02 000026 0303 ${'42'.repeat(32)} 00 c02f 00`.replaceAll(' ', ''),
  'hex',
);

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
      detail: 'x',
    });
    expect(replyTo({ kind: 'failed', failure: 'tls', detail: 'x' })).toMatchObject({ status: 502 });
  });

  test('by being silent in the TLS handshake is a timeout', async () => {
    await using origin = await rawOrigin((socket) => socket.resume());
    await using egress = await egressTo([origin.port], { connectTimeout: milliseconds(100) });
    const asked = request(`https://127.0.0.1:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'failed', failure: 'timeout' } });
  });

  test('is none by lacking secure renegotiation, as old load balancers do: the handshake goes on', async () => {
    const received: number[] = [];
    await using origin = await rawOrigin((socket) => {
      // the types of its TLS records: 22 for the handshake, 21 for an alert
      socket.on('data', (record) => void received.push(record[0] ?? 0));
      socket.once('data', () => socket.end(SERVER_HELLO));
    });
    await using egress = await egressTo([origin.port]);
    const asked = request(`https://127.0.0.1:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'failed', failure: 'reset' } });
    expect(received).toEqual([22]);
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

/** The status line and headers of an answer; the body `x` follows. */
const UNUSUAL: readonly (readonly [title: string, answer: string, status: number])[] = [
  ['a bell in its reason phrase', 'HTTP/1.1 200 O\x07K\r\nContent-Length: 1\r\n\r\nx', 200],
  ['a bell in the reason phrase of a failure', 'HTTP/1.1 502 B\x07ad\r\nContent-Length: 1\r\n\r\nx', 502],
  ['NUL and DEL in its reason phrase', 'HTTP/1.1 200 a\x00b\x7f\r\nContent-Length: 1\r\n\r\nx', 0],
  ['a reason phrase of Latin letters', 'HTTP/1.1 404 Nicht verf\u00fcgbar\r\nContent-Length: 1\r\n\r\nx', 404],
  ['status 0', 'HTTP/1.1 000 Nothing\r\nContent-Length: 1\r\n\r\nx', 502],
  ['status 99', 'HTTP/1.1 099 Early\r\nContent-Length: 1\r\n\r\nx', 502],
  ['status 999', 'HTTP/1.1 999 Request denied\r\nContent-Length: 1\r\n\r\nx', 999],
  ['status 1000', 'HTTP/1.1 1000 Many\r\nContent-Length: 1\r\n\r\nx', 502],
  ['status 199 and an end', 'HTTP/1.1 199 Not Yet\r\nContent-Length: 1\r\n\r\n', 502],
  ['status 101 that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\n\r\nx', 502],
  [
    'an upgrade that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nx',
    502,
  ],
];

describe('an answer that no server should send', () => {
  test.each(UNUSUAL)('with %s is passed on or refused, and the proxy goes on', async (_title, answer, status) => {
    await using origin = await cannedOrigin(Buffer.from(answer, 'latin1'));
    await using calm = await httpOrigin((_request, response) => response.end('calm'));
    await using egress = await egressTo([origin.port, calm.port]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    if (status !== 0) expect(reply.status).toBe(status);
    if (reply.status === 502 && status !== 502) expect(reply.headers['x-orbweaver-error']).toBe('bad-response');
    expect((await viaProxy(egress, `${calm.url}/`)).body.toString()).toBe('calm');
  });
});
