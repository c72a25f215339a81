/** Opens the page loader of a crawl: a browser, plain HTTP, or plain HTTP with a browser where it is needed. */
import type { FoundBrowser } from '../../../browsers/launch/find-browser.ts';
import { printedVersion } from '../../../browsers/launch/printed-version.ts';
import type { Browser } from '../../../browsers/protocol/browser.ts';
import type { Gauge } from '../../base/gauge.ts';
import { readMachineGrant } from '../../base/process/machine-grant.ts';
import { milliseconds, type Bytes } from '../../base/units.ts';
import type { HostCookies } from '../../core/cookies/host-cookies.ts';
import { hasMemoryToSpare } from '../../core/capacity/slots.ts';
import { browserLimit, memoryLimits } from '../../core/memory/memory-verdict.ts';
import type { Egress } from '../../egress/egress.ts';
import {
  learningLoader,
  staticLoader,
  renderedLoader,
  type PageLoader,
  type LoadOptions,
} from '../../fetch/load-page.ts';
import { VisitDocuments } from '../../fetch/visit-documents.ts';
import { withReceivedFacts } from '../../fetch/static/received-facts.ts';
import type { PageLearning } from '../fleet/page-learning.ts';
import type { LinkSelector } from '../../model/render-settings.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import { crawlerIdentity, type Identity } from '../../options/identity.ts';
import { browserNeeds, type ParsedOptions } from '../../options/options.ts';
import { signedInMarkOf } from '../../options/sign-in-values.ts';
import { LINK_SELECTOR } from '../../options/rendering-options.ts';
import { createPageHooks } from '../../pipeline/page-hooks.ts';
import { wantsFile } from '../../pipeline/wants-file.ts';
import { AxeSample } from '../../render/axe/axe-sample.ts';
import type { PageHook } from '../../render/hooks/page-hook.ts';
import { blockFlags, openRenderer, RENDER_FLAGS, SIGN_IN_LAUNCH } from '../../render/open-renderer.ts';
import type { LiveBrowser } from '../../render/live-browser.ts';
import { DETERMINISTIC_FLAGS } from '../../render/page/deterministic-page.ts';
import type { SignIns } from '../../render/sign-ins.ts';
import type { Renderer, RenderOptions } from '../../render/renderer.ts';
import { BODY_LIMITS } from '../../warc/held-body.ts';
import type { ContextParts } from './context-parts.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { noteUngated } from './check-endpoint.ts';
import { openMeasuringBrowser } from './open-measuring-browser.ts';
import { launchContained } from './launch-contained.ts';

/** A page loader, and the name that it gives itself. */
export interface OpenedPageLoader {
  readonly loader: PageLoader;
  readonly identity: Identity;
  readonly browserVersion: string;
  /** Null without a browser, and where no visits are made. */
  readonly renderer: Renderer | null;
  /** Documents without a browser. */
  readonly documents: VisitDocuments;
  /** Null without a browser. */
  readonly openMeasuringBrowser: ((signal: AbortSignal) => Promise<LiveBrowser>) | null;
}

/** The way of visits to the network. */
export interface LoaderNetwork {
  readonly egress: Egress;
  readonly extraHeaders: UserHeaders;
  readonly signIns: SignIns;
  /** Counts pages that wait for answers without a slot. */
  readonly waitingPages: Gauge;
  readonly learning: PageLearning;
  /** Cookies that hosts demand. */
  readonly cookies: HostCookies;
}

type OptionParts = Pick<ContextParts, 'extensions'> &
  Pick<LoaderNetwork, 'extraHeaders' | 'cookies'> & { readonly pageHooks: readonly PageHook[] };

/** @throws {CrawlError} where the browser does not start */
export async function openPageLoader(
  plan: CrawlPlan,
  { egress, extraHeaders, signIns, waitingPages, learning, cookies }: LoaderNetwork,
  parts: ContextParts,
  signal: AbortSignal,
): Promise<OpenedPageLoader> {
  const { options, browser } = plan;
  const loaderParts = { egress, clock: parts.clock, log: parts.log, offload: parts.offload };
  const pageHooks = createPageHooks(parts.extensions, parts.log);
  if (browser === null) {
    const identity = crawlerIdentity(options, null);
    const how = loadOptions(options, identity, { ...parts, extraHeaders, cookies, pageHooks });
    const documents = new VisitDocuments(how, loaderParts);
    const loader = staticLoader(how, loaderParts);
    return { loader, documents, identity, browserVersion: 'none', renderer: null, openMeasuringBrowser: null };
  }
  const opened = await openBrowser(
    plan,
    browser,
    { ...parts, egress, extraHeaders, cookies, signIns, waitingPages, learning, pageHooks },
    signal,
  );
  const { renderer, identity } = opened;
  const how = loadOptions(options, identity, { ...parts, extraHeaders, cookies, pageHooks });
  const documents = new VisitDocuments(how, loaderParts);
  if (renderer === null) return { ...opened, documents, loader: NO_VISITS };
  const rendering =
    options.render === 'auto' && browserNeeds(options).length === 0 && wholeBodies(options) === null
      ? learningLoader(renderer, how, { ...loaderParts, ...learning })
      : renderedLoader(renderer);
  return { ...opened, documents, loader: options.audit ? withReceivedFacts(rendering, parts.offload) : rendering };
}

/** The loader of a controller without slots: it is never asked for a page. */
const NO_VISITS: PageLoader = {
  load: () => Promise.reject(new Error('a process without slots makes no visits')),
};

/** The archive takes answers as they were sent, and a page with all that it loads: for an archive every page is rendered. */
function wholeBodies({ snapshot }: ParsedOptions): Bytes | null {
  return snapshot.includes('warc') ? BODY_LIMITS.longest : null;
}

function loadOptions(
  options: ParsedOptions,
  { userAgent }: Identity,
  { extensions, extraHeaders, cookies, pageHooks }: OptionParts,
): LoadOptions {
  return {
    userAgent,
    cookies,
    pageTimeout: milliseconds(options.pageTimeout),
    settleTimeout: milliseconds(options.settleTimeout),
    extraHeaders,
    wantsFile: wantsFile(extensions),
    wholeBodies: wholeBodies(options),
    details: options.audit,
    mustRender: (url) => pageHooks.some((hook) => hook.matches(url)),
  };
}

/**
 * Starts the browser before anything is fetched, to know that it works and which version its name has. A controller without slots
 * needs its version alone.
 */
async function openBrowser(
  plan: CrawlPlan,
  browser: FoundBrowser,
  {
    disposal,
    clock,
    log,
    egress,
    extraHeaders,
    cookies,
    signIns,
    waitingPages,
    learning: { known, waits },
    extensions,
    pageHooks,
    offload,
    environment,
    notes,
  }: ContextParts & LoaderNetwork & OptionParts,
  signal: AbortSignal,
): Promise<Omit<OpenedPageLoader, 'loader' | 'documents'>> {
  const { options } = plan;
  const fixed = options.deterministic ? DETERMINISTIC_FLAGS : [];
  const extraFlags = [...RENDER_FLAGS, ...blockFlags(options.block), ...fixed];
  const { webgl, ungatedBrowser: ungated } = options;
  if (ungated) noteUngated(browser, notes);
  const trustedKey = egress.authority?.keyDigest ?? null;
  // a program that embeds the crawler may use as much memory as it likes
  const memory = { ...memoryLimits(plan.slots.pages.most), withProgram: environment.ownsProcess === true };
  const launchOptions = {
    trustedKey,
    frameControl: true,
    webgl,
    extraFlags,
    sandbox: 'auto',
    memory: { page: memory.page, tree: browserLimit(memory) },
    log,
  } as const;
  const contained = { launchOptions, egress, disposal, ungated };
  const printed = plan.workers === 0 ? await printedVersion(browser, signal) : null;
  const started = printed === null ? await launchContained(browser, contained, signal) : null;
  const grant = readMachineGrant();
  const browserVersion = started?.browser.version() ?? printed ?? '';
  const identity = crawlerIdentity(options, Number.parseInt(browserVersion, 10));
  if (plan.workers === 0) await started?.browser.close();
  const renderer =
    plan.workers === 0 || started === null
      ? null
      : disposal.use(
          await openRenderer(renderOptions(plan, identity, { extensions, extraHeaders, cookies, pageHooks }), {
            launch: firstReady(started),
            launchForSignIn: (launchSignal) => started.launch(launchSignal, SIGN_IN_LAUNCH),
            egress: ungated ? null : egress, // it would take pages whose requests it does not see for idle
            known,
            waits,
            signIns,
            memory,
            waiting: waitingPages,
            machineHasRoom: () => hasMemoryToSpare(grant.memory()),
            offload,
            clock,
            log,
          }),
        );
  const measured = {
    userAgent: identity.userAgent,
    viewport: options.viewport,
    ...{ extraHeaders, block: options.block, known, memory, signIns, offload, clock, log },
    bodyArrives: () => null,
  };
  return {
    renderer,
    identity,
    browserVersion,
    openMeasuringBrowser: (stop) => openMeasuringBrowser(browser, contained, measured, stop),
  };
}

/** Gives the browser that runs already, and then new ones. */
function firstReady({ browser, launch }: Awaited<ReturnType<typeof launchContained>>): typeof launch {
  let first: Browser | null = browser;
  return async (signal) => {
    const ready = first;
    first = null;
    return ready ?? launch(signal);
  };
}

function renderOptions(
  { options, workers, consent, axe }: CrawlPlan,
  identity: Identity,
  { extensions, extraHeaders, cookies, pageHooks }: OptionParts,
): RenderOptions {
  const wantsPicture = options.snapshot.includes('screenshot');
  return {
    workers,
    userAgent: identity.userAgent,
    viewport: { width: options.viewport.width, height: options.viewport.height },
    viewports: options.viewport.further ?? [],
    deterministic: options.deterministic,
    settle: options.settle,
    settleTimeout: milliseconds(options.settleTimeout),
    pageTimeout: milliseconds(options.pageTimeout),
    waitFor: options.waitFor ?? null,
    explore: options.explore,
    block: options.block,
    selectLinks: options.selectLinks.flatMap(readLinkSelector),
    screenshot: wantsPicture ? (options.fullPage ? 'full-page' : 'viewport') : 'none',
    extraHeaders,
    cookies,
    wantsFile: wantsFile(extensions),
    wholeBodies: wholeBodies(options),
    pageHooks,
    consent,
    details: options.audit ? { seesCertificates: wholeBodies(options) === null } : null,
    axe: axe === null ? null : { engine: axe, sample: new AxeSample(options.axe ?? 'all') },
    signedIn: options.signedIn === undefined ? null : signedInMarkOf(options.signedIn),
  };
}

function readLinkSelector(text: string): readonly LinkSelector[] {
  const [, selector, attribute] = LINK_SELECTOR.exec(text) ?? [];
  return selector === undefined || attribute === undefined ? [] : [{ selector, attribute }];
}
