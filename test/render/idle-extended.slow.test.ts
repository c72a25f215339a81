/** Pages that show nothing for long, and waits that users ask for. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const shell = (code: string, body = '<div id=root></div><noscript>Switch on JavaScript</noscript>'): string =>
  `<!doctype html><title>app</title><body>${body}<script>
  const show=(u)=>document.body.insertAdjacentHTML("beforeend",\`<p id=there>there</p><a href="\${u}">\${u}</a>\`);${code}</script>`;

const ROUTES: Record<string, Route> = {
  '/late': shell('setTimeout(()=>show("/shown"),8000)'),
  '/slow-script': '<!doctype html><title>app</title><div id=root></div><script defer src="/slow.js"></script>',
  '/slow.js': (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    wait(4000)
      .then(() => response.end('document.querySelector("#root").innerHTML="<a href=/shown>shown</a>"'))
      .catch(() => {});
  },
  '/very-slow-answer': shell('fetch("/slow-answer").then(r=>r.text()).then(show)'),
  '/slow-answer': (_request, response) => {
    wait(4000)
      .then(() => response.end('/shown'))
      .catch(() => {});
  },
  '/derives': shell(
    `const bytes=new Uint8Array(16);crypto.subtle.importKey("raw",bytes,"PBKDF2",false,["deriveBits"])
      .then(k=>crypto.subtle.deriveBits({name:"PBKDF2",salt:bytes,iterations:1000000,hash:"SHA-256"},k,256)).then(()=>show("/shown"))`,
    '<p>Loading …</p>',
  ),
  '/never': shell('window.broken=1'),
  '/picture': shell('1', '<canvas></canvas>'),
  '/shadow': shell('document.body.attachShadow({mode:"open"}).innerHTML="<p>words</p>"', ''),
  '/moves-on': shell('location.href="/elsewhere"', ''),
  '/text': '<!doctype html><title>text</title><p>words</p>',
  '/blank': '<!doctype html><title>blank</title>',
  '/timer': shell('setTimeout(()=>show("/shown"),7000)', '<a href="/first">first</a>'),
  '/socket-late': shell(
    'new WebSocket("ws://"+location.host+"/says").onmessage=(e)=>setTimeout(()=>show(e.data),100)',
    '<a href="/first">first</a>',
  ),
};

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  site.greetings['/says'] = { text: '/shown', after: 1500 };
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** A host for each page, so that no page's visit affects the wait on another. */
const ownUrl = (path: string): string => site.url(path, `${path.slice(1)}.localhost`);

describe('a page that shows nothing', () => {
  let patient: Bench;
  let usual: Bench;
  beforeAll(async () => {
    patient = await openBench({ settleTimeout: seconds(10), pageTimeout: seconds(16) });
    usual = await openBench();
  });
  afterAll(async () => {
    await patient[Symbol.asyncDispose]();
    await usual[Symbol.asyncDispose]();
  });

  test.each([
    ['/late', 'one longer wait', 'quiet'],
    ['/derives', 'real time for the work of other threads', 'quiet'],
    ['/slow-script', 'time for its answers', 'timer-drained'],
    ['/very-slow-answer', 'time for its answers', 'timer-drained'],
  ])('%s gets %s, and is read whole', async (path, _what, reason) => {
    const page = await patient.capture(ownUrl(path));
    expect(paths(page, 'anchor')).toEqual(['/shown']);
    expect(page).toMatchObject({ empty: false, settle: { reason } });
    expect(page.timing.load + page.timing.settle).toBeLessThanOrEqual(page.timing.total);
  });

  test('is marked where it stays so, and its likes are not waited for a third time', async () => {
    for (let visit = 1; visit <= 3; visit++) {
      const page = await usual.capture(site.url(`/never?page=${visit}`, 'never.localhost'));
      expect(page).toMatchObject({ empty: true, title: 'app' });
      expect(page.settle.reason).toBe(visit === 3 ? 'timer-drained' : 'quiet');
    }
  });

  test.each(['/picture', '/shadow', '/moves-on', '/text', '/blank'])('%s is none', async (path) => {
    const page = await usual.capture(ownUrl(path));
    expect(page).toMatchObject({ empty: false, settle: { reason: 'timer-drained' } });
  });
});

describe.each([
  ['in virtual time', true],
  ['in real time', false],
])('what a user names is waited for %s', (_way, frameControl) => {
  const open = (options: Partial<RenderOptions>) => openBench(options, { frameControl });

  test('an element that a timer makes after 7 s', async () => {
    await using bench = await open({ waitFor: '#there', settleTimeout: seconds(9), pageTimeout: seconds(16) });
    const page = await bench.capture(site.url('/timer'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/shown']);
    expect(page.settle.reason).not.toBe('timeout');
  });

  test('an element that a socket brings', async () => {
    await using bench = await open({ waitFor: 'p#there' });
    expect(paths(await bench.capture(site.url('/socket-late')), 'anchor')).toEqual(['/first', '/shown']);
  });

  test('an element that never comes ends in a timeout that names it', async () => {
    await using bench = await open({ waitFor: '#nowhere', settleTimeout: seconds(1) });
    const page = await bench.capture(site.url('/timer'));
    expect(page.settle).toEqual({ reason: 'timeout', pending: ['selector #nowhere'] });
    expect(paths(page, 'anchor')).toContain('/first');
    expect(page.timing.total).toBeLessThan(8000);
  });

  test('a time after the load event', async () => {
    await using bench = await open({ settle: { kind: 'after', duration: seconds(8) }, settleTimeout: seconds(12) });
    expect(paths(await bench.capture(site.url('/timer')), 'anchor')).toContain('/shown');
  });

  test('the load event alone', async () => {
    await using bench = await open({ settle: { kind: 'load' }, explore: 'none' });
    const page = await bench.capture(site.url('/timer'));
    expect(paths(page, 'anchor')).toEqual(['/first']);
    expect(page.settle.reason).toBe('load');
  });
});

test.each([
  [{ waitFor: '#1nvalid' }, '--wait-for: "#1nvalid" is not a CSS selector'],
  [{ selectLinks: [{ selector: 'a[', attribute: 'href' }] }, '--select-links: "a[" is not a CSS selector'],
])('a selector that is none is refused before anything is visited', async (options, message) => {
  await expect(openBench(options)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(message) });
});
