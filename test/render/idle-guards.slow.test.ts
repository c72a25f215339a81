/** The pitfalls of virtual time and of frames on demand (design/rendering, "Pitfalls"), each with its guard. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths } from './render-bench.ts';

const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>
  const add=(u)=>document.body.insertAdjacentHTML("beforeend",\`<a href="\${u}">\${u}</a>\`);${code}</script>`;

const ROUTES: Record<string, Route> = {
  '/timers': script('setTimeout(()=>add("/t800"),800);setTimeout(()=>add("/t4500"),4500)'),
  '/draws': script('let n=0;const f=()=>{if(++n===30)add("/late");requestAnimationFrame(f)};requestAnimationFrame(f)'),
  '/unanswered': script('fetch("/silent");setTimeout(()=>add("/t4500"),4500)'),
  '/silent': () => {},
  // more work than its time allows, in short tasks, so that it stays responsive
  '/computes': script(
    'let n=0;const f=()=>{const t=performance.now();for(let i=0;i<3e7;i++)n+=i%7;setTimeout(f,1)};f()',
  ),
  '/spins': script('setTimeout(()=>{const t=Date.now();while(Date.now()-t<1000);add("/late")},100)'),
};

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

test('frames of four pages at a time are drawn one after the other, and the browser lives', async () => {
  await using bench = await openBench({ workers: 4 });
  for (let round = 0; round < 3; round++) {
    const visits = Array.from({ length: 4 }, (_, page) => bench.capture(site.url(`/draws?page=${round}-${page}`)));
    for (const page of await Promise.all(visits)) expect(paths(page, 'anchor')).toContain('/late');
  }
  expect(bench.renderer.stats()).toMatchObject({ pagesReplaced: 0, browsersReplaced: 0 });
});

test('a page whose grant is still out serves no further visit, so that none is cut short by its expiry', async () => {
  await using bench = await openBench({ workers: 1, settleTimeout: milliseconds(2000) });
  for (let round = 0; round < 3; round++) {
    const { pagesReplaced } = bench.renderer.stats();
    expect((await bench.capture(site.url('/computes'))).settle.reason).toBe('timeout');
    expect(bench.renderer.stats().pagesReplaced).toBeGreaterThan(pagesReplaced);
    for (let visit = 0; visit < 3; visit++) {
      expect(paths(await bench.capture(site.url('/timers')), 'anchor')).toEqual(['/first', '/t4500', '/t800']);
    }
  }
});

test('a clock that was let go after a stall still ends the next visits of its page whole', async () => {
  await using bench = await openBench({ workers: 1 });
  expect((await bench.capture(site.url('/unanswered'))).settle.reason).toBe('timeout');
  for (let visit = 0; visit < 3; visit++) {
    const page = await bench.capture(site.url('/timers'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/t4500', '/t800']);
    expect(page.settle).toEqual({ reason: 'timer-drained', pending: [] });
  }
  expect(bench.renderer.stats().pagesReplaced).toBe(0);
});

test('a page that hangs in a loop costs a deadline and a page, and its neighbours nothing', async () => {
  // limits as in a crawl: on a busy machine the second try of the hanging page takes longer than the limits of the other tests
  await using bench = await openBench({ workers: 2, settleTimeout: seconds(15), pageTimeout: seconds(60) });
  const [hung, ...others] = await Promise.all([
    bench.capture(site.url('/spins')),
    bench.capture(site.url('/timers')),
    bench.capture(site.url('/draws')),
  ]);
  expect(paths(hung, 'anchor')).toContain('/late');
  expect(others.map((page) => paths(page, 'anchor').length)).toEqual([3, 2]);
  expect(bench.renderer.stats()).toMatchObject({ browsersReplaced: 0 });
});
