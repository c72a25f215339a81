import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { openBench, paths } from '../render/render-bench.ts';
import { hearExchanges } from '../support/heard-exchanges.ts';
import { started, type Origin } from '../support/origin.ts';
import { secureOrigin } from '../support/secure-origin.ts';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

interface Tap extends Origin {
  /** Number of clients that the proxy rejected for lack of the credential. */
  challenges(): number;
}

/** Relays between a browser and the proxy, and counts the proxy's challenges. */
async function tapTo(proxyUrl: string): Promise<Tap> {
  let challenges = 0;
  const tap = createServer((client) => {
    const proxy = connect(Number(new URL(proxyUrl).port), '127.0.0.1');
    proxy.on('data', (chunk) => (challenges += chunk.toString('latin1').split('HTTP/1.1 407 ').length - 1));
    for (const socket of [client, proxy]) {
      socket.on('error', () => {});
      socket.on('close', () => void [client, proxy].map((each) => each.destroy()));
    }
    client.pipe(proxy).pipe(client);
  });
  return { ...(await started(tap)), challenges: () => challenges };
}

/** A page that makes all kinds of requests at once; each reports by a title of its own. */
const page = (other: string, secure: string, port: number): string => `<title>page</title>
  <link rel=preload as=image href=/preloaded><link rel=icon href=/icon.svg><link rel=preconnect href=${other}>
  <img src=/picture.svg><img src=${other}/anonymous.svg crossorigin=anonymous>
  <iframe src=${other}/frame></iframe><iframe sandbox=allow-scripts src=/sandboxed></iframe>
  <script>
  const done = [];
  const tell = (what) => { done.push(what); document.title = done.sort().join(' ');
    if (done.length === 7) document.body.insertAdjacentHTML('beforeend', '<p id=all>all</p>'); };
  fetch('/omit', { credentials: 'omit' }).then(() => tell('omit'));
  fetch('${secure}', { mode: 'no-cors' }).then(() => tell('secure'), () => tell('secure'));
  const inline = URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:${port}/by-worker',{mode:'no-cors'}).then(()=>postMessage('worker'))"]));
  for (const from of ['/worker.js', inline]) new Worker(from).onmessage = ({ data }) => tell(data);
  new WebSocket('ws://127.0.0.1:${port}/socket').onmessage = () => tell('socket');
  onmessage = ({ data }) => tell(data);
  </script><a href=/next>next</a>`;

test.each([false, true])(
  'all that a page asks for passes the proxy after one challenge for its storage, and no origin hears of it (archive: %s)',
  async (archive) => {
    const seen: IncomingMessage[] = [];
    const cors = { 'access-control-allow-origin': '*' };
    await using secure = await secureOrigin((incoming, response) => {
      seen.push(incoming);
      response.writeHead(200, cors).end('secure');
    });
    await using site = await FixtureServer.open({});
    site.greetings['/socket'] = { text: 'hello', after: 10 };
    const own = (type: string, body: string) => (_incoming: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { ...cors, 'content-type': type }).end(body);
    };
    site.add({
      '/': page(site.url('', 'other.localhost'), secure.url('/api', '127.0.0.1'), site.port),
      '/picture.svg': own('image/svg+xml', PICTURE),
      '/anonymous.svg': own('image/svg+xml', PICTURE),
      '/omit': own('text/plain', 'x'),
      '/by-worker': own('text/plain', 'x'),
      '/worker.js': own('text/javascript', "fetch('/by-file').then(() => postMessage('worker-file'))"),
      '/frame': "<script>parent.postMessage('frame', '*')</script>",
      '/sandboxed': "<script>parent.postMessage('sandboxed', '*')</script>",
    });
    const lines: string[] = [];
    const say = (event: string, fields?: unknown): void => void lines.push(`${event} ${JSON.stringify(fields)}`);
    const log = { debug: say, info: say, warn: say, error: say };
    const heard = hearExchanges();
    const grants = [site.port, secure.port].map((port) => ({ cidr: '127.0.0.1', port }));
    await using egress = await openEgress(
      { grants, closedPorts: [], connectTimeout: seconds(5), resolveTimeout: seconds(5) },
      { log, recorder: archive ? heard : null, trusted: [secure.authority] },
    );
    await using tap = await tapTo(egress.proxyUrl);
    const tapped: Egress = { ...egress, proxyUrl: `http://127.0.0.1:${tap.port}` };
    await using bench = await openBench({ workers: 1, waitFor: '#all' }, { egress: tapped });
    const captured = await bench.capture(site.url('/'));
    const wanted = ['frame', 'omit', 'sandboxed', 'secure', 'socket', 'worker', 'worker-file'];
    expect(captured.title?.split(' ')).toEqual(wanted);
    // without an archive the browser itself refuses the certificate: the proxy let its CONNECT through nevertheless
    expect([secure.connections() > 0, secure.requests.length]).toEqual([true, archive ? 1 : 0]);
    expect(paths(captured, 'anchor')).toEqual(['/next']);
    expect(new Set(site.paths())).toEqual(
      new Set([
        '/',
        '/picture.svg',
        '/anonymous.svg',
        '/frame',
        '/sandboxed',
        '/omit',
        '/worker.js',
        '/by-file',
        '/by-worker',
        '/preloaded',
      ]),
    );
    // one challenge for the storage in which the selector is tried at the start, one for the storage of this page
    expect(tap.challenges()).toBe(2);
    const asked = [...site.requests, ...seen].map(({ rawHeaders }) => rawHeaders);
    const secrets = new RegExp(
      `proxy-auth|${egress.proxyCredential.password}|${Buffer.from(`orbweaver:${egress.proxyCredential.password}`).toString('base64')}`,
      'i',
    );
    for (const place of [asked, lines, heard.all, captured]) expect(JSON.stringify(place)).not.toMatch(secrets);
    const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    expect(running).toContain(String(bench.renderer.stats().browserPid));
    const read = async (path: string): Promise<string> => await readFile(path, 'latin1').catch(() => '');
    for (const pid of running) {
      // oxlint-disable-next-line no-await-in-loop -- hundreds of small files
      expect(`${await read(`/proc/${pid}/cmdline`)} ${await read(`/proc/${pid}/environ`)}`).not.toMatch(secrets);
    }
  },
);

test('further pages of the same storage are asked for nothing', async () => {
  await using site = await FixtureServer.open({ '/': '<title>one</title><img src=/picture.svg>' });
  await using egress = await openEgress(
    {
      grants: [{ cidr: '127.0.0.1', port: site.port }],
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
    },
    { log: silentLog },
  );
  await using tap = await tapTo(egress.proxyUrl);
  await using bench = await openBench(
    { workers: 1 },
    { egress: { ...egress, proxyUrl: `http://127.0.0.1:${tap.port}` } },
  );
  for (let visit = 0; visit < 5; visit += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    expect((await bench.capture(site.url(`/?${visit}`))).title).toBe('one');
  }
  expect([tap.challenges(), bench.renderer.stats().pagesReplaced]).toEqual([1, 0]);
});

test('a site at the address of the proxy that clears its cookies takes no credential from the browser', async () => {
  await using site = await FixtureServer.open({ '/after': '<title>after</title>' });
  site.add({
    '/': (_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'clear-site-data': '"cookies"' });
      response.end('<script>fetch("/after").then(({ status }) => (document.title = status))</script>');
    },
  });
  const limits = { connectTimeout: seconds(5), resolveTimeout: seconds(5) };
  const grants = [{ cidr: '127.0.0.1', port: site.port }];
  await using egress = await openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog });
  await using bench = await openBench({ workers: 1 }, { egress });
  expect((await bench.capture(site.url('/'))).title).toBe('200');
});
