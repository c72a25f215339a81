/** Connects to a browser that somebody else has started, and proves that its pages go through the proxy before the first of them. */
import { withDeadline } from '../../src/base/deadline.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { isLoopbackName } from '../../src/base/loopback-name.ts';
import { parsedUrl } from '../../src/base/parsed-url.ts';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { PlaywrightBrowser, type PageGate } from '../playwright/playwright-browser.ts';
import type { Browser } from '../protocol/browser.ts';
import type { FoundBrowser } from './find-browser.ts';
import type { LaunchOptions } from './launch-browser.ts';
import { launchFailure } from './launch-failure.ts';

type Endpoint = FoundBrowser & { readonly kind: 'endpoint' };

/** It runs already: a connection takes some milliseconds, and of another machine some hundred. */
const CONNECT_LIMIT = seconds(20);
/** Playwright gives up an endpoint by itself at the limit; this is the margin for doing so. */
const CONNECT_MARGIN = seconds(5);
/** From a context that is made to the answer of the proxy; a machine under load takes some seconds. */
const PROOF_LIMIT = seconds(20);
/** Nobody sees the page of the proof. */
const TRIAL = { userAgent: 'Orbweaver', viewport: { width: 800, height: 600 } };

/**
 * A browser at an endpoint; closing it ends the connection.
 * @throws {CrawlError} BROWSER_UNUSABLE where it does not answer, or a proxy is given that its pages do not reach
 */
export async function connectEndpoint(found: Endpoint, options: LaunchOptions, signal: AbortSignal): Promise<Browser> {
  const { proxyUrl, proxyCredential: credential = null, trustedKey = null } = options;
  const gate = proxyUrl === null || credential === null ? null : { proxyUrl, credential, endsTls: trustedKey !== null };
  if (gate !== null) requireNear(found);
  const browser = await connect(found, { gate, opensWindows: options.opensWindows === true }, signal);
  if (gate === null) return browser;
  try {
    await withDeadline(provedContext(browser), 'the browser', PROOF_LIMIT, signal);
    return browser;
  } catch (error) {
    browser.kill();
    signal.throwIfAborted();
    throw unreachedProxy(found, error);
  }
}

/** The proxy listens on loopback: a browser of another machine would look for it on its own, and be told the credential there. */
function requireNear({ url }: Endpoint): void {
  const name = parsedUrl(url)?.hostname ?? '';
  if (isLoopbackName(name)) return;
  throw new CrawlError(
    'BROWSER_UNUSABLE',
    `the browser ${name} is on another machine, and cannot reach the proxy of the crawl, which listens on 127.0.0.1 of this one.\n` +
      'Start one on this machine. --ungated-browser lets that one go past the proxy: no rule for addresses holds for it\n' +
      'then, and nothing is archived.',
    { data: { browser: url } },
  );
}

async function connect(
  { url, protocol, ...rest }: Endpoint,
  manner: { readonly gate: PageGate | null; readonly opensWindows: boolean },
  signal: AbortSignal,
): Promise<Browser> {
  const limits = { timeout: CONNECT_LIMIT };
  // loading it costs more than half a second, and only those who bring a browser of their own need it
  const { chromium } = await import('playwright-core');
  signal.throwIfAborted();
  const parts = protocol === 'playwright' ? chromium.connect(url, limits) : chromium.connectOverCDP(url, limits);
  try {
    const limit = milliseconds(CONNECT_LIMIT + CONNECT_MARGIN);
    return new PlaywrightBrowser(await withDeadline(parts, 'the browser', limit, signal), manner);
  } catch (error) {
    // the caller has gone: a connection that still comes up is closed
    parts.then((late) => late.close()).catch(() => {});
    signal.throwIfAborted();
    throw launchFailure({ url, protocol, ...rest }, error);
  }
}

/** Its first page is opened behind the proof. */
async function provedContext(browser: Browser): Promise<void> {
  const context = await browser.openContext(TRIAL);
  try {
    await context.openPage();
  } finally {
    await context.close();
  }
}

function unreachedProxy({ url }: Endpoint, cause: unknown): CrawlError {
  const words = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
  return new CrawlError(
    'BROWSER_UNUSABLE',
    [
      `the pages of the browser ${url} do not reach the proxy of this crawl, which is their only way to the network.`,
      `  | ${words.slice(0, 200)}`,
      'The proxy listens on 127.0.0.1 of this machine: start the browser here, in the same network (docker: --network host), or',
      'leave --browser out to use one that is started here. --ungated-browser lets it go past the proxy.',
    ].join('\n'),
    { cause, data: { browser: url } },
  );
}
