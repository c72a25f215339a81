/** Pages that flood (hostile F18, F21, F36 and F62): each ends within its budget, and the slot serves the next. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { MESSAGE_LIMIT, REQUEST_LIMIT } from '../../src/render/page-limits.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const page = (script: string): string =>
  `<!doctype html><title>before</title><a href=/kept>k</a><script>${script}</script>`;

const ROUTES: Record<string, Route> = {
  '/innocent': '<title>innocent</title><a href=/fine>f</a>',
  '/fetches': page('for(let n=0;n<20000;n++)fetch("/api?"+n).catch(()=>{})'),
  '/pictures': page('for(let n=0;n<5000;n++){const i=new Image();i.src="/p.png?"+n;document.body.append(i)}'),
  // scripts that go on keep the page from telling of its requests, and from taking them back
  '/busy-fetches': page('for(let n=0;n<3000;n++)fetch("/api?"+n).catch(()=>{});for(let n=0;n<3e9;n++);'),
  '/busy-scripts': page(
    'for(let n=0;n<3000;n++){const s=document.createElement("script");s.src="/p.png?"+n;document.body.append(s)};for(let n=0;n<3e9;n++);',
  ),
  '/busy-xhr': page(
    'for(let n=0;n<3000;n++){const r=new XMLHttpRequest();r.open("GET","/api?"+n);r.send()};for(let n=0;n<3e9;n++);',
  ),
  // the last loops until the clock has moved, and is loaded again in real time
  '/twice': page(
    'for(let n=0;n<290;n++)fetch("/api?"+n).catch(()=>{});const t=Date.now();setTimeout(()=>{for(let n=0;n<1e9;n++);while(Date.now()<t+3000);},2000)',
  ),
  '/frames': page(
    'for(let n=0;n<600;n++){const f=document.createElement("iframe");f.src="/api?"+n;document.body.append(f)}',
  ),
  '/messages': page('for(let n=0;n<1e6;n++)console.error("x".repeat(100)+n)'),
  '/large-message': page('console.log("x".repeat(1e8));console.error({get a(){while(1);}})'),
  '/console': page('for(let n=0;n<5000;n++)console.error("x".repeat(1000));setTimeout(()=>{throw new Error("y")},1)'),
  '/exceptions': page('(function next(n){if(n<1e6)queueMicrotask(()=>{next(n+1);throw new Error("y"+n)})})(0)'),
  '/confirms': page('while(1)confirm(1)'),
  '/prompts': page('for(;;)prompt(1)'),
  '/many': page(
    'for(let n=0;n<500;n++){fetch("/api?"+n).catch(()=>{});new Image().src="/p.png?"+n};setTimeout(()=>document.title="after",500)',
  ),
  '/buffers': page('const all=[];setInterval(()=>{for(let n=0;n<4;n++)all.push(new Uint8Array(64<<20).fill(1))},1)'),
  '/api': (_request, response) => response.end('{}'),
  '/p.png': (_request, response) => response.end(),
};

// a flood may use up its visit's whole time, and the next visit waits for a new page
vi.setConfig({ testTimeout: 90_000 });

let site: FixtureServer;
let bench: Bench;
/** A bench for pages that are read in full, however busy the machine is. */
let patient: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  bench = await openBench({ settleTimeout: seconds(6), pageTimeout: seconds(12) });
  patient = await openBench({ settleTimeout: seconds(30), pageTimeout: seconds(40) });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await patient[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const innocent = async (): Promise<void> => {
  expect((await bench.capture(site.url('/innocent'))).title).toBe('innocent');
};

describe('requests', () => {
  const floods = ['/fetches', '/pictures', '/busy-fetches', '/busy-scripts', '/busy-xhr', '/twice', '/frames'];
  test.each(floods)('%s: no more than 500 leave the browser in a visit', async (path) => {
    const before = site.asked.length;
    const outcome = await bench.render(site.url(path));
    // twenty thousand waiting requests may exceed a page's memory limit
    if (outcome.kind === 'crashed') expect(outcome.memory).toBe(true);
    else expect(['captured', 'timed-out']).toContain(outcome.kind);
    await innocent();
    expect(site.asked.length - before).toBeLessThanOrEqual(REQUEST_LIMIT);
  });

  test('a page of a thousand pictures and answers is read as it is, and says how many did not come', async () => {
    const before = site.asked.length;
    const captured = await patient.capture(site.url('/many'));
    expect(captured.title).toBe('after');
    expect(paths(captured, 'anchor')).toEqual(['/kept']);
    expect(site.asked.length - before).toBeLessThanOrEqual(REQUEST_LIMIT);
    expect(captured.problems.failedRequests).toBeGreaterThan(300);
    // the next visit of the page has its own request budget
    expect((await patient.capture(site.url('/innocent'))).problems.failedRequests).toBe(0);
  });
});

describe('messages and exceptions', () => {
  test('thousands of console messages are counted, not kept', async () => {
    const { problems, settle } = await patient.capture(site.url('/console'));
    // 'quiet' if a busy machine made the page seem to hang and it was loaded again in real time; complete in either case
    expect(['timer-drained', 'quiet']).toContain(settle.reason);
    expect(problems).toMatchObject({ console: 5000, exceptions: 1 });
  });

  test.each(['/messages', '/exceptions'])('%s: a million are not listened to, and Node does not grow', async (path) => {
    const before = process.memoryUsage().rss;
    const outcome = await bench.render(site.url(path));
    expect(['captured', 'timed-out']).toContain(outcome.kind);
    if (outcome.kind === 'captured') {
      const { console, exceptions } = outcome.page.problems;
      expect(console + exceptions).toBeGreaterThan(100);
      expect(console + exceptions).toBeLessThanOrEqual(MESSAGE_LIMIT);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    await innocent();
  });

  test('a message of a hundred megabytes is nothing to us', async () => {
    expect(['captured', 'timed-out', 'crashed']).toContain((await bench.render(site.url('/large-message'))).kind);
    await innocent();
  });
});

test.each(['/confirms', '/prompts'])('%s: dialogs without end end the page, before its time does', async (path) => {
  const ended = { kind: 'timed-out', detail: 'the page opens dialogs without end' };
  expect(await bench.render(site.url(path))).toMatchObject(ended);
  await innocent();
});

test('typed arrays that grow by a gigabyte a second end their page before the machine feels it', async () => {
  // the patient bench: on a busy machine the arrays grow more slowly
  const { browsersReplaced } = patient.renderer.stats();
  const outcome = await patient.render(site.url('/buffers'));
  expect(outcome).toMatchObject({ kind: 'crashed', memory: true });
  if (outcome.kind === 'crashed') expect(outcome.detail).toMatch(/^memory: the .* took more than 1(?:\.5)? GiB$/);
  for (let visit = 0; visit < 2; visit += 1)
    expect((await patient.capture(site.url('/innocent'))).title).toBe('innocent');
  expect(patient.renderer.stats().browsersReplaced).toBe(browsersReplaced);
});
