/** An external browser at an endpoint, through Playwright: the same outcomes as over the pipe of our own browser. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser, type LaunchOptions } from '../../browsers/launch/launch-browser.ts';
import type { Browser } from '../../browsers/protocol/browser.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import { openRenderer, RENDER_FLAGS } from '../../src/render/open-renderer.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import { until } from '../support/until.ts';
import { FixtureServer } from './fixture-server.ts';
import { paths, QUICK, visitOf } from './render-bench.ts';

const signal = new AbortController().signal;
const environment = browserEnvironment(process.env, process.platform, homedir());
const options: LaunchOptions = {
  proxyUrl: null,
  frameControl: false,
  extraFlags: [...RENDER_FLAGS, '--remote-debugging-port=0'],
  sandbox: 'auto',
  log: silentLog,
};

let site: FixtureServer;
let server: Browser;
let renderer: Renderer;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/': `<title>t</title><a href=/a>a</a><img src=/p.png><script>
      setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<a href=/late>l</a>"),300);alert(1);window.open("/w")</script>`,
    '/worker': `<a href=/kept>k</a><script>new Worker("/worker.js").onmessage=({data})=>{document.body.innerHTML+=data}</script>`,
    '/worker.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end('postMessage("<a href=/told>t</a>")');
    },
    '/p.png': (_request, response) => response.end(),
    '/deep': '<script>while(1);</script>',
    '/dialogs': '<script>while(1)alert(1)</script>',
  });
  server = await launchBrowser(await findBrowser({ asked: null, environment }, signal), options, signal);
  const commandLine = await readFile(`/proc/${server.pid}/cmdline`, 'utf8');
  const profile = /--user-data-dir=([^\0]+)/.exec(commandLine)?.[1] ?? '';
  const file = join(profile, 'DevToolsActivePort');
  // a busy browser answers on its pipe before it has written its port to a file
  await until(async () => (await readFile(file, 'utf8').catch(() => '')).includes('\n'), 'the port of the browser');
  const [port] = (await readFile(file, 'utf8')).split('\n');
  const endpoint = await findBrowser({ asked: `http://127.0.0.1:${port}`, environment }, signal);
  renderer = await openRenderer(
    { ...QUICK, workers: 1, block: ['image'], pageTimeout: seconds(12) },
    { launch: (stop) => launchBrowser(endpoint, options, stop), egress: null, clock: systemClock, log: silentLog },
  );
});
afterAll(async () => {
  await renderer[Symbol.asyncDispose]();
  await server.close();
  await site[Symbol.asyncDispose]();
});

test('a page is rendered, with what comes late and what it wanted to open', async () => {
  const outcome = await renderer.render(visitOf(site.url('/')), signal);
  if (outcome.kind !== 'captured') throw new Error(JSON.stringify(outcome));
  expect(paths(outcome.page, 'anchor')).toEqual(['/a', '/late']);
  expect(paths(outcome.page, 'window-open')).toEqual(['/w']);
  expect(site.paths()).not.toContain('/w');
  // blocked also in a browser that was not started for it
  expect(site.paths()).not.toContain('/p.png');
  expect(renderer.stats()).toMatchObject({ browserPid: null, browsersReplaced: 0 });
});

test('what a worker tells is waited for', async () => {
  const outcome = await renderer.render(visitOf(site.url('/worker')), signal);
  if (outcome.kind !== 'captured') throw new Error(JSON.stringify(outcome));
  expect(paths(outcome.page, 'anchor')).toEqual(['/kept', '/told']);
});

test('a page of dialogs without end, and one that hangs, cost their own visits only', async () => {
  expect(await renderer.render(visitOf(site.url('/dialogs')), signal)).toMatchObject({ kind: 'timed-out' });
  expect(['timed-out', 'captured']).toContain((await renderer.render(visitOf(site.url('/deep')), signal)).kind);
  expect(await renderer.render(visitOf(site.url('/')), signal)).toMatchObject({ kind: 'captured' });
});
