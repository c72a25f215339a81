import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let closed: FixtureServer;
let egress: Egress;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  closed = await FixtureServer.open({});
  egress = await openEgress(
    {
      grants: [{ cidr: '127.0.0.1', port: site.port }],
      closedPorts: [],
      connectTimeout: seconds(3),
      resolveTimeout: seconds(3),
      subRequests: (name) => (name === 'busy.localhost' ? { burst: 10, perSecond: 5 } : null),
    },
    { log: silentLog },
  );
  bench = await openBench({ workers: 1, settleTimeout: seconds(4) }, { egress });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await egress[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test('a page that was granted is rendered, and what it loads from elsewhere is refused', async () => {
  site.add({
    '/': `<title>ok</title><a href=/a>a</a><img src="${closed.url('/secret.png')}"><script>
      fetch("${closed.url('/api')}",{mode:"no-cors"}).catch(()=>{});setTimeout(()=>document.title+="!",1000)</script>`,
  });
  const page = await bench.capture(site.url('/'));
  expect(page.title).toBe('ok!');
  expect(paths(page, 'anchor')).toEqual(['/a']);
  expect(closed.asked).toEqual([]);
});

test('an address that is not granted is blocked, over TLS as well', async () => {
  expect(await bench.render(closed.url('/'))).toMatchObject({ kind: 'blocked-address' });
  expect(await bench.render(closed.url('/').replace('http:', 'https:'))).toMatchObject({ kind: 'blocked-address' });
});

test('a name that does not resolve and a port that does not answer keep their names behind the proxy', async () => {
  expect(await bench.render('http://no-such-host.invalid/')).toMatchObject({ kind: 'unreachable', failure: 'dns' });
  expect(await bench.render('https://no-such-host.invalid/')).toMatchObject({ kind: 'unreachable', failure: 'dns' });
  await using gone = await FixtureServer.open({});
  const url = gone.url('/');
  egress.grant({ cidr: '127.0.0.1', port: gone.port });
  await gone[Symbol.asyncDispose]();
  expect(await bench.render(url)).toMatchObject({ kind: 'unreachable', failure: 'refused' });
  expect(await bench.render(url.replace('http:', 'https:'))).toMatchObject({ kind: 'unreachable', failure: 'refused' });
});

test('a page whose host gets no more than five requests a second is waited for beyond its time to settle', async () => {
  const at: number[] = [];
  site.add({
    '/busy': `<title>busy</title><script>(async()=>{
      await Promise.all(Array.from({length:40},(_,n)=>fetch('/item?'+n)));
      document.body.insertAdjacentHTML('beforeend','<a href=/after>after</a>')})()</script>`,
    '/item': (_request, response) => {
      at.push(performance.now());
      response.end('{}');
    },
  });
  const page = await bench.capture(site.url('/busy', 'busy.localhost'));
  expect(paths(page, 'anchor')).toEqual(['/after']);
  expect(page.settle.reason).not.toBe('timeout');
  expect(at).toHaveLength(40);
  // the document is one of the ten that may come at once; logging a request takes some milliseconds
  const spans = at.flatMap((from, index) => at.slice(index + 10).map((to, more) => (to - from) / (more + 1)));
  expect(Math.min(...spans)).toBeGreaterThan(200 - 25);
});

test('a flood of twenty thousand requests reaches its host five a second, and the page ends', async () => {
  const before = site.asked.length;
  site.add({
    '/flood': '<title>flood</title><script>for(let n=0;n<20000;n++)fetch("/item?"+n).catch(()=>{})</script>',
  });
  const started = performance.now();
  const outcome = await bench.render(site.url('/flood', 'busy.localhost'));
  const took = performance.now() - started;
  if (outcome.kind === 'crashed') expect(outcome.memory).toBe(true);
  else expect(['captured', 'timed-out']).toContain(outcome.kind);
  expect(site.asked.length - before).toBeLessThanOrEqual(10 + 5 * Math.ceil(took / 1000));
  if (outcome.kind === 'captured') expect(outcome.page.settle.pending.join()).toMatch(/flood \d+/);
});
