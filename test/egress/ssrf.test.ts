import { createSocket } from 'node:dgram';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { chromium, type Browser, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import type { ProxyCredential } from '../../browsers/protocol/proxy-credential.ts';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { readUpstreamProxy, type UpstreamProxy, type UpstreamScheme } from '../../src/model/upstream-proxy.ts';
import type { ExchangeRecorder } from '../../src/model/exchange.ts';
import { hearExchanges } from '../support/heard-exchanges.ts';
import { userProxy } from '../support/forward-proxies.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { openCdpEndpoint, openPlaywrightEndpoint } from '../support/browser-ways.ts';
import { openRawPage } from '../support/raw-page.ts';
import { secureOrigin } from '../support/secure-origin.ts';
import { until } from '../support/until.ts';
import { serveVectors, SITE, type Canary } from './vectors.ts';

const signal = new AbortController().signal;

interface HitCounter extends AsyncDisposable, Canary {
  /** Names of the ways by which a request or packet arrived. */
  readonly hits: ReadonlySet<string>;
}

/** Listens for HTTP, WebSockets and UDP where pages may not connect. */
async function openCanary(): Promise<HitCounter> {
  const hits = new Set<string>();
  const origin = await httpOrigin((incoming, response) => {
    hits.add(String(incoming.url));
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' }).end();
  });
  origin.server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    hits.add(`${incoming.url} (upgrade)`);
    socket.destroy();
  });
  origin.server.on('connection', () => hits.add('a connection'));
  const udp = createSocket('udp4');
  udp.on('message', () => hits.add('a UDP packet'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  return {
    hits,
    httpPort: origin.port,
    udpPort: udp.address().port,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await origin[Symbol.asyncDispose]();
    },
  };
}

interface Site extends AsyncDisposable, Pick<HttpOrigin, 'port' | 'requests' | 'connections'> {
  /** URL of its root, without a slash at the end. */
  readonly root: string;
  /** PEM of authorities to trust. */
  readonly trusted: readonly string[];
}

const serving =
  (canary: Canary): RequestListener =>
  (incoming, response) => {
    const { status, headers, body } = serveVectors(incoming.url ?? '/', canary);
    response.writeHead(status, headers).end(body);
  };

async function openSite(canary: Canary): Promise<Site> {
  const site = await httpOrigin(serving(canary));
  site.server.on('upgrade', greetSocket);
  return { ...site, root: `http://${SITE}:${site.port}`, trusted: [] };
}

async function openSecureSite(canary: Canary): Promise<Site> {
  const site = await secureOrigin(serving(canary));
  site.server.on('upgrade', greetSocket);
  return { ...site, root: site.url('', SITE), trusted: [site.authority] };
}

/** A WebSocket server that sends one word (RFC 6455). */
function greetSocket(incoming: IncomingMessage, socket: Duplex): void {
  const key = `${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')]));
}

/**
 * A browser started as for a crawl, but driven by Playwright, in pages without the renderer's own precautions: only
 * the gate protects.
 */
async function startBrowser(
  { proxyUrl, authority, proxyCredential }: Gate,
  extraFlags: readonly string[] = [],
): Promise<Browser> {
  const found = await findBrowser(
    { asked: null, environment: browserEnvironment(process.env, process.platform, homedir()) },
    signal,
  );
  const started = await launchBrowser(
    found,
    {
      proxyUrl,
      trustedKey: authority?.keyDigest ?? null,
      frameControl: false,
      extraFlags: ['--remote-debugging-port=0', ...extraFlags],
      sandbox: 'auto',
      log: silentLog,
    },
    signal,
  );
  const commandLine = await readFile(`/proc/${started.pid}/cmdline`, 'utf8');
  const profile = /--user-data-dir=([^\0]+)/.exec(commandLine)?.[1] ?? '';
  // the browser writes the file a moment after its pipe answers
  let port = '';
  await until(async () => {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    port = text.split('\n')[0] ?? '';
    return port !== '';
  }, 'the port of the browser');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const open = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await open();
    if (proxyCredential !== null) await showCredential(page, proxyCredential);
    return page;
  };
  const leave = browser.close.bind(browser);
  browser.close = async () => {
    await leave();
    await started.close();
  };
  return browser;
}

/** Authenticates the storage of this page at the gate, as our own browser pages do by themselves. */
async function showCredential(page: Page, { username, password, greeting }: ProxyCredential): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => void session.send('Fetch.continueRequest', { requestId }));
  session.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials', username, password } as const;
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse });
  });
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: greeting }] });
  await session.send('Page.navigate', { url: greeting });
  await session.detach();
}

interface Gate extends Pick<Egress, 'authority'> {
  readonly proxyUrl: string | null;
  readonly proxyCredential: ProxyCredential | null;
}

const NO_GATE: Gate = { proxyUrl: null, authority: null, proxyCredential: null };

async function egressTo(
  { port, trusted = [] }: { readonly port: number; readonly trusted?: readonly string[] },
  recorder: ExchangeRecorder | null = null,
  upstream: UpstreamProxy | null = null,
): Promise<Egress> {
  return await openEgress(
    {
      grants: [{ cidr: '127.0.0.1', port }],
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
      upstream,
    },
    { log: silentLog, recorder, ...(trusted.length === 0 ? {} : { trusted }) },
  );
}

/** Opens the page, and waits until it has tried all its ways. */
async function firePage(browser: Browser, site: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${site}/`, { waitUntil: 'commit' });
  await page.waitForSelector('html[data-fired]', { state: 'attached', timeout: 20_000 });
}

/** Tries all ways of the page, then opens a page that redirects to the canary. */
async function fireAll(browser: Browser, site: string, until: () => boolean): Promise<void> {
  await firePage(browser, site).catch((error: unknown) => {
    // Chromium 156 sometimes ends a renderer when Playwright speaks to a worker that has not begun: the page tries all its ways again
    if (!String(error).includes('Target crashed')) throw error;
    return firePage(browser, site);
  });
  await expect.poll(until, { timeout: 15_000 }).toBe(true);
  const last = await browser.newPage();
  await last.goto(`${site}/to/main-redirect`, { waitUntil: 'commit' }).catch(() => null); // may end in an error page
}

describe('a page that tries every way it has to an address that was not granted', () => {
  test('gets there by more than 30 of them without the gate, so that it can be trusted to try', async () => {
    await using canary = await openCanary();
    await using site = await openSite(canary);
    const browser = await startBrowser(NO_GATE, ['--force-webrtc-ip-handling-policy=default']);
    try {
      await fireAll(browser, site.root, () => canary.hits.size > 40);
    } finally {
      await browser.close();
    }
    expect(canary.hits.size).toBeGreaterThan(40);
    expect(canary.hits).toContain('a UDP packet');
    expect(canary.hits).toContain('/main-redirect');
    expect(canary.hits).toContain('/worker-socket (upgrade)');
    expect(canary.hits).toContain('/service-worker-import');
  });

  test.each([
    ['', openSite, () => null],
    [' of a crawl that keeps an archive', openSite, hearExchanges],
    [' of a crawl that keeps an archive, from a page over TLS', openSecureSite, hearExchanges],
  ])('gets there by none of them through the gate%s', async (_title, open, keeperOf) => {
    await using canary = await openCanary();
    await using site = await open(canary);
    const recorder = keeperOf();
    await using egress = await egressTo(site, recorder);
    const browser = await startBrowser(egress);
    try {
      await fireAll(browser, site.root, () => egress.counts().refused > 40);
    } finally {
      await browser.close();
    }
    expect([...canary.hits]).toEqual([]);
    expect(egress.counts().refused).toBeGreaterThan(40);
    expect(site.requests).toContain('GET /service-worker-import.js');
    expect(site.requests).toContain('GET /to/main-redirect');
    expect(egress.lastFailure('127.0.0.1', canary.httpPort)).toMatchObject({ kind: 'blocked' });
    const answered = recorder?.all.filter(({ answer }) => answer !== null) ?? [];
    expect(answered.filter(({ request }) => !request.url.startsWith(site.root))).toEqual([]);
    if (recorder !== null) expect(answered.length).toBeGreaterThan(10);
  });
});

describe.each([
  ['the DevTools protocol', openCdpEndpoint],
  ['Playwright', openPlaywrightEndpoint],
])('in a browser that somebody else has started, at an endpoint of %s,', (_name, openEndpoint) => {
  test('such a page gets there by none of them', async () => {
    await using canary = await openCanary();
    await using site = await openSite(canary);
    await using egress = await egressTo(site);
    await using endpoint = await openEndpoint(['--force-webrtc-ip-handling-policy=default']);
    const environment = browserEnvironment(process.env, process.platform, homedir());
    const found = await findBrowser({ asked: endpoint.url, environment }, signal);
    const { proxyUrl, proxyCredential } = egress;
    const options = {
      proxyUrl,
      proxyCredential,
      frameControl: true,
      extraFlags: [],
      sandbox: 'auto',
      log: silentLog,
    } as const;
    const browser = await launchBrowser(found, options, signal);
    const { goto, evaluate } = await openRawPage(browser);
    await goto(`${site.root}/`);
    await expect.poll(() => evaluate("document.documentElement.hasAttribute('data-fired')")).toBe(true);
    // service workers are blocked, and windows closed, before they make requests
    await expect.poll(() => egress.counts().refused).toBeGreaterThan(25);
    await goto(`${site.root}/to/main-redirect`).catch(() => ''); // may end in an error page
    expect([...canary.hits]).toEqual([]);
    await browser.close();
  });
});

describe.each<UpstreamScheme>(['http', 'socks5'])('behind a proxy of the user, of scheme %s,', (scheme) => {
  test('such a page gets there by none of them, and the proxy is asked for what is granted alone', async () => {
    await using canary = await openCanary();
    await using site = await openSite(canary);
    await using proxy = await userProxy(scheme);
    const reading = readUpstreamProxy(proxy.url);
    if (reading.kind === 'refused') throw new Error(reading.why);
    await using egress = await egressTo(site, null, reading.proxy);
    const browser = await startBrowser(egress);
    try {
      await fireAll(browser, site.root, () => egress.counts().refused > 40);
    } finally {
      await browser.close();
    }
    expect([...canary.hits]).toEqual([]);
    expect(egress.counts().refused).toBeGreaterThan(40);
    expect(site.requests).toContain('GET /to/main-redirect');
    expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${site.port}`]));
    expect(site.connections()).toBe(proxy.ports.size);
  });
});

describe('a browser behind the gate', () => {
  test.each([
    ['to what is granted', openSite, () => null],
    ['to what is granted, while an archive is kept', openSite, hearExchanges],
    ['over TLS, while an archive is kept', openSecureSite, hearExchanges],
  ])('has HTTP and WebSockets %s', async (_title, open, keeperOf) => {
    await using site = await open({ httpPort: 9, udpPort: 9 });
    await using egress = await egressTo(site, keeperOf());
    const browser = await startBrowser(egress);
    try {
      const page = await browser.newPage();
      const answer = await page.goto(`${site.root}/meta`, { waitUntil: 'commit' });
      expect(answer?.status()).toBe(200);
      const other = await browser.newPage();
      await other.goto(`${site.root}/nothing`, { waitUntil: 'commit' });
      const word: unknown = await other.evaluate(
        `new Promise((resolve) => { new WebSocket('${site.root.replace('http', 'ws')}/').onmessage = ({ data }) => resolve(data); })`,
      );
      expect(word).toBe('hello');
    } finally {
      await browser.close();
    }
  });

  test('sees the refusal of a plain request as a 403 with its reason', async () => {
    await using canary = await openCanary();
    await using egress = await egressTo({ port: 9 });
    const browser = await startBrowser(egress);
    try {
      const page = await browser.newPage();
      const answer = await page.goto(`http://127.0.0.1:${canary.httpPort}/`);
      expect([answer?.status(), answer?.headers()['x-orbweaver-refused']]).toEqual([
        403,
        `127.0.0.1:${canary.httpPort} is 127.0.0.1 (loopback 127.0.0.0/8)`,
      ]);
      await expect(page.goto(`https://127.0.0.1:${canary.httpPort}/`)).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED');
      expect([...canary.hits]).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('reaches nothing when the gate is gone', async () => {
    await using site = await openSite({ httpPort: 9, udpPort: 9 });
    const egress = await egressTo(site);
    const browser = await startBrowser(egress);
    try {
      const page = await browser.newPage();
      await page.goto(`http://${SITE}:${site.port}/nothing`);
      await egress[Symbol.asyncDispose]();
      const connections = site.connections();
      for (const host of [SITE, '127.0.0.1', 'localhost']) {
        await expect(page.goto(`http://${host}:${site.port}/again`)).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
      }
      expect(site.connections()).toBe(connections);
      expect(site.requests).toEqual(['GET /nothing']);
    } finally {
      await browser.close();
    }
  });
});
