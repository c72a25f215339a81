/** Opens the browser that looks at links to other sites: behind the gate of its caller, a page and a storage for each link. */
import { findBrowser, type FoundBrowser } from '../../../browsers/launch/find-browser.ts';
import { CrawlError } from '../../base/errors.ts';
import { createDisposal } from '../../base/disposal.ts';
import { silentLog } from '../../base/log.ts';
import { systemClock } from '../../base/clock.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { kibibytes, milliseconds, seconds } from '../../base/units.ts';
import { browserLimit, memoryLimits } from '../../core/memory/memory-verdict.ts';
import type { Egress } from '../../egress/egress.ts';
import { headerSafe } from '../../egress/network-failure.ts';
import type { LinkBrowser, BrowsedPage } from '../../model/link-browser.ts';
import { NO_USER_HEADERS } from '../../model/user-headers.ts';
import type { HookedPage } from '../../render/hooks/page-hook.ts';
import { blockFlags, openRenderer, RENDER_FLAGS } from '../../render/open-renderer.ts';
import type { Renderer, RenderOptions } from '../../render/renderer.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import { launchContained } from './launch-contained.ts';

/** The longest look at a page; walls that let a reader through do so within some seconds. Arbitrary. */
const TIME = seconds(15);
/** The pause between two looks at a page. */
const STEP = milliseconds(300);
/** Enough to know a page from a wall. */
const HTML = kibibytes(512);
const MEMORY = memoryLimits(1);
/** Types that are not loaded: they say nothing of whether the page is there. */
const BLOCKED = ['image', 'media', 'font'] as const;

interface LinkBrowserOptions {
  /** As `--browser` names it; null: the one that a crawl would find. */
  readonly asked: string | null;
  readonly environment: Pick<CrawlEnvironment, 'browsers'>;
  readonly userAgent: string;
}

/** Null where the machine has no browser, or it runs at an endpoint. @throws {CrawlError} BROWSER_UNUSABLE; the signal's reason */
export async function openLinkBrowser(
  { asked, environment, userAgent }: LinkBrowserOptions,
  egress: Egress,
  signal: AbortSignal,
): Promise<LinkBrowser | null> {
  const found = await browserHere(asked, environment, signal);
  if (found?.kind !== 'executable') return null;
  const disposal = createDisposal();
  try {
    const launchOptions = {
      trustedKey: null,
      frameControl: true,
      webgl: false,
      extraFlags: [...RENDER_FLAGS, ...blockFlags(BLOCKED)],
      sandbox: 'auto',
      memory: { page: MEMORY.page, tree: browserLimit(MEMORY) },
      log: silentLog,
    } as const;
    const { browser, launch } = await launchContained(
      found,
      { launchOptions, egress, disposal, ungated: false },
      signal,
    );
    let first: typeof browser | null = browser;
    const renderer = disposal.use(
      await openRenderer(optionsFor(userAgent), {
        launch: async (ending) => {
          const ready = first;
          first = null;
          return ready ?? launch(ending);
        },
        egress,
        memory: MEMORY,
        clock: systemClock,
        log: silentLog,
      }),
    );
    return {
      see: (url, isEnough, ending) => see(renderer, { url, isEnough }, ending),
      [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
    };
  } catch (error) {
    await disposal[Symbol.asyncDispose]();
    throw error;
  }
}

async function browserHere(
  asked: string | null,
  { browsers }: LinkBrowserOptions['environment'],
  signal: AbortSignal,
): Promise<FoundBrowser | null> {
  try {
    return await findBrowser({ asked, environment: browsers }, signal);
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'BROWSER_MISSING') return null;
    throw error;
  }
}

function optionsFor(userAgent: string): RenderOptions {
  return {
    ...{ workers: 1, userAgent, viewport: { width: 1280, height: 720 } },
    ...{ settle: { kind: 'auto' }, settleTimeout: TIME, pageTimeout: TIME, waitFor: null, explore: 'none' },
    ...{ block: BLOCKED, selectLinks: [], screenshot: 'none', extraHeaders: NO_USER_HEADERS },
  };
}

interface Asked {
  readonly url: string;
  readonly isEnough: (page: BrowsedPage) => boolean;
}

async function see(
  renderer: Renderer,
  { url, isEnough }: Asked,
  signal: AbortSignal,
): Promise<BrowsedPage | { readonly failed: string }> {
  const until = AbortSignal.timeout(TIME);
  let seen: BrowsedPage | null = null;
  try {
    await renderer.signIn(async ({ page, gone }) => {
      const ending = AbortSignal.any([signal, until, gone]);
      const statusOf = followStatus(page);
      await untilAborted(page.goto(url, { waitUntil: 'domcontentloaded', timeout: TIME }), ending);
      // two looks in a row, as the page may be about to send its reader on
      for (let held = 0; held < 2; held = isEnough(seen) ? held + 1 : 0) {
        await systemClock.sleep(STEP, ending);
        const html = await untilAborted(contentOf(page), ending);
        seen = { status: statusOf(), url: page.url(), html: html ?? '' };
      }
    }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (seen === null) return { failed: until.aborted ? 'nothing came in time' : firstLine(error) };
  }
  return seen ?? { failed: 'it shows nothing' };
}

/** The status of the document that came last. */
function followStatus(page: HookedPage): () => number | null {
  let status: number | null = null;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) status = response.status();
  });
  return () => status;
}

/** The HTML of a page; null while it changes into another page. */
async function contentOf(page: HookedPage): Promise<string | null> {
  try {
    return (await page.content()).slice(0, HTML);
  } catch {
    return null;
  }
}

/** Playwright's message of a call that failed, without its log. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return headerSafe(text.split('\n', 1)[0] ?? '');
}
