/** Pages that try to prevent their screenshot, or to make it expensive: the visit ends with an outcome, in time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

const never: Route = () => {};

/** Height of a JPEG, from its start-of-frame segment. */
function heightOf(picture: Uint8Array): number {
  const bytes = Buffer.from(picture);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffc0 || marker === 0xffc2) return bytes.readUInt16BE(at + 5);
  }
  throw new Error('no start of frame');
}

const PAGES: Readonly<Record<string, string>> = {
  'that is a million pixels tall': '<div style="height:1000000px;background:linear-gradient(red,blue)"></div>',
  'that grows with its window': '<div style="height:300vh;background:linear-gradient(red,blue)"></div><p>end</p>',
  'that is animated without end':
    '<style>@keyframes k{to{transform:rotate(1turn)}}div{animation:k 1s infinite}</style><div>turns</div><script>requestAnimationFrame(function f(){document.title=performance.now();requestAnimationFrame(f)})</script>',
  'that starts an animation whenever one ends':
    '<div id=d>again</div><script>(function f(){d.animate([{opacity:0},{opacity:1}],1000).onfinish=f})()</script>',
  'of hundreds of animations':
    '<style>@keyframes k{to{color:red}}i{animation:k 9s}</style><script>document.write("<i>x</i>".repeat(400))</script>',
  'that opens a dialog when its animation ends':
    '<div id=d>ends</div><script>d.animate([{opacity:0},{opacity:1}],60000).onfinish=()=>alert("wait")</script>',
  'that opens a dialog when it is resized':
    '<div style="height:3000px">tall</div><script>onresize=()=>alert("wait")</script>',
  'whose fonts never come': '<style>@font-face{font-family:N;src:url(/never.ttf)}p{font-family:N}</style><p>words</p>',
  'whose pictures never come':
    '<img src=/never width=100 height=100><img loading=lazy src=/never2 width=100 height=100>',
  'that asks for another picture whenever one fails':
    '<div id=d></div><script>(function f(){const i=new Image(9,9);i.onerror=f;i.src="/broken?"+Math.random();d.replaceChildren(i)})()</script>',
  'that draws without end':
    '<canvas id=c width=8000 height=8000></canvas><script>const x=c.getContext("2d");requestAnimationFrame(function f(){for(let i=0;i<2000;i++)x.fillRect(0,0,8000,8000);requestAnimationFrame(f)})</script>',
  'that breaks what it can':
    '<script>Document.prototype.getAnimations=()=>{throw 1};Object.defineProperty(HTMLImageElement.prototype,"complete",{get(){throw 1}});Object.defineProperty(document,"fonts",{value:null})</script><form name=body></form><img name=getAnimations src=/never>',
};

const NAMES = Object.keys(PAGES);

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({
    ...Object.fromEntries(NAMES.map((name, number) => [`/page-${number}`, `<!doctype html>${PAGES[name]}`])),
    '/next': '<!doctype html><title>next</title><p>ordinary',
    '/never': never,
    '/never2': never,
    '/never.ttf': never,
  });
});
afterAll(() => site[Symbol.asyncDispose]());

describe.each(['viewport', 'full-page'] as const)('the %s of a page', (screenshot) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench({ screenshot, workers: 1 });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  test.each(NAMES)('%s is taken within bounds', async (name) => {
    const number = NAMES.indexOf(name);
    // a host for each page, so that no page's visit affects the wait on another
    const host = `host-${number}.localhost`;
    const began = performance.now();
    const page = await bench.capture(site.url(`/page-${number}`, host));
    expect(performance.now() - began).toBeLessThan(40_000);
    if (page.screenshot !== null) {
      expect(heightOf(page.screenshot)).toBeLessThanOrEqual(16_384);
      expect(page.screenshot.length).toBeLessThan(20_000_000);
    }
    const next = await bench.capture(site.url('/next', host));
    expect(heightOf(next.screenshot ?? new Uint8Array())).toBe(600);
  });
});
