/** A renderer with a real browser for tests: loopback without a proxy, short limits. */
import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import type { MemoryHold } from '../../browsers/launch/limit-memory.ts';
import type { Browser, PlaywrightUse } from '../../browsers/protocol/browser.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog, type Log } from '../../src/base/log.ts';
import { epochMs, seconds } from '../../src/base/units.ts';
import { memoryLimits } from '../../src/core/memory/memory-verdict.ts';
import type { Egress } from '../../src/egress/egress.ts';
import type { Page } from '../../src/model/page.ts';
import { canonicalUrl } from '../../src/model/url/canonical-url.ts';
import { hostKeyOf } from '../../src/model/url/host-key.ts';
import { NO_USER_HEADERS } from '../../src/model/user-headers.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import type { Visit } from '../../src/model/visit.ts';
import { blockFlags, openRenderer, RENDER_FLAGS } from '../../src/render/open-renderer.ts';
import type { Renderer, RenderOptions } from '../../src/render/renderer.ts';
import { borrowBrowser } from './shared-browser.ts';

export const QUICK: RenderOptions = {
  workers: 2,
  userAgent: 'OrbweaverTest/1.0 (+https://example.org/bot)',
  viewport: { width: 800, height: 600 },
  settle: { kind: 'auto' },
  settleTimeout: seconds(6),
  // stops hanging pages only: on a shared machine large pages take thirty seconds
  pageTimeout: seconds(60),
  waitFor: null,
  explore: 'scroll',
  block: [],
  selectLinks: [],
  screenshot: 'none',
  extraHeaders: NO_USER_HEADERS,
};

export interface Bench extends AsyncDisposable {
  readonly renderer: Renderer;
  render(url: string, signal?: AbortSignal): Promise<VisitOutcome>;
  /** Renders, and throws if there is no page. */
  capture(url: string): Promise<Page>;
  /** Playwright of the most recently started browser. */
  playwright(): PlaywrightUse | null;
}

export interface BenchOptions {
  /** As for `--browser`; default: the first browser found. */
  readonly browser?: string | null;
  readonly frameControl?: boolean;
  readonly webgl?: boolean;
  readonly flags?: readonly string[];
  readonly egress?: Egress;
  /** Default: the limits of a crawl. */
  readonly memory?: MemoryHold;
  /** Does the machine have memory to spare? Default: always. */
  readonly machineHasRoom?: () => boolean;
  /** Default: no log. */
  readonly log?: Log;
}

export async function openBench(changes: Partial<RenderOptions> = {}, bench: BenchOptions = {}): Promise<Bench> {
  const signal = new AbortController().signal;
  // each visit of a test adds a listener to it
  setMaxListeners(0, signal);
  const found = await findBrowser(
    { asked: bench.browser ?? null, environment: browserEnvironment(process.env, process.platform, homedir()) },
    signal,
  );
  const launchOptions = {
    proxyUrl: bench.egress?.proxyUrl ?? null,
    proxyCredential: bench.egress?.proxyCredential ?? null,
    trustedKey: bench.egress?.authority?.keyDigest ?? null,
    frameControl: bench.frameControl ?? true,
    webgl: bench.webgl ?? false,
    extraFlags: [...RENDER_FLAGS, ...blockFlags(changes.block ?? []), ...(bench.flags ?? [])],
    sandbox: 'auto',
    memory: bench.memory ?? memoryLimits(changes.workers ?? QUICK.workers),
    log: silentLog,
  } as const;
  let browser: Browser | null = null;
  const { log: _, ...startedWith } = launchOptions;
  // not shared: a test has its own proxy, and memory that a shared browser already holds would count against the limit
  const isShared = bench.egress === undefined && bench.memory === undefined;
  const start = (stop: AbortSignal): Promise<Browser> =>
    isShared
      ? borrowBrowser(JSON.stringify([found, startedWith]), () => launchBrowser(found, launchOptions, stop))
      : launchBrowser(found, launchOptions, stop);
  const renderer = await openRenderer(
    { ...QUICK, ...changes },
    {
      launch: async (stop) => (browser = await start(stop)),
      egress: bench.egress ?? null,
      ...(bench.memory === undefined ? {} : { memory: bench.memory }),
      ...(bench.machineHasRoom === undefined ? {} : { machineHasRoom: bench.machineHasRoom }),
      clock: systemClock,
      log: bench.log ?? silentLog,
    },
  );
  const render = (url: string, stop: AbortSignal = signal): Promise<VisitOutcome> =>
    renderer.render(visitOf(url), stop);
  return {
    renderer,
    render,
    playwright: () => browser?.playwright ?? null,
    capture: async (url) => {
      const outcome = await render(url);
      if (outcome.kind !== 'captured') throw new Error(`not captured: ${JSON.stringify(outcome)}`);
      return outcome.page;
    },
    [Symbol.asyncDispose]: async () => await renderer[Symbol.asyncDispose](),
  };
}

export function visitOf(text: string): Visit {
  const url = canonicalUrl(text);
  if (url === null) throw new Error(`not a URL: ${text}`);
  const now = systemClock.now();
  return {
    url,
    depth: 0,
    redirects: 0,
    hops: 0,
    referrer: null,
    kind: 'seed',
    confidence: 'high',
    host: hostKeyOf(url),
    attempt: 1,
    deaths: 0,
    firstOfHost: false,
    token: 1,
    leasedAt: now,
    leasedUntil: epochMs(now + 60_000),
  };
}

/** Targets of a page's links of a kind, as paths; without the texts of its scripts. */
export function paths(page: Page, kind?: string): string[] {
  return page.foundLinks
    .filter((foundLink) => (kind === undefined ? foundLink.kind !== 'script' : foundLink.kind === kind))
    .map(({ href, base }) => (URL.canParse(href, base) ? new URL(href, base).pathname : href))
    .sort();
}
