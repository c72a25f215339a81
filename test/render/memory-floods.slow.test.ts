/** Pages that make the browser report more than can be held: this process stays small, whatever the reports. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { mebibytes, seconds } from '../../src/base/units.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';
import { samplePeak } from './tree-peak.ts';

const page = (script: string): string =>
  `<!doctype html><title>before</title><a href=/kept>k</a><body><script>${script}</script>`;

/** A body sent in one piece, from one buffer. */
const BODY = Buffer.alloc(20 << 20, 120);
/** Bodies that a page asks for: together more than twice of what this process may grow by. */
const BODIES = 40;

const ROUTES: Record<string, Route> = {
  '/bodies': page(
    `let n=0;const next=()=>n++<${BODIES}&&fetch("/body/"+n).then(a=>a.arrayBuffer()).then(next,next);for(let i=0;i<6;i++)next()`,
  ),
  '/innocent': '<title>innocent</title><a href=/fine>f</a>',
  '/console': page('const s="x".repeat(2e7);for(let n=0;n<4;n++)console.error(s)'),
  '/console-many': page('const s="x".repeat(3e6);for(let n=0;n<60;n++)console.error(s+n)'),
  '/exceptions': page('for(let n=0;n<4;n++)setTimeout(()=>{throw new Error("x".repeat(1e7)+n)})'),
  '/dialogs': page('for(let n=0;n<5;n++)alert("x".repeat(3e7)+n);document.title="after"'),
  '/titles': page('for(let n=0;n<10;n++)document.title="x".repeat(2e7)+n'),
  '/histories': page('for(let n=0;n<30;n++)history.pushState(0,"","/?"+"x".repeat(1e6)+n)'),
  '/posts': page('for(let n=0;n<5;n++)fetch("/post?"+n,{method:"POST",body:"x".repeat(2e7)}).catch(()=>{})'),
  '/data-urls': page(
    'for(let n=0;n<30;n++){const i=new Image();i.src="data:image/png;base64,"+"A".repeat(1500000)+n;document.body.append(i)}',
  ),
  '/frames': page(
    'for(let n=0;n<10;n++){const f=document.createElement("iframe");f.src="data:text/html,"+"x".repeat(1500000)+n;document.body.append(f)}',
  ),
  '/headers': page('for(let n=0;n<100;n++)fetch("/large-head?"+n).catch(()=>{})'),
  '/large-head': (_request, response) => {
    for (let n = 0; n < 20; n++) response.setHeader(`x-${n}`, 'x'.repeat(10_000));
    response.end();
  },
  '/links': page(
    'for(let n=0;n<3000;n++){const a=document.createElement("a");a.href="/"+"x".repeat(8000)+n;a.textContent="y".repeat(1000);document.body.append(a)}',
  ),
  '/post': (request, response) => {
    request.resume().on('end', () => response.end());
  },
};

vi.setConfig({ testTimeout: 60_000 });

/** The limit for this process's growth; a visit returns up to 15 million characters, held several times while they are read. */
const GROWTH = mebibytes(300);
/** The limit for the browser's processes together. */
const TREE = mebibytes(1536);

let site: FixtureServer;
let bench: Bench;
/** Ends of the visits so far. */
const outcomes = new Map<string, VisitOutcome>();
beforeAll(async () => {
  // paths of their own: repeated requests at one address are not waited for
  const bodies = Array.from({ length: BODIES + 1 }, (_, n): [string, Route] => [
    `/body/${n}`,
    (_request, response) => response.end(BODY),
  ]);
  site = await FixtureServer.open({ ...ROUTES, ...Object.fromEntries(bodies) });
  bench = await openBench({ settleTimeout: seconds(8), pageTimeout: seconds(20) });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('what a page makes the browser say', () => {
  test.each([
    '/console',
    '/console-many',
    '/exceptions',
    '/dialogs',
    '/titles',
    '/histories',
    '/posts',
    '/data-urls',
    '/frames',
    '/headers',
    '/links',
  ])('%s: is not held, and nobody waits for it', async (path) => {
    const before = process.memoryUsage.rss();
    using sample = samplePeak(() => bench.renderer.stats().browserPid, TREE);
    const attack = bench.render(site.url(path, 'hostile.localhost'));
    const beside = await bench.render(site.url('/innocent', 'innocent.localhost'));
    const outcome = await attack;
    outcomes.set(path, outcome);
    expect(beside).toMatchObject({ kind: 'captured', page: { title: 'innocent' } });
    expect((await bench.capture(site.url('/innocent', 'innocent.localhost'))).title).toBe('innocent');
    if (process.env['SHOW_PEAKS'] !== undefined) {
      const detail =
        outcome.kind === 'captured'
          ? `captured ${outcome.page.settle.reason} ${JSON.stringify(outcome.page.problems)}`
          : JSON.stringify(outcome);
      const figures = [sample.peak(), sample.own() - before].map((size) => Math.round(size / 2 ** 20));
      process.stderr.write(`${path}\t${figures.join('\t')}\t${detail}\n`);
    }
    // passing megabytes on takes seconds on a busy machine, and a visit has only its time
    expect(['captured', 'crashed', 'timed-out']).toContain(outcome.kind);
    expect(sample.own() - before).toBeLessThan(GROWTH);
    expect(sample.peak()).toBeLessThan(TREE);
  });

  test('dialogs of megabytes are closed like others', async () => {
    const outcome = outcomes.get('/dialogs') ?? (await bench.render(site.url('/dialogs', 'hostile.localhost')));
    expect(outcome).toMatchObject({ kind: 'captured', page: { title: 'after' } });
  });
});

test('bodies of 20 MB, one after the other, pass by on their way through the proxy', async () => {
  await using egress = await openEgress(
    {
      grants: [{ cidr: '127.0.0.1', port: site.port }],
      closedPorts: [],
      connectTimeout: seconds(3),
      resolveTimeout: seconds(3),
      subRequests: () => null,
    },
    { log: silentLog },
  );
  await using behind = await openBench({ settleTimeout: seconds(8), pageTimeout: seconds(20) }, { egress });
  const before = process.memoryUsage.rss();
  using sample = samplePeak(() => behind.renderer.stats().browserPid, TREE);
  const outcome = await behind.render(site.url('/bodies'));
  expect(['captured', 'crashed', 'timed-out']).toContain(outcome.kind);
  expect(site.paths().filter((path) => path.startsWith('/body/')).length).toBeGreaterThanOrEqual(6);
  expect(sample.own() - before).toBeLessThan(GROWTH);
  expect(sample.peak()).toBeLessThan(TREE);
  if (process.env['SHOW_PEAKS'] !== undefined) {
    const asked = site.paths().filter((path) => path.startsWith('/body/')).length;
    const figures = [sample.peak(), sample.own() - before].map((size) => Math.round(size / 2 ** 20));
    process.stderr.write(`/bodies\t${figures.join('\t')}\t${asked} ${JSON.stringify(outcome).slice(0, 200)}\n`);
  }
  expect((await behind.capture(site.url('/innocent'))).title).toBe('innocent');
});
