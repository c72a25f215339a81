/** A browser that somebody else has started, at the egress gate: its pages' requests go through the gate, or the browser is not used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { openBench, paths } from '../render/render-bench.ts';
import { openCdpEndpoint, openPlaywrightEndpoint } from '../support/browser-ways.ts';
import { hearExchanges, type HeardExchanges } from '../support/heard-exchanges.ts';
import { secureOrigin, type SecureOrigin } from '../support/secure-origin.ts';

let site: FixtureServer;
let closed: FixtureServer;
let secure: SecureOrigin;
beforeAll(async () => {
  closed = await FixtureServer.open({});
  site = await FixtureServer.open({
    '/': `<!doctype html><title>t</title><body><img src="${closed.url('/secret.png')}"><iframe src="${closed.url('/frame')}"></iframe>
      <iframe id=blank></iframe><script>
      const add=(u)=>document.body.insertAdjacentHTML('beforeend','<a href="'+u+'">l</a>');
      fetch("${closed.url('/api')}",{mode:'no-cors'}).finally(()=>add('/asked'));
      fetch("${closed.url('/name', 'localhost')}",{mode:'no-cors'}).finally(()=>add('/asked-name'));
      new WebSocket("${closed.url('/socket').replace('http', 'ws')}").onclose=()=>add('/asked-socket');
      new Worker('/worker.js').onmessage=({data})=>add(data);
      add('/rtc-'+typeof RTCPeerConnection+'-'+typeof document.getElementById('blank').contentWindow.RTCPeerConnection)</script>`,
    '/worker.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(`fetch("${closed.url('/of-worker')}",{mode:'no-cors'}).finally(()=>postMessage('/asked-worker'))`);
    },
  });
  secure = await secureOrigin((request, response) => {
    if (request.url === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      return void response.end('fetch("/of-worker").then(()=>postMessage("/worked"))');
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      request.url === '/'
        ? `<title>s</title><body><a href=/a>a</a><img src=/p.png><iframe src=/frame></iframe><script>new Worker('/worker.js').onmessage=
          ({data})=>document.body.insertAdjacentHTML('beforeend','<a href="'+data+'">l</a>')</script>`
        : 'x',
    );
  });
});
afterAll(async () => {
  await secure[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

function openGate(heard: HeardExchanges | null = null): Promise<Egress> {
  const grants = [site.port, secure.port].map((port) => ({ cidr: '127.0.0.1', port }));
  const limits = { connectTimeout: seconds(3), resolveTimeout: seconds(3) };
  return openEgress(
    { grants, closedPorts: [], ...limits },
    { log: silentLog, recorder: heard, trusted: [secure.authority], clock: systemClock },
  );
}

describe.each([
  ['the DevTools protocol', openCdpEndpoint],
  ['Playwright', openPlaywrightEndpoint],
])('at an endpoint of %s', (_name, openEndpoint) => {
  it('a page reaches what was granted, and nothing else by any way', async () => {
    await using endpoint = await openEndpoint();
    await using egress = await openGate();
    await using bench = await openBench({ workers: 1 }, { browser: endpoint.url, egress });
    const page = await bench.capture(site.url('/'));
    const asked = ['/asked', '/asked-name', '/asked-socket', '/asked-worker'];
    expect(paths(page, 'anchor')).toEqual([...asked, '/rtc-undefined-undefined']);
    expect([...closed.asked, ...closed.upgrades]).toEqual([]);
    expect(await bench.render(closed.url('/'))).toMatchObject({ kind: 'blocked-address' });
    // a second storage is behind the gate, too
    expect(await bench.render(site.url('/', 'one.localhost'))).toMatchObject({ kind: 'captured' });
    // a picture, a frame, three requests of scripts, one of a worker
    expect(egress.counts().refused).toBeGreaterThanOrEqual(6);
  });

  it('a page that is ungated reaches all', async () => {
    await using reached = await FixtureServer.open({});
    site.add({
      '/ungated': `<img src="${reached.url('/p.png')}"><script>document.title=typeof RTCPeerConnection</script>`,
    });
    await using endpoint = await openEndpoint();
    await using bench = await openBench({ workers: 1 }, { browser: endpoint.url });
    expect((await bench.capture(site.url('/ungated'))).title).toBe('function');
    expect(reached.paths()).toEqual(['/p.png']);
  });

  it('what a page loads over TLS is recorded, and the certificates of servers are verified', async () => {
    const heard = hearExchanges();
    await using endpoint = await openEndpoint();
    await using egress = await openGate(heard);
    await using bench = await openBench({ workers: 1 }, { browser: endpoint.url, egress });
    const page = await bench.capture(secure.url('/'));
    expect(paths(page, 'anchor')).toEqual(['/a', '/worked']);
    for (const path of ['/', '/p.png', '/frame', '/worker.js', '/of-worker'])
      expect(heard.of(secure.url(path)).answer?.status).toBe(200);
    expect(heard.faults).toEqual([]);
    await using other = await secureOrigin((_request, response) => response.end('x'));
    egress.grant({ cidr: '127.0.0.1', port: other.port });
    expect(await bench.render(other.url('/'))).toMatchObject({ kind: 'unreachable', failure: 'tls' });
  });

  it('that does not reach the proxy is refused before its first page, with the cure', async () => {
    // like a browser in another network: the proxy's address leads nowhere
    await using endpoint = await openEndpoint(['--host-resolver-rules=MAP * ~NOTFOUND']);
    await using egress = await openGate();
    await expect(openBench({ workers: 1 }, { browser: endpoint.url, egress })).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      message: expect.stringMatching(/do not reach the proxy[^]*ERR_[^]*--ungated-browser/) as string,
    });
  });
});
