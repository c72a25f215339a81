/** Lessons from visits for similar pages, and the distinction of slow answers from long polls. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { STALL_LIMIT } from '../../src/render/page-limits.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const APPEND = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${APPEND}${code}</script>`;
const answersAfter =
  (duration: number): Route =>
  (_request, response) => {
    wait(duration)
      .then(() => response.end('/fetched'))
      .catch(() => {});
  };
const FETCH = 'fetch("/slow-api").then(r=>r.text()).then(add)';

let updates = 0;
const ROUTES: Record<string, Route> = {
  '/waits': script('const p=()=>fetch("/updates").then(r=>r.text()).then(p);p();setTimeout(()=>add("/t500"),500)'),
  // on the fourth page of the host the request is answered at once
  '/updates': (_request, response) => {
    updates += 1;
    if (updates >= 4) response.end('/fetched');
  },
  '/updates-again': script('fetch("/updates").then(r=>r.text()).then(add)'),
  '/repeats': script(
    'const p=(n)=>fetch("/events-or-wait").then(r=>r.text()).then(p);p();setTimeout(()=>add("/t500"),500)',
  ),
  '/stream-and-slow': script(`new EventSource("/events");${FETCH}`),
  '/stream-and-late': script(`new EventSource("/events");setTimeout(()=>${FETCH},300)`),
  '/slow': script(FETCH),
  '/slow-api': answersAfter(1200),
  '/events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: hello\n\n');
  },
  '/only-stream': script('new EventSource("/events")'),
  '/unread': script(
    'const p=()=>fetch("/ping?"+Math.random()).then(()=>setTimeout(p,200));p();setTimeout(()=>add("/t1000"),1000)',
  ),
  '/ping': (_request, response) => void response.end('{}'),
  '/chatty': script('new WebSocket("ws://"+location.host+"/silent")'),
  '/drawing': script('const f=()=>requestAnimationFrame(f);f()'),
};

let site: FixtureServer;
/** Each test has its own host, so that no page's visit affects the wait on another. */
let bench: Bench;
beforeAll(async () => {
  let asked = 0;
  site = await FixtureServer.open({ ...ROUTES });
  site.add({
    '/events-or-wait': (_request, response) => {
      asked += 1;
      if (asked === 1) response.end('{}');
    },
  });
  bench = await openBench();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('long polls', () => {
  test('one that hung on two pages of its cluster is known on the third, and an answer in time is not missed', async () => {
    await using bench = await openBench({ settleTimeout: seconds(4) });
    for (const number of [1, 2]) {
      const page = await bench.capture(site.url(`/waits?page=${number}`));
      expect(page.settle.reason).toBe('timeout');
    }
    const third = await bench.capture(site.url('/waits?page=3'));
    expect(paths(third, 'anchor')).toEqual(['/first', '/t500']);
    expect(third.settle).toEqual({ reason: 'quiet', pending: [`fetch ${site.url('/updates')}`] });
    expect(third.timing.settle).toBeLessThan(3500);
    // an early answer is not missed, whatever the address did before
    expect(paths(await bench.capture(site.url('/updates-again')), 'anchor')).toContain('/fetched');
  });

  test('one that asks for what was answered before costs less than a stall', async () => {
    const page = await bench.capture(site.url('/repeats', 'repeats.localhost'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/t500']);
    expect(page.timing.settle).toBeLessThan(STALL_LIMIT);
  });

  test.each(['/slow', '/stream-and-slow', '/stream-and-late'])('a slow answer is none: %s', async (path) => {
    for (let visit = 0; visit < 3; visit++) {
      expect(
        paths(await bench.capture(site.url(`${path}?page=${visit}`, `${path.slice(1)}.localhost`)), 'anchor'),
      ).toEqual(['/fetched', '/first']);
    }
  });
});

const STREAM_HOST = 'stream.localhost';

test('an event stream alone ends the wait after a short stall', async () => {
  await bench.capture(site.url('/slow', STREAM_HOST));
  const page = await bench.capture(site.url('/only-stream', STREAM_HOST));
  expect(page.settle).toEqual({ reason: 'quiet', pending: [`eventsource ${site.url('/events', STREAM_HOST)}`] });
  expect(page.timing.settle).toBeLessThan(STALL_LIMIT);
});

test('answers that nobody reads hold the pages after the second no longer', async () => {
  for (const number of [1, 2]) await bench.capture(site.url(`/unread?page=${number}`, 'unread.localhost'));
  const page = await bench.capture(site.url('/unread?page=3', 'unread.localhost'));
  expect(paths(page, 'anchor')).toEqual(['/first', '/t1000']);
  expect(page.timing.settle).toBeLessThan(STALL_LIMIT);
});

describe('efforts that brought nothing twice', () => {
  test('a silent socket costs the third page of its pattern no time', async () => {
    const times: number[] = [];
    for (let visit = 0; visit < 4; visit++) {
      times.push((await bench.capture(site.url(`/chatty?page=${visit}`, 'chatty.localhost'))).timing.settle);
    }
    expect(Math.min(...times.slice(0, 2))).toBeGreaterThan(700);
    expect(Math.max(...times.slice(2))).toBeLessThan(Math.min(...times.slice(0, 2)));
  });

  test('a page that only draws is drawn no further', async () => {
    const page = await bench.capture(site.url('/drawing', 'drawing.localhost'));
    expect(page.settle.reason).toBe('timer-drained');
    expect(page.timing.total).toBeLessThan(4000);
  });
});
