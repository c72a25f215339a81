/** The limit of requests a visit, counted at the server: also for requests that outlive their page and those that no page makes. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { REQUEST_LIMIT } from '../../src/render/page-limits.ts';
import { openBench, type Bench } from './render-bench.ts';

// a flood may use up its visit's whole time, and its machine's processor
vi.setConfig({ testTimeout: 120_000 });

const script = (text: string): string => `<!doctype html><title>flood</title><script>${text}</script>`;
/** Ten times the limit. */
const MANY = 5000;
/**
 * Source: how many to send at once. A page that floods without an end goes on to the end of its visit, but slowly once it is far beyond
 * the limit: tens of thousands more would take processor time, and show nothing.
 */
const PIECE = `(n < ${MANY} ? 50 : 1)`;
/** The page waits for an answer that comes once the flood has begun: the machine decides when a worker starts. */
const worker = (text: string): string =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}])));fetch('{ORIGIN}/begun')`;

/** Pages that send thousands of requests, each in another way; {ORIGIN} is the page's origin. */
const FLOODS: Readonly<Record<string, string>> = {
  // at each answer of the server, which runs in the same process as the count: so neither outruns the other
  'beacons, a few at a time': script(
    `let n = 0; const next = () => { for (let m = 0; m < 10; m++) navigator.sendBeacon('/count?' + n++); const s = document.createElement('script'); s.src = '/tick?' + n; s.onload = next; document.head.append(s) }; next()`,
  ),
  'beacons at the end': script(
    `addEventListener('pagehide', () => { for (let n = 0; n < ${MANY}; n++) navigator.sendBeacon('/count?' + n) })`,
  ),
  'beacons of frames that are gone': script(
    `addEventListener('load', () => { let n = 0; const more = () => { for (let m = 0; m < 40; m++) { const f = document.createElement('iframe'); document.body.append(f); const w = f.contentWindow; for (let k = 0; k < 10; k++) { n++; try { w.navigator.sendBeacon('{ORIGIN}/count?' + n) } catch {} } f.remove() } if (n < ${MANY}) setTimeout(more, 20) }; more() })`,
  ).replace('<script>', '<body><script>'),
  'fetches of frames that are gone': script(
    `addEventListener('load', () => { let n = 0; const more = () => { for (let m = 0; m < 40; m++) { const f = document.createElement('iframe'); document.body.append(f); const w = f.contentWindow; for (let k = 0; k < 10; k++) { n++; try { w.fetch('{ORIGIN}/count?' + n, { keepalive: true }).catch(() => {}) } catch {} } f.remove() } if (n < ${MANY}) setTimeout(more, 20) }; more() })`,
  ).replace('<script>', '<body><script>'),
  'reports of a policy': `<!doctype html><meta charset="utf-8"><title>csp</title><body><script>
     let n = 0; setInterval(() => { for (let m = ${PIECE}; m > 0; m--) new Image().src = 'http://forbidden.example/' + n++ }, 5)</script>`,
  'a worker': script(
    worker(
      `let n = 0; setInterval(() => { for (let m = ${PIECE}; m > 0; m--) fetch('{ORIGIN}/count?' + n++).catch(() => {}) }, 5)`,
    ),
  ),
  // so many that the browser reports some of them too late to be counted
  'a worker at once': script(worker(`for (let n = 0; n < 20000; n++) fetch('{ORIGIN}/count?' + n).catch(() => {})`)),
  'a worker that waits for each': script(
    worker(
      `for (let n = 0; n < ${MANY}; n++) { const x = new XMLHttpRequest(); x.open('GET', '{ORIGIN}/count?' + n, false); try { x.send() } catch {} }`,
    ),
  ),
  // a page does not wait for a shared worker, but for its own request, which is never answered
  'a shared worker': script(
    `fetch('/held'); new SharedWorker(URL.createObjectURL(new Blob([${JSON.stringify(`let n = 0; setInterval(() => { for (let m = ${PIECE}; m > 0; m--) fetch('{ORIGIN}/count?' + n++).catch(() => {}) }, 5)`)}])))`,
  ),
  'sockets at once': script(`for (let n = 0; n < ${MANY}; n++) new WebSocket('{SOCKETS}/count?' + n)`),
  sockets: script(
    `let n = 0; const next = () => { const s = new WebSocket('{SOCKETS}/count?' + n++); s.onopen = () => s.close(); s.onclose = n < ${MANY} ? next : () => setTimeout(next, 100) }; for (let m = 0; m < 60; m++) next()`,
  ),
  'sockets of a worker': script(
    worker(
      `let n = 0; const next = () => { const s = new WebSocket('{SOCKETS}/count?' + n++); s.onopen = () => s.close(); s.onclose = n < ${MANY} ? next : () => setTimeout(next, 100) }; for (let m = 0; m < 60; m++) next()`,
    ),
  ),
};

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'reports of a policy': { 'content-security-policy': 'img-src self; report-uri /count' },
  'preloads of a header': {
    link: Array.from({ length: 600 }, (_, n) => `</count?${n}>; rel=preload; as=image`).join(', '),
  },
};

let bench: Bench;
let origin = '';
const counts = new Map<string, number>();
/** Answers held until the flood has begun. */
const begun = new Map<string, ServerResponse>();
const names = Object.keys(FLOODS);

/** Counts a request for the flood in its path, so that a late one does not count for the next flood. */
const count = (request: IncomingMessage): void => {
  const place = /^\/(?:flood|count)\/(\d+)/.exec(request.url ?? '')?.[1];
  if (place === undefined) return;
  const name = names[Number(place)] ?? '';
  const many = (counts.get(name) ?? 0) + 1;
  counts.set(name, many);
  if (many > 1) begun.get(name)?.end('');
};
const server = createServer({ maxHeaderSize: 200_000 }, (request, response) => {
  count(request);
  if (request.url === '/held') return;
  const waiting = names[Number(/^\/begun\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 'none')];
  if (waiting !== undefined) {
    if ((counts.get(waiting) ?? 0) > 1) return void response.end('');
    return void begun.set(waiting, response);
  }
  const place = /^\/flood\/(\d+)$/.exec(request.url ?? '')?.[1];
  const name = names[Number(place)] ?? '';
  const page = FLOODS[name];
  if (page === undefined) return void response.end('');
  const own = (text: string): string =>
    text.replaceAll('/count', `/count/${place}`).replaceAll('/begun', `/begun/${place}`);
  const headers = Object.entries(HEADERS[name] ?? {}).map(([key, value]) => [key, own(value)] as const);
  response.writeHead(200, { 'content-type': 'text/html', ...Object.fromEntries(headers) });
  response.end(own(page).replaceAll('{ORIGIN}', origin).replaceAll('{SOCKETS}', origin.replace('http', 'ws')));
});
const sockets = new Set<Duplex>();
server.on('connection', (socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});
server.on('upgrade', (request, socket) => {
  socket.on('error', () => {});
  count(request);
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.end(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bench = await openBench({ workers: 1, settleTimeout: seconds(8), pageTimeout: seconds(12), explore: 'none' });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  // the server no longer owns upgraded sockets
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}, 120_000);

describe('a visit whose page floods', () => {
  test.each(names)('by %s sends no more than its limit', async (name) => {
    await bench.render(`${origin}/flood/${names.indexOf(name)}`);
    await bench.render(`${origin}/after`);
    await wait(300);
    expect(counts.get(name)).toBeGreaterThan(1);
    expect(counts.get(name)).toBeLessThanOrEqual(REQUEST_LIMIT);
  });
});
