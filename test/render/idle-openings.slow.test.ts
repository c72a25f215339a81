/**
 * The opening of a stream or a socket, and late starts beside the page (workers, modules), can still change the page: the renderer
 * waits for them as for the answer to a request. Only silence on open connections ends the wait.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const APPEND = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${APPEND}${code}</script>`;

/** Answers after that many milliseconds. */
const later =
  (duration: number, answer: (response: ServerResponse) => void): Route =>
  (_request, response) => {
    wait(duration)
      .then(() => answer(response))
      .catch(() => {});
  };
const code = (text: string): ((response: ServerResponse) => void) => {
  return (response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(text);
  };
};
const events = (response: ServerResponse): void => {
  response.setHeader('content-type', 'text/event-stream');
  response.flushHeaders();
};

const LATE = 700;
const STREAM = 'new EventSource("/events").onopen=()=>add("/stream");';
const SOCKET = 'new WebSocket("ws://"+location.host+"/live").onopen=()=>add("/socket");';
const POLL =
  'const poll=()=>fetch("/tick").then(r=>r.text()).then(()=>setTimeout(poll,300));poll();setTimeout(()=>add("/timer"),1000);';

const ROUTES: Record<string, Route> = {
  '/stream': script(STREAM),
  '/socket': script(SOCKET),
  '/stream-and-socket': script(STREAM + SOCKET),
  '/polls-too': script(POLL + STREAM + SOCKET),
  '/later-socket': script(`setTimeout(()=>{${SOCKET}},2000)`),
  '/stream-then-socket': script(`new EventSource("/events").onopen=()=>{${SOCKET}}`),
  '/worker': script('new Worker("/worker.js").onmessage=(e)=>add(e.data)'),
  '/module-worker': script('new Worker("/module.js",{type:"module"}).onmessage=(e)=>add(e.data)'),
  '/import': script('import("/module-of-page.js").then((m)=>add(m.link))'),
  '/long-poll': script('fetch("/hangs").then(r=>r.text()).then(add)'),
  '/tick': '{}',
  '/events': later(LATE, events),
  '/worker.js': later(LATE, code('postMessage("/worker")')),
  '/module.js': later(LATE, code('import {link} from "/imported.js";postMessage(link)')),
  '/imported.js': later(LATE, code('export const link="/module-worker"')),
  '/module-of-page.js': later(LATE, code('import {name} from "/module-of-module.js";export const link="/"+name')),
  '/module-of-module.js': later(LATE, code('export const name="imported"')),
  '/hangs': later(1500, (response) => response.end('/answered')),
  '/never-opens': script('new EventSource("/dead-events");new WebSocket("ws://"+location.host+"/dead");'),
  '/dead-events': () => {},
};

type Case = readonly [path: string, links: readonly string[]];
/** Cases of virtual time only: in real time a page is done before its timer of 2 s. */
const BY_TIMERS: readonly Case[] = [['/later-socket', ['/socket']]];
const CASES: readonly Case[] = [
  ['/stream', ['/stream']],
  ['/socket', ['/socket']],
  ['/stream-and-socket', ['/socket', '/stream']],
  ['/polls-too', ['/socket', '/stream', '/timer']],
  ['/stream-then-socket', ['/socket']],
  ['/worker', ['/worker']],
  ['/module-worker', ['/module-worker']],
  ['/import', ['/imported']],
  ['/long-poll', ['/answered']],
];

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  site.handshakes['/live'] = LATE;
  site.handshakes['/dead'] = 60_000;
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

describe.each([
  ['in virtual time', true, [...CASES, ...BY_TIMERS]],
  ['in real time', false, CASES],
] as const)('what takes 0.7 s to open is waited for %s', (_way, frameControl, cases) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench({ explore: 'none' }, { frameControl });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  // hints of the first visits must not end the wait of later ones; a host each, so that no page's visit affects the wait on another
  test.each(cases)('%s', async (path, links) => {
    const host = `${path.slice(1)}.localhost`;
    for (let visit = 0; visit < 3; visit++) {
      const page = await bench.capture(site.url(`${path}?page=${visit}`, host));
      expect(paths(page, 'anchor')).toEqual(['/first', ...links].toSorted());
    }
  });
});

test('a stream and a socket that never open hold the page for a bounded time, and its likes hardly', async () => {
  await using bench = await openBench();
  const first = await bench.capture(site.url('/never-opens?page=1'));
  expect(first.timing.settle).toBeGreaterThan(2000);
  expect(first.settle.reason).not.toBe('timeout');
  await bench.capture(site.url('/never-opens?page=2'));
  const third = await bench.capture(site.url('/never-opens?page=3'));
  expect(third.settle.pending).toContain(`eventsource ${site.url('/dead-events')}`);
  expect(third.timing.settle).toBeLessThan(2000);
});
