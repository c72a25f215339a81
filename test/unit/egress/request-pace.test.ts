/** The rate at which the proxy lets requests through to a host: counted at the host, with a clock that the test turns. */
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { handClock, type HandClock } from '../../support/hand-clock.ts';
import { until } from '../../support/until.ts';
import { admitted, egressTo, viaProxy } from './through-proxy.ts';

const signal = new AbortController().signal;
const RATE = { burst: 20, perSecond: 10 };

let origin: Server;
let port: number;
let asked: string[];
let clock: HandClock;

beforeEach(async () => {
  asked = [];
  clock = handClock();
  origin = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('ok');
  });
  origin.on('upgrade', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  ({ port } = origin.address() as AddressInfo);
});
afterEach(async () => {
  origin.closeAllConnections();
  await new Promise((resolve) => origin.close(resolve));
});

const paced = (): Promise<Egress> =>
  egressTo([port], { clock, subRequests: (name) => (name === '127.0.0.1' ? RATE : null) });

const isAsked = (count: number): Promise<void> => until(() => asked.length === count, `${count} requests`);

describe('a host that bears twenty requests at once and ten a second', () => {
  test('gets no more of a flood, and the whole of it in time', async () => {
    await using egress = await paced();
    const replies = Array.from({ length: 50 }, (_, index) => viaProxy(egress, `http://127.0.0.1:${port}/${index}`));
    await isAsked(20);
    await until(() => egress.counts().requests === 50, 'all of them in the proxy');
    expect([egress.holdsBack('127.0.0.1', port), asked.length]).toEqual([true, 20]);
    await clock.run(milliseconds(99));
    expect(asked).toHaveLength(20);
    await clock.run(seconds(1));
    await isAsked(30);
    await clock.run(seconds(2));
    await isAsked(50);
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(egress.holdsBack('127.0.0.1', port)).toBe(false);
  });

  test("gets our own requests for parts of pages at the same pace, among the browser's", async () => {
    await using egress = await paced();
    for (let index = 0; index < 20; index += 1)
      await egress.subresourceTurn(`http://127.0.0.1:${port}/${index}`, signal);
    let passed = false;
    const turn = egress.subresourceTurn(`http://127.0.0.1:${port}/last`, signal).then(() => (passed = true));
    const reply = viaProxy(egress, `http://127.0.0.1:${port}/browser`);
    await until(() => egress.counts().requests === 1, 'the request in the proxy');
    expect([passed, asked.length, egress.holdsBack('127.0.0.1', port)]).toEqual([false, 0, true]);
    await clock.run(milliseconds(100));
    await turn;
    expect(asked).toHaveLength(0);
    await clock.run(milliseconds(100));
    await reply;
    expect(asked).toEqual(['/browser']);
    const gone = new AbortController();
    const broken = egress.subresourceTurn(`http://127.0.0.1:${port}/never`, gone.signal);
    gone.abort(new Error('the page is gone'));
    await expect(broken).rejects.toThrow('the page is gone');
  });

  test('gets them in the order in which they came', async () => {
    await using egress = await paced();
    const replies: Promise<unknown>[] = [];
    for (let index = 0; index < 25; index += 1) {
      replies.push(viaProxy(egress, `http://127.0.0.1:${port}/${index}`));
      await until(() => egress.counts().requests === index + 1, 'the request in the proxy');
    }
    for (let more = 1; more <= 5; more += 1) {
      await clock.run(milliseconds(100));
      await isAsked(20 + more);
    }
    expect(asked.slice(20)).toEqual(['/20', '/21', '/22', '/23', '/24']);
    await Promise.all(replies);
  });

  test('is not asked for what nobody waits for any more', async () => {
    await using egress = await paced();
    const first = Array.from({ length: 20 }, (_, index) => viaProxy(egress, `http://127.0.0.1:${port}/${index}`));
    await Promise.all(first);
    const gone = connect(Number(new URL(egress.proxyUrl).port), '127.0.0.1');
    gone.write(admitted(egress, `GET http://127.0.0.1:${port}/gone HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
    await until(() => egress.holdsBack('127.0.0.1', port), 'the request that waits');
    gone.destroy();
    await until(() => !egress.holdsBack('127.0.0.1', port), 'the request to be forgotten');
    await clock.run(seconds(5));
    expect(asked).toHaveLength(20);
  });

  test('gets no more connections by CONNECT either', async () => {
    await using egress = await paced();
    const sockets = Array.from({ length: 30 }, (_, index) => {
      const socket = connect(Number(new URL(egress.proxyUrl).port), '127.0.0.1');
      socket.write(admitted(egress, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
      socket.once('data', () => socket.write(`GET /${index} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
      return socket;
    });
    await isAsked(20);
    await until(() => egress.counts().requests === 30, 'all of them in the proxy');
    expect(asked).toHaveLength(20);
    await clock.run(seconds(1));
    await isAsked(30);
    for (const socket of sockets) socket.destroy();
  });
});

test('another host, and one without a limit, are not held up by a flood', async () => {
  await using egress = await paced();
  const flood = Array.from({ length: 40 }, (_, index) => viaProxy(egress, `http://127.0.0.1:${port}/${index}`));
  await isAsked(20);
  const others = Array.from({ length: 40 }, () => viaProxy(egress, `http://localhost:${port}/other`));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(asked.filter((path) => path !== '/other')).toHaveLength(20);
  await clock.run(seconds(2));
  await Promise.all(flood);
});
