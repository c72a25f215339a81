/**
 * Chromium opens six connections to a host, and 32 to a proxy, for each storage (each domain has one of its own): pages that
 * keep streams open must not take them from other pages, nor from the next visit.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../unit/egress/secure-localhost.ts';
import { openBench, type Bench } from './render-bench.ts';

const PAGES = 8;
const STREAMS = 6;

describe.each(['http', 'https'])('pages over %s that keep event streams open', (scheme) => {
  const streams = new Set<IncomingMessage>();
  let allAreOpen: () => void = () => {};
  let allOpen: Promise<void> = Promise.resolve();
  const answer: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    if (path === '/events') {
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: hello\n\n');
      streams.add(request);
      response.on('close', () => streams.delete(request));
      if (streams.size === PAGES * STREAMS) allAreOpen();
    } else if (path === '/gate.js') {
      allOpen.then(() => response.end('document.title="all are open"')).catch(() => {});
    } else {
      response.setHeader('content-type', 'text/html');
      const gate = path === '/gated' ? `<script src="${scheme}://127.0.0.1:${port()}/gate.js"></script>` : '';
      response.end(
        `<title>t</title><script>for(let n=0;n<${STREAMS};n++)new EventSource("/events?"+n)</script>${gate}`,
      );
    }
  };
  const server =
    scheme === 'http' ? createServer(answer) : createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, answer);
  const port = (): number => (server.address() as AddressInfo).port;
  let egress: Egress;
  const open = (changes: Partial<RenderOptions>): Promise<Bench> =>
    openBench(
      { settleTimeout: seconds(20), pageTimeout: seconds(25), ...changes },
      { egress, flags: scheme === 'https' ? ['--ignore-certificate-errors'] : [] },
    );

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const limits = { connectTimeout: seconds(3), resolveTimeout: seconds(3) };
    const grants = [{ cidr: '127.0.0.1', port: port() }];
    egress = await openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog });
  });
  afterAll(async () => {
    await egress[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('leave connections to eight pages that have 48 streams open at once', async () => {
    allOpen = new Promise((resolve) => (allAreOpen = resolve));
    await using bench = await open({ workers: PAGES, settle: { kind: 'load' }, explore: 'none' });
    const visits = Array.from({ length: PAGES }, (_, n) =>
      bench.capture(`${scheme}://page-${n}.localhost:${port()}/gated`),
    );
    for (const page of await Promise.all(visits)) expect(page.title).toBe('all are open');
  });

  test('leave connections to the next visits of the same page, and end with their visit', async () => {
    await using bench = await open({ workers: 1 });
    for (let visit = 0; visit < 3; visit++) {
      const outcome = await bench.render(`${scheme}://127.0.0.1:${port()}/?${visit}`);
      expect(outcome).toMatchObject({ kind: 'captured', page: { settle: { reason: 'quiet' } } });
    }
    await expect.poll(() => streams.size).toBe(0);
  });
});
