/** To run more: ORBWEAVER_FUZZ_RUNS=5000 (batches of ten); to run another sequence: ORBWEAVER_FUZZ_SEED=<number>. */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Log, silentLog } from '../../../src/base/log.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { basic } from '../../../src/egress/proxy/proxy-door.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import {
  hostileAnswer,
  hostileRequest,
  plainRequest,
  type HostileAnswer,
  type HostileRequest,
} from '../../support/hostile-http.ts';
import { httpOrigin, rawOrigin, type Origin } from '../../support/origin.ts';
import { egressTo, viaProxy } from './through-proxy.ts';

const RUNS = Number(process.env['ORBWEAVER_FUZZ_RUNS'] ?? 20);
const SEED = Number(process.env['ORBWEAVER_FUZZ_SEED'] ?? 20260711);
/** Milliseconds for a request that the proxy rightly waits to be completed. */
const PATIENCE = 60;
/** Milliseconds that no exchange may take, on a busy machine. */
const HANG = 15_000;

/** Connection ends to the calm origin that client and proxy keep open. */
const KEPT = 8;

type Exchange = readonly [HostileRequest, HostileAnswer];

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeEach(() => {
  uncaught.length = 0;
  process.on('uncaughtException', note).on('unhandledRejection', note);
});
afterEach(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
});

/** An origin that sends the answer for the number in the path, and closes the connection. */
async function hostileOrigin(answers: readonly HostileAnswer[]): Promise<Origin> {
  return await rawOrigin((socket) => {
    socket.once('data', (asked) => {
      const { bytes, cut, end } = answers[Number(/\/n(\d)/.exec(asked.toString('latin1'))?.[1] ?? 0)] ?? LEAVE;
      socket.write(bytes.slice(0, cut), 'latin1');
      setImmediate(() => {
        socket.write(bytes.slice(cut), 'latin1', () => {
          if (end === 'reset') socket.resetAndDestroy();
          else if (end === 'destroy') socket.destroy();
          else socket.end();
        });
      });
    });
  });
}

const LEAVE: HostileAnswer = { bytes: '', cut: 0, end: 'end' };

/** Plays one exchange; resolves when the proxy has answered or closed. @throws if it does neither */
async function play(egress: Egress, origin: Origin, request: HostileRequest, index: number): Promise<void> {
  const socket = connect({ port: Number(new URL(egress.proxyUrl).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const ended = Promise.race([once(socket, 'data').catch(() => {}), closed, once(socket, 'end').catch(() => {})]);
  const credential = `Proxy-Authorization: ${basic(egress.proxyCredential)}`;
  socket.write(request.write(`127.0.0.1:${origin.port}`, `/n${index}`, credential), 'latin1');
  const patience = setTimeout(() => socket.end(), PATIENCE);
  const hang = setTimeout(() => socket.destroy(new Error('hangs')), HANG);
  const began = performance.now();
  await ended;
  clearTimeout(patience);
  clearTimeout(hang);
  socket.destroy();
  await closed;
  if (performance.now() - began >= HANG) throw new Error('the proxy neither answered nor closed');
}

const tcpSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test.each([
  ['no', false, plainRequest],
  ['no', false, hostileRequest],
  ['an', true, plainRequest],
  ['an', true, hostileRequest],
])(
  'whatever origins and clients send (%s archive, %#), the proxy answers or closes, and serves the next',
  async (_title, keeps, requests) => {
    const faults: string[] = [];
    const log: Log = { ...silentLog, error: (event, fields) => void faults.push(`${event} ${JSON.stringify(fields)}`) };
    await using calm = await httpOrigin((incoming, response) => {
      incoming.resume();
      response.end('calm');
    });
    const before = tcpSockets();
    {
      await using egress = await egressTo([calm.port], { log, ...(keeps ? { recorder: hearExchanges() } : {}) });
      const exchange: fc.Arbitrary<Exchange> = fc.tuple(requests, hostileAnswer);
      const property = fc.asyncProperty(fc.array(exchange, { minLength: 10, maxLength: 10 }), async (batch) => {
        await using origin = await hostileOrigin(batch.map(([, answer]) => answer));
        egress.grant({ cidr: '127.0.0.1', port: origin.port });
        await Promise.all(batch.map(([request], index) => play(egress, origin, request, index)));
        const next = await viaProxy(egress, `${calm.url}/`);
        expect([next.status, next.body.toString(), uncaught, faults]).toEqual([200, 'calm', [], []]);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: RUNS < 100 });
      // both ends of the connections kept for the calm origin, and none of hundreds of others
      await expect.poll(tcpSockets, { timeout: HANG }).toBeLessThanOrEqual(before + KEPT);
    }
    await expect.poll(tcpSockets, { timeout: HANG }).toBeLessThanOrEqual(before);
    expect(uncaught).toEqual([]);
  },
  60_000 + RUNS * 1000,
);
