/** Pages that attack the waiting itself: each ends within its budget with an outcome, and the slot serves the next page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { SALVAGE_TIME } from '../../src/render/page-limits.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

const page = (script: string, markup = ''): string =>
  `<!doctype html><title>before</title><body>${markup}<a href=/kept>k</a><script>${script}</script>`;

const ROUTES: Record<string, Route> = {
  '/innocent': '<title>innocent</title><a href=/fine>f</a>',
  '/leaves': page('let n=0;setInterval(()=>{location.href="/gone-"+ ++n},5)'),
  '/reloads': page('setInterval(()=>location.reload(),5)'),
  '/sends': page('setInterval(()=>document.forms[0].submit(),5)', '<form action=/gone method=post></form>'),
  '/leaves-in-frames': page('const f=()=>{location.href="/gone-"+Math.random();requestAnimationFrame(f)};f()'),
  '/writes': page(
    'setTimeout(()=>{document.open();document.write("<title>after</title><a href=/written>w</a>");document.close()},300)',
  ),
  '/names': page(
    'requestAnimationFrame(()=>0)',
    '<img name=getAnimations><img name=querySelectorAll><form name=body></form><img id=requestAnimationFrame>',
  ),
  '/lies': page(`requestAnimationFrame=()=>1e9;requestIdleCallback=()=>-5;document.getAnimations=()=>{while(true);};
    Document.prototype.getAnimations=()=>[1,2,3];performance.now=()=>0;Object.prototype.frames=7`),
  '/grows': page('const f=()=>{document.body.append(document.createElement("i"));requestAnimationFrame(f)};f()'),
  '/animates': page(
    'let n=0;document.addEventListener("animationend",e=>{e.target.style.animationName=e.animationName==="k"?"l":"k"})',
    '<style>@keyframes k{from{opacity:0}}@keyframes l{from{opacity:0}}#b{animation:k 5s}</style><div id=b>x</div>',
  ),
  '/socket-loop': page('new WebSocket("ws://"+location.host+"/says").onmessage=()=>{while(true);}'),
  '/socket-grows': page(
    'new WebSocket("ws://"+location.host+"/silent");setInterval(()=>document.body.append(document.createElement("i")),20)',
  ),
  '/frame-loop-late': page('let n=0;const f=()=>{if(++n===20)while(true);requestAnimationFrame(f)};f()'),
  '/scroll-loop': page('document.body.style.height="9000px";addEventListener("scroll",()=>{while(true);})'),
  '/idle-loop': page('requestIdleCallback(()=>{while(true);})'),
};

const PAGE_TIMEOUT = seconds(20);

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  site.greetings['/says'] = { text: 'go', after: 300 };
  bench = await openBench({ settleTimeout: seconds(4), pageTimeout: PAGE_TIMEOUT, workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Visited {
  readonly title: string;
  readonly links: readonly string[];
  /** The reason why the wait ended. */
  readonly end: string;
  /** Milliseconds, without the next visit. */
  readonly took: number;
}

async function visit(path: string): Promise<Visited> {
  const started = performance.now();
  const { title, foundLinks, settle } = await bench.capture(site.url(path));
  const took = performance.now() - started;
  expect((await bench.capture(site.url('/innocent'))).title).toBe('innocent');
  return {
    title,
    links: foundLinks.filter(({ kind }) => kind === 'anchor').map(({ href }) => href),
    end: settle.reason,
    took,
  };
}

describe('a page that navigates away while it is read', () => {
  test.each(['/leaves', '/reloads', '/sends', '/leaves-in-frames'])('%s stays, and is read', async (path) => {
    const asked = site.paths().length;
    const { title, links, took } = await visit(path);
    expect({ title, links }).toEqual({ title: 'before', links: ['/kept'] });
    expect(took).toBeLessThan(PAGE_TIMEOUT);
    expect(
      site
        .paths()
        .slice(asked)
        .filter((asking) => asking.startsWith('/gone')),
    ).toEqual([]);
  });

  test('one that writes itself anew is read as it then is', async () => {
    const { title, links } = await visit('/writes');
    expect(title).toBe('after');
    expect(links).toContain('/written');
  });
});

describe('a page that lies about its frames', () => {
  test.each(['/names', '/lies'])('%s is believed nothing', async (path) => {
    const { links, end } = await visit(path);
    expect(links).toEqual(['/kept']);
    expect(end).not.toBe('timeout');
  });
});

describe('a page that never has enough', () => {
  test.each(['/grows', '/animates', '/socket-grows'])('%s gets what it gets', async (path) => {
    const { links, took } = await visit(path);
    expect(links).toEqual(['/kept']);
    expect(took).toBeLessThan(PAGE_TIMEOUT);
  });
});

describe('a page that hangs in what it was given more time for', () => {
  test.each(['/socket-loop', '/frame-loop-late', '/idle-loop', '/scroll-loop'])(
    '%s keeps what it had',
    async (path) => {
      const { title, links, took } = await visit(path);
      expect({ title, links }).toEqual({ title: 'before', links: ['/kept'] });
      expect(took).toBeLessThan(PAGE_TIMEOUT + SALVAGE_TIME);
    },
  );
});

test('a page timeout holds for both tries together', async () => {
  await using short = await openBench({ settleTimeout: seconds(30), pageTimeout: seconds(9) });
  site.add({ '/hangs': page('while(true);') });
  const started = performance.now();
  const outcome = await short.render(site.url('/hangs'));
  expect(performance.now() - started).toBeLessThan(seconds(9) + SALVAGE_TIME);
  expect(outcome).toMatchObject({ kind: 'captured', page: { settle: { reason: 'timeout' } } });
});
