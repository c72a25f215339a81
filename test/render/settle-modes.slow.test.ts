/** `--settle`, `--settle-timeout` and `--wait-for`, by the page's clock and by the real one. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths } from './render-bench.ts';

const ADD = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${ADD}${code}</script>`;
const after =
  (duration: number, text: string): Route =>
  (_request, response) => {
    wait(duration)
      .then(() => response.end(text))
      .catch(() => {});
  };

const ROUTES: Record<string, Route> = {
  '/timers': script('for(const t of [1000,2500,6500,9000])setTimeout(()=>add("/t"+t),t)'),
  '/late-load': `${script('addEventListener("load",()=>setTimeout(()=>add("/behind-load"),2500))')}<img src="/slow.png">`,
  '/slow.png': after(1500, ''),
  '/fetches': script('fetch("/answer").then(r=>r.text()).then(add)'),
  '/answer': after(4000, '/answered'),
  '/stream-and-fetch': script('new EventSource("/events");fetch("/answer").then(r=>r.text()).then(add)'),
  '/events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: hello\n\n');
  },
  '/never': () => {},
  '/hangs': script('fetch("/never")'),
  '/shows-late': script(
    'setTimeout(()=>fetch("/answer").then(()=>document.body.insertAdjacentHTML("beforeend","<main><a href=/shown>x</a></main>")),7000)',
  ),
  '/shows-by-timer': script(
    'setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<main><a href=/shown>x</a></main>"),20000)',
  ),
  // seconds of work in short tasks, as an application does that hydrates its page bit by bit
  '/computes': script(
    'let n=0;const id=setInterval(()=>{let x=0;for(let i=0;i<2e7;i++)x+=i%7;globalThis.x=x;if(++n===100)clearInterval(id)},40);setTimeout(()=>add("/behind-work"),4500)',
  ),
};

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

describe.each([true, false])('with frames on demand: %s', (frameControl) => {
  test('a time after the load event is the time that a page gets, and no more', async () => {
    await using bench = await openBench({ settle: { kind: 'after', duration: milliseconds(3000) } }, { frameControl });
    expect(paths(await bench.capture(site.url('/timers')), 'anchor')).toEqual(['/first', '/t1000', '/t2500']);
    expect(paths(await bench.capture(site.url('/late-load')), 'anchor')).toEqual(['/behind-load', '/first']);
  });

  test('an answer that comes within that time is found', async () => {
    const times = { settleTimeout: seconds(15), pageTimeout: seconds(30) };
    await using bench = await openBench(
      { settle: { kind: 'after', duration: seconds(6) }, ...times },
      { frameControl },
    );
    for (const path of ['/fetches', '/stream-and-fetch'])
      expect(paths(await bench.capture(site.url(path)), 'anchor')).toEqual(['/answered', '/first']);
  });

  test.each([2, 8])('the settle timeout is how long answers are waited for: %i s', async (limit) => {
    await using bench = await openBench({ settleTimeout: seconds(limit), pageTimeout: seconds(20) }, { frameControl });
    const page = await bench.capture(site.url('/hangs'));
    expect(page.settle).toEqual({ reason: 'timeout', pending: [`fetch ${site.url('/never')}`] });
    expect(page.timing.total).toBeGreaterThanOrEqual(limit * 1000 - 100);
    const answered = await bench.capture(site.url('/fetches'));
    expect(paths(answered, 'anchor')).toEqual(limit > 4 ? ['/answered', '/first'] : ['/first']);
  });

  test('an element that comes late is waited for', async () => {
    const options = { waitFor: 'main', settleTimeout: seconds(25), pageTimeout: seconds(60) };
    await using bench = await openBench(options, { frameControl });
    for (const path of ['/shows-late', '/shows-by-timer'])
      expect(paths(await bench.capture(site.url(path)), 'anchor')).toEqual(['/first', '/shown']);
  });

  test('one that never comes is waited for until the settle timeout, and named', async () => {
    await using bench = await openBench({ waitFor: 'main', settleTimeout: seconds(3) }, { frameControl });
    const page = await bench.capture(site.url('/fetches'));
    expect(page.settle.reason).toBe('timeout');
    expect(page.settle.pending).toContain('selector main');
    expect(page.timing.total).toBeGreaterThanOrEqual(2900);
  });
});

test('a page that computes for seconds in short tasks is read at its end', async () => {
  await using bench = await openBench({ workers: 1, settleTimeout: seconds(15) });
  const page = await bench.capture(site.url('/computes'));
  expect(paths(page, 'anchor')).toEqual(['/behind-work', '/first']);
  expect(page.settle).toEqual({ reason: 'quiet', pending: [] });
});
