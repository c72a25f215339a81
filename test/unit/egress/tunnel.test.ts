import { once } from 'node:events';
import type { Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import { httpOrigin, rawOrigin } from '../../support/origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';

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
