/**
 * Pages that take memory without end: each ends with its true reason, the page beside it is captured, and the processes of
 * the browser stay below their limit. The limits are lower than those of a crawl, so that the test takes little memory.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mebibytes, seconds } from '../../src/base/units.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';
import { groupPeak, samplePeak } from './tree-peak.ts';

const page = (script: string): string =>
  `<!doctype html><title>before</title><a href=/kept>k</a><body><script>${script}</script>`;

/**
 * A page that takes a piece at each answer of the server, which runs in the same process as the watch: so the page does not outrun the
 * watch on a busy machine, and ends by its own limit and not by the browser's.
 */
const byTicks = (takeMore: string): string =>
  page(
    `const all=[];const take=()=>{${takeMore}};const next=()=>{const s=document.createElement("script");s.src="/tick?"+all.length+Math.random();s.onload=()=>{take();next()};document.head.append(s)};next()`,
  );

/** A body sent in one piece, from one buffer. */
const BODY = Buffer.alloc(20 << 20, 120);

const ROUTES: Record<string, Route> = {
  '/innocent': '<title>innocent</title><a href=/fine>f</a>',
  '/body': (_request, response) => response.end(BODY),
  '/tick': (_request, response) => response.end('1'),
  '/typed-arrays': byTicks('all.push(new Uint8Array(32<<20).fill(1))'),
  '/holds': byTicks('if(all.length<10)all.push(new Uint8Array(32<<20).fill(1))'),
  '/takes': byTicks('if(all.length<12)all.push(new Uint8Array(32<<20).fill(1));else document.title="all"'),
  '/wasm': byTicks('const m=new WebAssembly.Memory({initial:512});new Uint8Array(m.buffer).fill(1);all.push(m)'),
  '/workers': byTicks(
    'if(all.length===0){const s="const all=[];onmessage=()=>all.push(new Uint8Array(4<<20).fill(1))";const u=URL.createObjectURL(new Blob([s]));for(let n=0;n<8;n++)all.push(new Worker(u))}for(const w of all)w.postMessage(0)',
  ),
  '/canvases': byTicks(
    'const c=document.createElement("canvas");c.width=c.height=2896;const x=c.getContext("2d",{willReadFrequently:true});x.fillRect(0,0,2896,2896);all.push(c)',
  ),
  '/strings': page('const s="x".repeat(1<<27);console.error(s,s,s,s,s,s,s,s)'),
  '/nodes': byTicks(
    'const f=document.createDocumentFragment();for(let n=0;n<20000;n++){const d=document.createElement("div");d.append("x".repeat(500)+n);f.append(d)}document.body.append(f)',
  ),
  '/fast': page('const all=[];setInterval(()=>all.push(new Uint8Array(64<<20).fill(1)),10)'),
  '/objects': page('const a=[];for(;;)a.push(new Array(1e6).fill({}))'),
  '/bodies': page(
    'const all=[];(async()=>{for(let n=0;n<200;n++)all.push(await(await fetch("/body?"+n)).arrayBuffer())})()',
  ),
  '/blobs': page('const all=[];setInterval(()=>all.push(new Blob([new Uint8Array(32<<20).fill(all.length)])),20)'),
};

vi.setConfig({ testTimeout: 120_000 });

const MEMORY = { page: mebibytes(448), tree: mebibytes(896) };

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  bench = await openBench({ settleTimeout: seconds(30), pageTimeout: seconds(40) }, { memory: MEMORY });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const INNOCENT = '/innocent';
const innocent = async (): Promise<void> => {
  expect((await bench.capture(site.url(INNOCENT, 'innocent.localhost'))).title).toBe('innocent');
};

/** Visits the page as a crawl does: again if the browser reached its limit before the page beside it did, as no page is blamed for that. */
async function innocentInTwo(): Promise<void> {
  const outcome = await bench.render(site.url(INNOCENT, 'innocent.localhost'));
  if (outcome.kind === 'captured') return expect(outcome.page.title).toBe('innocent');
  expect(outcome).toMatchObject({ kind: 'crashed', memory: true, detail: OF_BROWSER });
  await innocent();
}

async function attacked(path: string, beside = innocent): Promise<VisitOutcome> {
  const { browserPid } = bench.renderer.stats();
  const grouped = groupPeak(browserPid) !== null;
  using sample = samplePeak(() => bench.renderer.stats().browserPid, grouped ? null : MEMORY.tree);
  const attack = bench.render(site.url(path, 'hostile.localhost'));
  await beside();
  const outcome = await attack;
  await innocent();
  if (process.env['SHOW_PEAKS'] !== undefined) {
    process.stderr.write(
      `${path}\t${Math.round(sample.peak() / 2 ** 20)}\t${Math.round(sample.own() / 2 ** 20)}\t${endOf(outcome)}\n`,
    );
  }
  // a group that is gone was ended at its limit; samples of single processes sum up to more than was used at any time
  expect(grouped ? (groupPeak(browserPid) ?? MEMORY.tree) : sample.peak()).toBeLessThanOrEqual(MEMORY.tree);
  return outcome;
}

/** The end of a visit without the page, for the message of a failed test. */
function endOf(outcome: VisitOutcome): string {
  return JSON.stringify(outcome.kind === 'captured' ? [outcome.page.settle, outcome.page.timing] : outcome);
}

const OF_PAGE = { kind: 'crashed', memory: true, detail: "memory: the page's processes took more than 448 MiB" };
const OF_BROWSER = 'memory: the processes of the browser took more than 896 MiB';

describe.runIf(process.platform === 'linux')('a page that takes memory without end', () => {
  test.each(['/typed-arrays', '/wasm', '/workers', '/canvases', '/strings', '/nodes'])(
    '%s: is ended, and the record says why',
    async (path) => {
      const { browsersReplaced } = bench.renderer.stats();
      const outcome = await attacked(path);
      expect(outcome, endOf(outcome)).toMatchObject(OF_PAGE);
      expect(bench.renderer.stats().browsersReplaced).toBe(browsersReplaced);
    },
  );

  // fast, slow or below the limit: the machine decides how these end, but they are held in any case
  test.each(['/fast', '/objects', '/bodies', '/blobs'])('%s: is held, and costs no other page', async (path) => {
    const outcome = await attacked(path, innocentInTwo);
    expect(['captured', 'crashed']).toContain(outcome.kind);
    if (outcome.kind === 'crashed') expect(outcome).toMatchObject({ memory: true });
  });
});

test.runIf(process.platform === 'linux')('two pages that grow at the same time are held together', async () => {
  using sample = samplePeak(() => bench.renderer.stats().browserPid, MEMORY.tree);
  const attacks = ['one.localhost', 'other.localhost'].map((host) => bench.render(site.url('/typed-arrays', host)));
  for (const outcome of await Promise.all(attacks))
    expect(outcome, endOf(outcome)).toMatchObject({ kind: 'crashed', memory: true });
  expect(groupPeak(bench.renderer.stats().browserPid) ?? sample.peak()).toBeLessThanOrEqual(MEMORY.tree);
  await innocent();
});

test.runIf(process.platform === 'linux')(
  'pages at rest give their memory to a page at work that needs it',
  async () => {
    const options = { workers: 1, settleTimeout: seconds(30), pageTimeout: seconds(40) };
    await using alone = await openBench(options, { memory: MEMORY });
    await alone.capture(site.url('/holds', 'rests.localhost'));
    const taken = await alone.render(site.url('/takes', 'works.localhost'));
    expect(taken, endOf(taken)).toMatchObject({ kind: 'captured', page: { title: 'all' } });
  },
);

test.runIf(process.platform === 'linux')(
  'without a control group a page is held by its own process and by who watches it',
  async () => {
    const memory = { ...MEMORY, by: 'process' } as const;
    await using alone = await openBench({ settleTimeout: seconds(30), pageTimeout: seconds(40) }, { memory });
    using sample = samplePeak(() => alone.renderer.stats().browserPid, MEMORY.tree);
    const attack = alone.render(site.url('/typed-arrays', 'hostile.localhost'));
    expect((await alone.capture(site.url('/innocent', 'innocent.localhost'))).title).toBe('innocent');
    expect(await attack).toMatchObject(OF_PAGE);
    expect(sample.peak()).toBeLessThan(MEMORY.tree);
    expect((await alone.capture(site.url('/innocent', 'innocent.localhost'))).title).toBe('innocent');
  },
);

test.runIf(process.platform === 'linux')('scripts that fill their heap are told from other crashes', async () => {
  await using alone = await openBench({ pageTimeout: seconds(14) }, { flags: ['--js-flags=--max-old-space-size=64'] });
  expect(await alone.render(site.url('/objects'))).toMatchObject({
    kind: 'crashed',
    memory: true,
    detail: 'memory: the scripts of the page filled more than 512 MiB',
  });
});
