/** What makes the visits of a crawl: a browser, plain HTTP, or the one where the other will not do. */
import type { FoundBrowser } from '../../browsers/find-browser.ts';
import { launchBrowser } from '../../browsers/launch-browser.ts';
import { milliseconds, type Bytes } from '../base/units.ts';
import {
  learningCapture,
  plainCapture,
  renderedCapture,
  type Capture,
  type CaptureOptions,
} from '../capture/capture-visit.ts';
import { KnownParts } from '../core/rendering/known-parts.ts';
import type { Browser } from '../devtools/browser.ts';
import type { Egress } from '../egress/egress.ts';
import type { Extension } from '../pipeline/extension.ts';
import { wantsFile } from '../pipeline/wants-file.ts';
import { blockFlags, openRenderer, RENDER_FLAGS } from '../render/open-renderer.ts';
import type { LinkSelector, Renderer, RenderOptions } from '../render/renderer.ts';
import { BODY_LIMITS } from '../snapshot/held-body.ts';
import type { Identity } from './identity.ts';
import type { Opening } from './opening.ts';
import { browserNeeds, identityOf, LINK_SELECTOR, type ParsedOptions } from './options.ts';
import type { CrawlPlan } from './plan.ts';

/** It makes the visits, under the name that it gives itself. */
export interface OpenedCapture {
  readonly capture: Capture;
  readonly identity: Identity;
  readonly browserVersion: string;
}

/** @throws {CrawlError} where the browser does not start */
export async function openCapture(
  plan: CrawlPlan,
  egress: Egress,
  opening: Opening,
  signal: AbortSignal,
): Promise<OpenedCapture> {
  const { options, browser } = plan;
  const parts = { egress, clock: opening.clock, log: opening.log, offload: opening.offload };
  if (browser === null) {
    const identity = identityOf(options, null);
    const capture = plainCapture(captureOptions(options, identity, opening), parts);
    return { capture, identity, browserVersion: 'none' };
  }
  const known = new KnownParts();
  const { renderer, identity } = await openBrowser(plan, browser, { ...opening, egress, known }, signal);
  const capture =
    options.render === 'auto' && browserNeeds(options).length === 0 && wholeBodies(options) === null
      ? learningCapture(renderer, captureOptions(options, identity, opening), { ...parts, known })
      : renderedCapture(renderer);
  return { capture, identity, browserVersion: renderer.stats().browserVersion };
}

/** What is archived is taken in as it was sent, and a page with all that it loads: for an archive every page is rendered. */
function wholeBodies({ snapshot }: ParsedOptions): Bytes | null {
  return snapshot.includes('warc') ? BODY_LIMITS.longest : null;
}

function captureOptions(options: ParsedOptions, { userAgent }: Identity, { extensions }: Opening): CaptureOptions {
  return {
    userAgent,
    pageTimeout: milliseconds(options.pageTimeout),
    settleTimeout: milliseconds(options.settleTimeout),
    extraHeaders: Object.fromEntries(options.headers.map(splitHeader)),
    wantsFile: wantsFile(extensions),
    wholeBodies: wholeBodies(options),
  };
}

/** Starts the browser: whether it can be used is known before anything is fetched, and so is the version in its name. */
async function openBrowser(
  plan: CrawlPlan,
  browser: FoundBrowser,
  {
    disposal,
    clock,
    log,
    egress,
    known,
    extensions,
    offload,
  }: Opening & { readonly egress: Egress; readonly known: KnownParts },
  signal: AbortSignal,
): Promise<{ readonly renderer: Renderer; readonly identity: Identity }> {
  const { options } = plan;
  const extraFlags = [...RENDER_FLAGS, ...blockFlags(options.block)];
  const trustedKey = egress.authority?.keyDigest ?? null;
  const launch = (launchSignal: AbortSignal): Promise<Browser> =>
    launchBrowser(
      browser,
      { proxyUrl: egress.proxyUrl, trustedKey, frameControl: true, extraFlags, sandbox: 'auto', log },
      launchSignal,
    );
  let first: Browser | null = await launch(signal);
  const identity = identityOf(options, Number.parseInt(first.version(), 10));
  const renderer = disposal.use(
    await openRenderer(renderOptions(plan, identity, extensions), {
      launch: async (launchSignal) => {
        const ready = first;
        first = null;
        return ready ?? launch(launchSignal);
      },
      egress,
      known,
      offload,
      clock,
      log,
    }),
  );
  return { renderer, identity };
}

function renderOptions(
  { options, workers }: CrawlPlan,
  identity: Identity,
  extensions: readonly Extension[],
): RenderOptions {
  const wantsPicture = options.snapshot.includes('screenshot');
  return {
    workers,
    userAgent: identity.userAgent,
    viewport: options.viewport,
    settle: options.settle,
    settleTimeout: milliseconds(options.settleTimeout),
    pageTimeout: milliseconds(options.pageTimeout),
    waitFor: options.waitFor ?? null,
    explore: options.explore,
    block: options.block,
    selectLinks: options.selectLinks.flatMap(readLinkSelector),
    screenshot: wantsPicture ? (options.fullPage ? 'full-page' : 'viewport') : 'none',
    extraHeaders: Object.fromEntries(options.headers.map(splitHeader)),
    wantsFile: wantsFile(extensions),
    wholeBodies: wholeBodies(options),
  };
}

function readLinkSelector(text: string): readonly LinkSelector[] {
  const [, selector, attribute] = LINK_SELECTOR.exec(text) ?? [];
  return selector === undefined || attribute === undefined ? [] : [{ selector, attribute }];
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
