/** Ways for a page of a named origin to make its browser send requests to another one (see test/egress/vectors.ts), with the user's headers. */
import { expect, test } from 'vitest';
import { userHeaders } from '../../src/model/user-headers.ts';
import { openReceivers, ROLES, SECRETS, type Answering } from '../support/header-receivers.ts';
import { openBench } from './render-bench.ts';

/** Each way is tried on each origin at `/<name>`; `/to/<role>/<name>` redirects there. */
const VECTORS: Readonly<Record<string, (url: string) => string>> = {
  image: (url) => `<img src="${url}">`,
  script: (url) => `<script async src="${url}"></script>`,
  module: (url) => `<script type=module src="${url}"></script>`,
  sheet: (url) => `<link rel=stylesheet href="${url}">`,
  'sheet-import': (url) => `<style>@import url("${url}");</style>`,
  font: (url) => `<style>@font-face{font-family:"${url}";src:url("${url}")} i{font-family:"${url}"}</style><i>x</i>`,
  prefetch: (url) => `<link rel=prefetch href="${url}">`,
  preload: (url) => `<link rel=preload as=style href="${url}">`,
  frame: (url) => `<iframe src="${url}"></iframe>`,
  object: (url) => `<object data="${url}"></object>`,
  video: (url) => `<video preload=auto src="${url}"></video>`,
  'svg-image': (url) => `<svg width=9 height=9><image href="${url}" width=9 height=9 /></svg>`,
  form: (url) =>
    `<iframe name="${url}"></iframe><form class=send method=post action="${url}" target="${url}"><input name=a></form>`,
  fetch: (url) => run(`fetch('${url}', { mode: 'no-cors' })`),
  'fetch-cors': (url) => run(`fetch('${url}')`),
  preflight: (url) => run(`fetch('${url}', { method: 'PUT', headers: { 'x-own': '1' } })`),
  keepalive: (url) => run(`fetch('${url}', { mode: 'no-cors', keepalive: true })`),
  xhr: (url) => run(`const r = new XMLHttpRequest(); r.open('GET', '${url}'); r.send()`),
  beacon: (url) => run(`navigator.sendBeacon('${url}', 'x')`),
  events: (url) => run(`new EventSource('${url}')`),
  socket: (url) => run(`new WebSocket('${url.replace(/^http/, 'ws')}')`),
  worker: (url) => run(workerWith(`fetch('${url}', { mode: 'no-cors' })`)),
  'worker-import': (url) => run(workerWith(`importScripts('${url}')`)),
  'worker-socket': (url) => run(workerWith(`new WebSocket('${url.replace(/^http/, 'ws')}')`)),
  ping: (url) => `<a class=click href="#here" ping="${url}">x</a>`,
};

const run = (code: string): string =>
  `<script>try { Promise.resolve((() => { ${code} })()).catch(() => {}) } catch {}</script>`;
const workerWith = (code: string): string => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`;

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
};

/** Ways in which redirects are followed. */
const REDIRECTED = ['image', 'script', 'fetch', 'xhr', 'sheet', 'frame', 'worker', 'keepalive', 'prefetch', 'video'];
/** A browser loads only one of several fonts of a style, and adds no headers of ours to the handshake of a WebSocket. */
const ASKED_OF_SOME = new Set(['font']);
const WITHOUT_HEADERS = new Set(['font', 'socket', 'worker-socket']);

const LINES = Object.entries(SECRETS).map(([name, value]) => `${name}: ${value}`);
const FLAGS = { flags: ['--ignore-certificate-errors'] };

test.each(['http', 'https'] as const)(
  'headers reach only the named origin from its page over %s',
  async (scheme) => {
    const at = (role: string, path: string): string => `${receivers.origins[role] ?? ''}${path}`;
    const answer: Answering = (_role, request, response) => {
      const [, kind = '', role = '', ...rest] = (request.url ?? '/').split('/');
      if (kind === 'to') {
        response.writeHead(302, { location: at(role, `/${rest.join('/')}`), ...OPEN }).end();
      } else if (kind === 'worker.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end("fetch('/own-worker-fetch')");
      } else if (kind === 'service.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('${at('other', '/service')}')`);
      } else if (kind === '') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page());
      } else response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store', ...OPEN }).end('x');
    };
    const page = (): string => {
      const direct = ROLES.flatMap((role) =>
        Object.entries(VECTORS).map(([name, write]) => write(at(role, `/${name}`))),
      );
      const redirected = ROLES.flatMap((role) =>
        REDIRECTED.map((name) => (VECTORS[name] ?? String)(at('named', `/to/${role}/${name}-redirect`))),
      );
      const roundTrip = ['image', 'fetch', 'frame'].map((name) =>
        (VECTORS[name] ?? String)(at('named', `/to/other/to/named/${name}-back`)),
      );
      const own = run("new Worker('/worker.js')") + run("navigator.serviceWorker.register('/service.js')");
      const end = run(
        "document.querySelectorAll('.send').forEach((f) => f.submit()); document.querySelectorAll('.click').forEach((a) => a.click())",
      );
      return `<!doctype html><title>vectors</title>${[...direct, ...redirected, ...roundTrip, own, end].join('\n')}`;
    };
    await using receivers = await openReceivers(scheme, answer);
    const named = receivers.origins['named'] ?? '';
    await using bench = await openBench({ extraHeaders: userHeaders(LINES, [named]) }, FLAGS);
    await bench.capture(`${named}/`);

    expect(receivers.requests.filter(({ role, secrets }) => role !== 'named' && secrets.length > 0)).toEqual([]);
    const askedOf = (path: string): readonly string[] =>
      ROLES.filter((role) => receivers.requests.some((each) => each.role === role && each.path === path));
    for (const name of Object.keys(VECTORS).filter((each) => !ASKED_OF_SOME.has(each)))
      expect([name, askedOf(`/${name}`)]).toEqual([name, ROLES]);
    for (const name of REDIRECTED.map((each) => `${each}-redirect`))
      expect([name, askedOf(`/${name}`)]).toEqual([name, ROLES]);
    for (const name of Object.keys(VECTORS).filter((each) => !WITHOUT_HEADERS.has(each)))
      expect([name, receivers.rolesThatHeard(`/${name}`)]).toEqual([name, ['named']]);
    expect(receivers.requests.find(({ path }) => path === '/')?.secrets).toEqual(Object.keys(SECRETS));
    expect(receivers.rolesThatHeard('/own-worker-fetch')).toEqual(['named']);
    expect(receivers.rolesThatHeard('/image-back')).toEqual(['named']);
  },
  60_000,
);

test('a page or a frame of another origin cannot ask the named one in the name of the user', async () => {
  const probe = (name: string): string =>
    `<img src="${named()}/${name}-image">${run(`fetch('${named()}/${name}-fetch', { method: 'POST', mode: 'no-cors' })`)}`;
  const answer: Answering = (role, request, response) => {
    const html = (body: string): unknown => response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    if (request.url === '/evil')
      return html(
        probe('evil') +
          `<iframe srcdoc="${probe('nested').replaceAll('"', '&quot;')}"></iframe><iframe src="${named()}/framed"></iframe>`,
      );
    if (request.url === '/' && role === 'named')
      return html(
        `<!doctype html><title>x</title><img src=/own><iframe src="${receivers.origins['other'] ?? ''}/evil"></iframe>`,
      );
    return html('x');
  };
  await using receivers = await openReceivers('http', answer);
  function named(): string {
    return receivers.origins['named'] ?? '';
  }
  await using bench = await openBench({ extraHeaders: userHeaders(LINES, [named()]) }, FLAGS);
  await bench.capture(`${named()}/`);
  await bench.capture(`${receivers.origins['other'] ?? ''}/evil`);
  const paths = new Set(receivers.requests.map(({ path }) => path));
  for (const path of ['evil-image', 'evil-fetch', 'nested-image', 'nested-fetch', 'framed'])
    expect(paths).toContain(`/${path}`);
  const heard = receivers.requests.filter(({ secrets }) => secrets.length > 0).map(({ path }) => path);
  expect(heard.toSorted()).toEqual(['/', '/own']);
});
