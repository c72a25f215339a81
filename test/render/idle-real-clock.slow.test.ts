/** Pages whose content depends on sources that virtual time does not advance. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const APPEND = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string, markup = ''): string =>
  `<!doctype html><body>${markup}<a href="/first">first</a><script>${APPEND}${code}</script>`;

/** Silence in WAV format, of this many milliseconds. */
function wave(duration: number): Buffer {
  const samples = Math.floor(8000 * (duration / 1000));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

/** A server greets, confirms, and only then says what the page shows. */
const TALK = [
  { text: 'welcome', after: 500 },
  { text: 'confirmed', after: 1000 },
  { text: '/late', after: 1500 },
];

const ROUTES: Record<string, Route> = {
  '/worker': script(
    'const w=new Worker(URL.createObjectURL(new Blob(["setTimeout(()=>postMessage(\\"/late\\"),700)"])));w.onmessage=e=>add(e.data)',
  ),
  '/worker-file': script('const w=new Worker("/worker.js");w.onmessage=e=>add(e.data)'),
  '/worker.js': (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end('fetch("/slow-api").then(r=>r.text()).then(t=>setTimeout(()=>postMessage(t),300))');
  },
  '/slow-api': (_request, response) => {
    wait(400)
      .then(() => response.end('/late'))
      .catch(() => {});
  },
  '/socket': script('const s=new WebSocket("ws://"+location.host+"/says");s.onmessage=e=>add(e.data)'),
  '/welcomes': script(
    'const s=new WebSocket("ws://"+location.host+"/talks");s.onmessage=e=>e.data[0]==="/"&&add(e.data)',
  ),
  '/stream-welcomes': script('new EventSource("/talks-events").onmessage=e=>e.data[0]==="/"&&add(e.data)'),
  '/talks-events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.flushHeaders();
    for (const { text, after } of TALK)
      wait(after)
        .then(() => response.write(`data: ${text}\n\n`))
        .catch(() => {});
  },
  '/stream': script('new EventSource("/says-events").onmessage=e=>add(e.data)'),
  '/says-events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.flushHeaders();
    wait(500)
      .then(() => response.write('data: /late\n\n'))
      .catch(() => {});
  },
  '/animation': script(
    'document.querySelector("#box").addEventListener("animationend",()=>add("/late"))',
    '<style>@keyframes k{from{opacity:0}to{opacity:1}}#box{animation:k 900ms}</style><div id=box>x</div>',
  ),
  '/transition': script(
    'const b=document.querySelector("#box");b.addEventListener("transitionend",()=>add("/late"));setTimeout(()=>b.style.opacity=0,300)',
    '<style>#box{transition:opacity 800ms;opacity:1}</style><div id=box>x</div>',
  ),
  '/animations': script(
    'document.addEventListener("animationend",e=>{if(e.animationName==="k")document.querySelector("#box").className="two";else add("/late")})',
    '<style>@keyframes k{from{opacity:0}}@keyframes l{from{opacity:.5}}#box{animation:k 900ms}#box.two{animation:l 900ms}</style><div id=box>x</div>',
  ),
  '/idle': script('setTimeout(()=>requestIdleCallback(()=>setTimeout(()=>add("/late"),100)),300)'),
  '/idle-chain': script(
    'let n=0;const f=()=>{if(++n===4)add("/late");else requestIdleCallback(f)};requestIdleCallback(f)',
  ),
  '/idle-for-ever': script('const f=()=>requestIdleCallback(f);f()'),
  '/frames': script(
    'let n=0;const f=()=>{if(++n===30)add("/late");else requestAnimationFrame(f)};requestAnimationFrame(f)',
  ),
  '/frames-for-ever': script(
    'let n=0;const f=()=>{if(++n===30)add("/late");requestAnimationFrame(f)};requestAnimationFrame(f)',
  ),
  '/frames-by-time': script(
    'let t;const f=(now)=>{t??=now;if(now-t>400)add("/late");else requestAnimationFrame(f)};requestAnimationFrame(f)',
  ),
  '/animate': script(
    'document.querySelector("#box").animate([{opacity:0},{opacity:1}],1200).finished.then(()=>add("/late"))',
    '<div id=box>x</div>',
  ),
  '/late-frame': script(
    'addEventListener("message",e=>add(e.data));setTimeout(()=>{const f=document.createElement("iframe");f.src="/says";document.body.append(f)},1000)',
  ),
  '/says': '<!doctype html><script>setTimeout(()=>parent.postMessage("/late","*"),500)</script>',
  '/media': script(
    'const a=document.createElement("audio");a.onloadedmetadata=()=>add("/late");a.preload="metadata";a.src="/sound.wav";document.body.append(a)',
  ),
  '/sound.wav': (_request, response) => {
    response.setHeader('content-type', 'audio/wav');
    response.end(wave(500));
  },
  '/spin': script('const t=Date.now();while(Date.now()-t<1000);add("/late")'),
  '/for-ever': script('while(true);'),
  '/performance-spin': script(
    'setTimeout(()=>{const t=performance.now();while(performance.now()-t<1000);add("/late")},200)',
  ),
};

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  site.greetings['/says'] = { text: '/late', after: 500 };
  site.greetings['/talks'] = TALK;
  bench = await openBench();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Each page makes its link from a source that virtual time does not advance. */
const WAYS: readonly (readonly [what: string, path: string])[] = [
  ['a timer of a worker', '/worker'],
  ['an answer that a worker fetched', '/worker-file'],
  ['a message of a WebSocket', '/socket'],
  ['what a WebSocket says after messages that change nothing', '/welcomes'],
  ['a message of an event stream', '/stream'],
  ['what an event stream says after messages that change nothing', '/stream-welcomes'],
  ['the end of a CSS animation', '/animation'],
  ['the end of a CSS transition', '/transition'],
  ['the end of an animation that follows on another', '/animations'],
  ['the end of an animation of a script', '/animate'],
  ['the thirtieth animation frame', '/frames'],
  ['the thirtieth animation frame of a page that draws for ever', '/frames-for-ever'],
  ['the time that animation frames tell', '/frames-by-time'],
  ['a message of a frame that came late', '/late-frame'],
  ['the metadata of a sound', '/media'],
];

describe('what only frames or the real clock move is waited for', () => {
  test.each(WAYS)('%s', async (_what, path) => {
    expect(paths(await bench.capture(site.url(path)), 'anchor')).toContain('/late');
  });

  test('which takes real time only where workers and sockets need it', async () => {
    for (const path of ['/animations', '/frames-for-ever']) {
      const page = await bench.capture(site.url(path));
      // the real time that two animations of 0.9 s take
      expect(page.timing.settle).toBeLessThan(1800);
      expect(page.settle.reason).toBe('timer-drained');
    }
    const page = await bench.capture(site.url('/socket'));
    expect(page.settle.reason).toBe('quiet');
    expect(page.timing.settle).toBeGreaterThan(400);
  });

  test('frames far apart leave a picture of the page', async () => {
    await using painter = await openBench({ screenshot: 'viewport' });
    for (const path of ['/frames-for-ever', '/animation']) {
      const page = await painter.capture(site.url(path));
      expect(page.screenshot?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    }
  });
});

test('idle callbacks come in every page, in its first document and in later ones, and each is asked for once', async () => {
  await using fresh = await openBench();
  for (let visit = 1; visit <= 4; visit++) {
    const before = site.paths().length;
    const page = await fresh.capture(site.url(`/idle?page=${visit}`));
    expect(paths(page, 'anchor')).toContain('/late');
    expect(site.paths().length - before).toBe(1);
  }
});

test('idle work that asks for idle work is done to its end', async () => {
  await using fresh = await openBench();
  await fresh.capture(site.url('/frames'));
  expect(paths(await fresh.capture(site.url('/idle-chain')), 'anchor')).toContain('/late');
});

test('idle callbacks that make no links, and some without end, hold a page up for a moment only', async () => {
  await using fresh = await openBench();
  const before = site.paths().length;
  for (let visit = 1; visit <= 4; visit++) {
    const page = await fresh.capture(site.url(`/idle-for-ever?page=${visit}`));
    expect(page.settle.reason).not.toBe('timeout');
  }
  expect(site.paths().length - before).toBe(4);
});

describe('a script that waits for the clock in a loop', () => {
  const loadsOf = (start: string): number => site.paths().filter((path) => path.startsWith(start)).length;

  test.each(['/spin', '/performance-spin'])('%s is tried again in real time, and its likes at once', async (path) => {
    await using fresh = await openBench();
    for (let visit = 1; visit <= 3; visit++) {
      const before = loadsOf(path);
      const page = await fresh.capture(site.url(`${path}?page=${visit}`));
      expect(paths(page, 'anchor')).toContain('/late');
      expect(page.settle.reason).toBe('quiet');
      expect(loadsOf(path) - before).toBe(visit === 1 ? 2 : 1);
      // the time of both tries is recorded, but ttfb counts only the server's time, because a host's delay depends on it
      expect(page.timing.total).toBeGreaterThan(1000);
      if (visit === 1) expect(page.timing.wait).toBeGreaterThan(2000);
      expect(page.timing.ttfb).toBeLessThan(page.timing.total - 1000);
    }
  });

  test('one that never ends hangs its likes no second time', async () => {
    await using fresh = await openBench({ settleTimeout: seconds(4) });
    for (let visit = 1; visit <= 2; visit++) {
      const before = loadsOf('/for-ever');
      const page = await fresh.capture(site.url(`/for-ever?page=${visit}`));
      expect(page.settle.reason).toBe('timeout');
      expect(paths(page, 'anchor')).toEqual(['/first']);
      expect(loadsOf('/for-ever') - before).toBe(visit === 1 ? 2 : 1);
    }
  });

  test('a page that has hung leaves its slot to the next', async () => {
    await using fresh = await openBench({ workers: 1 });
    await fresh.capture(site.url('/spin'));
    expect(paths(await fresh.capture(site.url('/animation')), 'anchor')).toContain('/late');
  });
});
