/** Connects to a browser that somebody else has started, and proves before its first page that its pages go through the proxy. */
import { withDeadline } from '../../src/base/deadline.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { isLoopbackName } from '../../src/base/loopback-name.ts';
import { parsedUrl } from '../../src/base/parsed-url.ts';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { loadPlaywright } from '../playwright/load-playwright.ts';
import { PlaywrightBrowser, type PageGate } from '../playwright/playwright-browser.ts';
import type { Browser } from '../protocol/browser.ts';
import type { FoundBrowser } from './find-browser.ts';
import type { LaunchOptions } from './launch-browser.ts';
import { launchFailure } from './launch-failure.ts';

type Endpoint = FoundBrowser & { readonly kind: 'endpoint' };

/** The browser runs already: a connection takes some milliseconds, one to another machine some hundred. */
const CONNECT_LIMIT = seconds(20);
/** Margin for Playwright, which gives up an endpoint by itself at the limit. */
const CONNECT_MARGIN = seconds(5);
/** Limit from the making of a context to the answer of the proxy; a machine under load takes some seconds. */
const PROOF_LIMIT = seconds(20);
/** Context options of the proof's page, which nobody sees. */
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

/** Refuses a browser of another machine: it would look for the proxy on its own loopback, and be told the credential there. */
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
  const { chromium } = loadPlaywright();
  const parts = protocol === 'playwright' ? chromium.connect(url, limits) : chromium.connectOverCDP(url, limits);
  try {
    const limit = milliseconds(CONNECT_LIMIT + CONNECT_MARGIN);
    return new PlaywrightBrowser(await withDeadline(parts, 'the browser', limit, signal), manner);
  } catch (error) {
    // the caller has gone: close a connection that still comes up
    parts.then((late) => late.close()).catch(() => {});
    signal.throwIfAborted();
    throw launchFailure({ url, protocol, ...rest }, error);
  }
}

/** Opens a context and its first page, which opens only after the proof. */
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
