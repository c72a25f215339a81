/** The renderer: a pool of warm pages, and an outcome for every end of a visit. */
import { ANSWER_BYTES, AnswerTooLarge } from '../../browsers/protocol/connection.ts';
import type { Clock } from '../base/clock.ts';
import { DeadlineExceeded } from '../base/deadline.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { bytes, milliseconds, type Milliseconds } from '../base/units.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import { InteractionMemory } from '../core/interaction/interaction-memory.ts';
import { memoryLimits, memoryReason, type MemoryLimits } from '../core/memory/memory-verdict.ts';
import { KnownSubresources } from '../core/page-clusters/known-subresources.ts';
import { registrableDomainOf, storedHostKey, type RegistrableDomain } from '../model/url/host-key.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { withoutThreads, type Offload } from '../offload/offload.ts';
import { BrowserPool, type LaunchBrowser, type PoolSurroundings } from './browser-pool.ts';
import { LearnedWaits } from './idle/learned-waits.ts';
import { LiveBrowser, type LiveBrowserOptions } from './live-browser.ts';
import { PoolSlot } from './pool-slot.ts';
import { SALVAGE_TIME } from './page-limits.ts';
import { checkSelectors, hasSelectors } from './page/check-selectors.ts';
import { ScriptFailed } from './page/isolated-world.ts';
import { PageEnded } from './page/page-ended.ts';
import type { WarmPage } from './page/warm-page.ts';
import type { Renderer, RendererStats, RenderOptions } from './renderer.ts';
import type { PageVisit, VisitContext, VisitEnd } from './visit-context.ts';
import { visitPage } from './visit-page.ts';
import { withSignInPage, type SignInPage } from './sign-in-page.ts';
import { NO_SIGN_INS, type SignIns } from './sign-ins.ts';

/** Flags that the browser is to be started with, besides those of its launch profile. */
export const RENDER_FLAGS: readonly string[] = [
  // windows do not open; `Page.windowOpen` still reports their URLs (design/rendering, "Recording navigations")
  '--block-new-web-contents',
];

/** Options of a browser for a log-in: it opens windows, as providers of identities sign people in in one, and draws them by itself. */
export const SIGN_IN_LAUNCH = { frameControl: false, opensWindows: true, extraFlags: [] as readonly string[] } as const;

/** Flags that keep a browser from loading the classes that a user has switched off. */
export function blockFlags(block: RenderOptions['block']): readonly string[] {
  return [
    ...(block.includes('image') ? ['--blink-settings=imagesEnabled=false'] : []),
    ...(block.includes('font') ? ['--disable-remote-fonts'] : []),
  ];
}

/** Domain of a page that visits nothing: no such name is ever registered (RFC 2606). */
const NO_DOMAIN = registrableDomainOf(storedHostKey('http://orbweaver.invalid'));

interface RendererParts extends PoolSurroundings {
  /** Starts a browser with {@link RENDER_FLAGS} and {@link blockFlags}, whose only way out is the egress proxy. Called again after a crash. */
  readonly launch: LaunchBrowser;
  /** Starts a browser for a log-in, with {@link SIGN_IN_LAUNCH}; left out: `launch` does. */
  readonly launchForSignIn?: LaunchBrowser;
  readonly egress: VisitContext['egress'];
  /** The known sheets and scripts, where others share them; left out: its own. */
  readonly known?: KnownSubresources;
  /** The learned waits, where others share them; left out: its own. */
  readonly waits?: LearnedWaits;
  /** Left out: the crawl is signed in nowhere. */
  readonly signIns?: SignIns;
  /** Memory limits; left out: those for the number of workers. */
  readonly memory?: MemoryLimits;
  /** Reads answers; left out: they are read in this thread. */
  readonly offload?: Offload;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Starts a browser at once, so that one that does not start is found before the crawl begins.
 * @throws what the launch throws: {CrawlError} BROWSER_UNUSABLE; {CrawlError} USAGE for an invalid selector, and for a storage
 *   state that the browser does not take
 */
export async function openRenderer(options: RenderOptions, parts: RendererParts): Promise<Renderer> {
  const renderer = new PooledRenderer(options, parts);
  try {
    await renderer.warmUp();
    return renderer;
  } catch (error) {
    await renderer[Symbol.asyncDispose]();
    throw error;
  }
}

class PooledRenderer implements Renderer {
  readonly #options: RenderOptions;
  readonly #context: Pick<VisitContext, 'clock' | 'egress' | 'log' | 'memory'>;
  readonly #learnedWaits: LearnedWaits;
  readonly #log: Log;
  readonly #pool: BrowserPool;
  readonly #pages: LiveBrowserOptions;
  readonly #launchForSignIn: LaunchBrowser;
  #version = '';
  #visits = 0;

  constructor(options: RenderOptions, parts: RendererParts) {
    const { launch, egress, known, memory, signIns = NO_SIGN_INS, offload = withoutThreads, clock, log } = parts;
    this.#options = options;
    this.#learnedWaits = parts.waits ?? new LearnedWaits();
    this.#context = { clock, egress, log, memory: new InteractionMemory() };
    this.#log = log;
    const { userAgent, viewport, workers } = options;
    this.#pages = {
      userAgent,
      viewport,
      extraHeaders: options.extraHeaders,
      block: options.block,
      consent: options.consent != null,
      details: options.details != null,
      deterministic: options.deterministic === true,
      known: known ?? new KnownSubresources(),
      memory: memory ?? memoryLimits(workers),
      signIns,
      offload,
      bodyArrives: (url: string) => egress?.bodyArrives(url) ?? null,
      clock,
      log,
    };
    this.#launchForSignIn = parts.launchForSignIn ?? launch;
    this.#pool = new BrowserPool(workers, launch, this.#pages, parts);
  }

  async warmUp(): Promise<void> {
    this.#version = (await this.#pool.browser()).version;
    if (hasSelectors(this.#options)) await this.#tryOut((page, signal) => checkSelectors(page, this.#options, signal));
    for (const domain of this.#pages.signIns.tried ?? []) {
      // oxlint-disable-next-line no-await-in-loop -- mostly there is one
      await this.#tryOut(async () => {}, domain).catch((error: unknown) => refuseState(error, domain));
    }
  }

  /** Runs work that needs a page and visits nothing. */
  async #tryOut(
    work: (page: WarmPage, signal: AbortSignal) => Promise<void>,
    domain: RegistrableDomain = NO_DOMAIN,
  ): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.pageTimeout);
    await this.#pool.enter(signal);
    try {
      const page = await this.#pool.take(domain, { storage: 'shared', suits: () => true }, signal);
      await work(page, AbortSignal.any([signal, page.gone])).finally(() => this.#pool.put(page, true));
    } finally {
      this.#pool.leave();
    }
  }

  resize(workers: number): void {
    this.#pool.resize(workers);
  }

  render(visit: Visit, signal: AbortSignal): Promise<VisitOutcome> {
    return this.#render({ visit, document: null }, signal);
  }

  renderDocument(visit: Visit, document: FetchedDocument, signal: AbortSignal): Promise<VisitOutcome> {
    return this.#render({ visit, document }, signal);
  }

  async #render(visit: PageVisit, signal: AbortSignal): Promise<VisitOutcome> {
    await this.#pool.enter(signal);
    this.#visits += 1;
    const slot = new PoolSlot(this.#pool, this.#pool.waiting);
    try {
      const learnedWaits = this.#memory().of(visit.visit.url);
      const began = this.#context.clock.monotonic();
      let way = { learnedWaits, slot, realClock: learnedWaits.needsRealClock, staysOpen: false, sentBefore: 0 };
      const tryIt = (): Promise<VisitEnd> =>
        this.#try(visit, way, milliseconds(this.#context.clock.monotonic() - began), signal);
      let end = await tryIt();
      if (end.closedItself === true) {
        way = { ...way, staysOpen: true, sentBefore: end.sent ?? 0 };
        end = await tryIt();
      }
      // similar pages will be spared the first try
      if (end.needsRealClock === true) {
        way = { ...way, realClock: true, sentBefore: end.sent ?? 0 };
        end = await tryIt();
      }
      return end.outcome;
    } finally {
      slot.leave();
    }
  }

  /** Waits learnt from earlier pages; none where pages are loaded alike each time, as the order of pages is chance. */
  #memory(): LearnedWaits {
    return this.#options.deterministic === true ? new LearnedWaits() : this.#learnedWaits;
  }

  /** One try in one page; the caller is in a slot. @param spent part of the visit's time that an earlier try has taken */
  async #try(
    visit: PageVisit,
    way: Pick<VisitContext, 'learnedWaits' | 'slot' | 'realClock' | 'staysOpen' | 'sentBefore'>,
    spent: Milliseconds,
    signal: AbortSignal,
  ): Promise<VisitEnd> {
    const pageTimeout = milliseconds(Math.ceil(Math.max(1, this.#options.pageTimeout - spent)));
    const learnt = this.#options.deterministic === true ? { memory: new InteractionMemory() } : {};
    const context = { ...this.#context, ...learnt, ...way, hooks: null, options: { ...this.#options, pageTimeout } };
    const ending = AbortSignal.timeout(pageTimeout + SALVAGE_TIME);
    const both = AbortSignal.any([signal, ending]);
    let page: WarmPage | null = null;
    let sound = false;
    try {
      // the page's storage may be why the first try failed; and a page keeps its virtual clock for ever
      const storage = visit.visit.attempt > 1 || this.#options.deterministic === true ? 'empty' : 'shared';
      const suits = (resting: WarmPage): boolean => !way.realClock || !resting.heldClock;
      page = await this.#pool.take(registrableDomainOf(visit.visit.url), { storage, suits }, both);
      const end = await visitPage(page, visit, context, AbortSignal.any([both, page.gone]));
      sound = end.sound;
      return { ...end, sent: page.watch.sent() };
    } catch (error) {
      signal.throwIfAborted();
      // no page is to blame where no browser starts any more, and the next would fare no better
      if (page === null && error instanceof CrawlError && error.code === 'BROWSER_UNUSABLE') throw error;
      const outcome: VisitOutcome = ending.aborted
        ? { kind: 'timed-out', detail: 'the visit took longer than it may' }
        : this.#outcomeOf(error, page, visit.visit);
      const isHooked = this.#options.pageHooks?.some((hook) => hook.matches(visit.visit.url)) === true;
      const closedItself = !way.staysOpen && !isHooked && wasClosed(page);
      return { outcome, sound: false, closedItself, sent: page?.watch.sent() ?? 0 };
    } finally {
      if (page !== null) {
        page.interceptor.close();
        this.#pool.put(page, sound && this.#options.deterministic !== true);
      }
    }
  }

  async signIn<Result>(work: (page: SignInPage) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#pool.enter(signal);
    try {
      const browser = new LiveBrowser(await this.#launchForSignIn(signal), this.#pages);
      const over = new AbortController();
      const watching = browser.watch(over.signal);
      try {
        const { viewport } = this.#options;
        const { clock } = this.#context;
        return await withSignInPage(await browser.openApart(NO_DOMAIN, signal), work, { viewport, clock }, signal);
      } finally {
        over.abort();
        await Promise.all([watching, browser.close(new AbortController().signal)]);
      }
    } finally {
      this.#pool.leave();
    }
  }

  renewSignIns(): void {
    this.#pool.renewSignIns();
  }

  stats(): RendererStats {
    const known = this.#pool.known;
    const browserPid = known !== null && known.usable ? known.pid : null;
    return { browserVersion: this.#version, browserPid, visits: this.#visits, ...this.#pool.counts };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** The outcome of a visit that an error stopped half way: the error is about this page or this browser, and the crawl goes on. */
  #outcomeOf(error: unknown, page: WarmPage | null, { url }: Visit): VisitOutcome {
    const ended: unknown = page?.gone.aborted ? page.gone.reason : error;
    const detail = ended instanceof Error ? (ended.message.split('\n', 1)[0] ?? '') : String(ended);
    this.#log.debug('visit broken off', { url, detail });
    if (ended instanceof PageEnded) {
      return ended.memory ? { kind: 'crashed', detail, memory: true } : { kind: ended.kind, detail };
    }
    if (ended instanceof AnswerTooLarge) {
      return { kind: 'crashed', detail: memoryReason('answer', bytes(ANSWER_BYTES)), memory: true };
    }
    if (ended instanceof DeadlineExceeded || ended instanceof ScriptFailed) return { kind: 'timed-out', detail };
    return { kind: 'crashed', detail };
  }
}

/** Every page of the domain would fail like this one. @throws {CrawlError} USAGE; other errors are the visits' */
function refuseState(error: unknown, domain: RegistrableDomain): void {
  const [, why = null] =
    /^.*Error setting storage state:\s*(.*)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (why === null) return;
  const what = `storageState: the browser does not take what the file holds for ${domain}: ${why}`;
  throw new CrawlError('USAGE', `${what}\nSave the state again, with Playwright and Chromium.`, {
    data: { option: 'storageState' },
  });
}

/** Was it closed by a script of its own, as pages to be printed and small windows do? */
function wasClosed(page: WarmPage | null): boolean {
  if (page === null || !page.gone.aborted || !page.browser.alive) return false;
  const reason: unknown = page.gone.reason;
  return reason instanceof PageEnded && reason.closed;
}
