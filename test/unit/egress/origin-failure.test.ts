import type { Socket } from 'node:net';

import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import { milliseconds } from '../../../src/base/units.ts';
import { replyTo } from '../../../src/egress/proxy-reply.ts';
import { cannedOrigin, rawOrigin } from '../../support/origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';

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
