/**
 * A page that is kept for further visits of the same registrable domain. Every call to it is bounded by its `gone` signal: a page that
 * has crashed, was closed or lost its browser answers no more.
 */
import type { AdoptedPage, AdoptOptions, BrowserPage } from '../../../browsers/protocol/browser.ts';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { KnownSubresources } from '../../core/page-clusters/known-subresources.ts';
import type { SessionItems } from '../../model/page-actions.ts';
import type { SelectedLinks } from '../../model/page-facts.ts';
import { canonicalUrl } from '../../model/url/canonical-url.ts';
import { registrableDomainOf, type RegistrableDomain } from '../../model/url/host-key.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import type { Offload } from '../../offload/offload.ts';
import { BehaviourLog } from '../details/behaviour-log.ts';
import { AnswerBodies } from '../extract/answer-bodies.ts';
import { RealFrameClock, VirtualFrameClock, type FrameClock } from '../idle/frame-clock.ts';
import type { LiveBrowser } from '../live-browser.ts';
import { FLOODED_SILENCE, WORKING_SILENCE } from '../limits/browser-limits.ts';
import { PROTOCOL_CALL_LIMIT, REQUEST_LIMIT } from '../page-limits.ts';
import { AnswerOrder } from './answer-order.ts';
import { openDeterministic, openDeterministicFrame, openDeterministicWorker } from './deterministic-page.ts';
import { DocumentInterceptor, type BlockedType } from './document-interceptor.ts';
import { hideServiceWorkers } from './hide-service-workers.ts';
import { OwnWorlds } from './own-worlds.ts';
import { PageEnded } from './page-ended.ts';
import type { BodyArrives } from './request-log.ts';
import { PageWatch } from './page-watch.ts';
import { DOCUMENT_START } from './resident-scripts.ts';
import { beginWithSession } from './session-storage.ts';

/** Name of the world in which our scripts run. */
export const WORLD_NAME = 'orbweaver';

/** Added to every document, before its own scripts. */
const RECORDER = { source: DOCUMENT_START, worldName: WORLD_NAME, runImmediately: true };

export interface WarmPageParts {
  readonly browser: LiveBrowser;
  readonly page: BrowserPage;
  readonly domain: RegistrableDomain;
  readonly clock: Clock;
  readonly extraHeaders: UserHeaders;
  /** Classes of requests that are blocked. */
  readonly block: readonly BlockedType[];
  /** Scripts and sheets whose links are known. */
  readonly known: KnownSubresources;
  /** Are consent dialogs dealt with? Left out: no. */
  readonly consent?: boolean;
  /** Is the page observed for an audit? Left out: no. */
  readonly details?: boolean;
  /** Is it loaded alike each time? Left out: no. */
  readonly deterministic?: boolean;
  /** Reads answers. */
  readonly offload: Offload;
  /** Is the body of an answer still on its way from its server? */
  readonly bodyArrives: BodyArrives;
  /** Session storage that it begins with. Left out: none. */
  readonly sessionItems?: SessionItems | null;
  /** Does somebody sign in with it? Then it goes where it is led: nothing records and stops its navigations. Left out: no. */
  readonly goesFreely?: boolean;
}

export class WarmPage {
  readonly browser: LiveBrowser;
  readonly #page: BrowserPage;
  readonly session: DevToolsSession;
  /** Id of the main frame; the same for the life of the page. */
  readonly frameId: string;
  /** Are frames drawn only when we ask for them? */
  readonly frameControl: boolean;
  readonly domain: RegistrableDomain;
  readonly watch: PageWatch;
  readonly interceptor: DocumentInterceptor;
  readonly bodies: AnswerBodies;
  /** Reads the page's answers. */
  readonly offload: Offload;
  readonly #gone = new AbortController();
  visits = 0;
  /** URL of the document it shows, without fragment. */
  shows = 'about:blank';
  /** Execution context of our world in the document that it shows; null where that is not known. */
  world: number | null = null;
  /** Further links that are read from it. */
  selectLinks: readonly SelectedLinks[] = [];
  /** When its visit must go on to its end, on the monotonic clock. */
  latest: Milliseconds = milliseconds(Number.POSITIVE_INFINITY);
  /** Was its clock ever a virtual one? The page keeps that clock for ever. */
  heldClock = false;
  /** Documents that were shown in its main frame so far. */
  documents = 0;
  /** Is it loaded alike each time? */
  readonly deterministic: boolean;
  /** Order of the answers that it gets; null: as they come. */
  readonly order: AnswerOrder | null;
  readonly #goesFreely: boolean;
  readonly #clock: Clock;
  readonly #sessionItems: SessionItems | null;
  readonly frames: FrameClock;
  /** Null where they are not needed. */
  readonly ownWorlds: OwnWorlds | null;
  /** Null where the crawl is not audited. */
  readonly behaviour: BehaviourLog | null;

  constructor(parts: WarmPageParts) {
    const { page, clock } = parts;
    this.#clock = clock;
    const { session, frameId } = page;
    this.browser = parts.browser;
    this.#page = page;
    this.session = session;
    this.frameId = frameId;
    this.frameControl = page.frameControl;
    this.#goesFreely = parts.goesFreely ?? false;
    this.#sessionItems = parts.sessionItems ?? null;
    this.domain = parts.domain;
    this.deterministic = parts.deterministic === true;
    this.frames = this.deterministic ? new VirtualFrameClock() : new RealFrameClock(clock);
    this.ownWorlds = parts.consent === true ? new OwnWorlds(session) : null;
    this.offload = parts.offload;
    this.bodies = new AnswerBodies(session, parts);
    this.behaviour = parts.details === true ? new BehaviourLog(session) : null;
    this.order = this.deterministic ? new AnswerOrder(session, frameId) : null;
    const { order } = this;
    const rules = { extra: parts.extraHeaders, block: parts.block, hasDialogs: !page.frameControl, order };
    this.interceptor = new DocumentInterceptor(session, frameId, rules, clock);
    if (this.#goesFreely) this.interceptor.letAllThrough();
    this.watch = new PageWatch(session, frameId, parts, {
      dialogs: () => this.end(new PageEnded('timed-out', 'the page opens dialogs without end')),
      messages: () => this.end(new PageEnded('timed-out', 'the page writes messages without end')),
      requests: () => this.interceptor.ration(this.watch),
      endlessRequests: () => this.end(new PageEnded('timed-out', 'the page sends requests without end')),
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== frameId) return;
      this.world = null;
      this.documents += 1;
    });
    session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === WORLD_NAME && auxData?.['frameId'] === frameId) this.world = id;
    });
    page.listen({
      workerStarted: (url, worker) => {
        this.watch.workerStarted(url, worker);
        if (this.deterministic && worker !== null) openDeterministicWorker(worker, url);
        if (worker !== null) this.behaviour?.watch(worker);
        // a worker's requests are not taken back when the loading of its page stops: they are counted before it runs
        this.interceptor.ration(this.watch);
      },
      workerEnded: () => this.watch.workerEnded(),
      frameStarted: (remote) => this.#frameStarted(remote),
      ended: (how) => {
        if (how === 'crashed') this.#crashed();
        else this.end(new PageEnded('crashed', 'the page was closed', { closed: true }));
      },
    });
  }

  /** Aborted with a {@link PageEnded} when the page can answer no more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Marks the page as lost: calls that wait for it are rejected with the reason. */
  end(reason: PageEnded): void {
    this.#gone.abort(reason);
  }

  #crashed(): void {
    void this.browser.crashed().then((reason) => this.end(reason));
  }

  /** Hands the page to Playwright: {@link BrowserPage.adopt}. */
  adopt(options: AdoptOptions): Promise<AdoptedPage> {
    return this.#page.adopt(options);
  }

  /** Sessions of the frames that are in processes of their own. */
  remoteFrames(): Promise<readonly DevToolsSession[]> {
    return this.#page.remoteFrames();
  }

  /** Switches on the events and scripts of every visit. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const ready = Promise.all([
      session.send('Page.enable'),
      this.frameControl ? session.send('HeadlessExperimental.enable') : undefined,
      hideServiceWorkers(session),
      this.#record(session),
      this.#sessionItems === null ? undefined : beginWithSession(session, this.#sessionItems, WORLD_NAME),
      this.deterministic ? openDeterministic(session) : undefined,
      this.interceptor.open(),
      this.watch.open(),
      this.behaviour?.open(session),
    ]);
    const either = AbortSignal.any([signal, this.gone]);
    await this.browser.given.within(ready, 'the new page', { limit: PROTOCOL_CALL_LIMIT }, either);
  }

  /**
   * Waits for a call to the page, but not longer than for a living page.
   * @param limit on a busy machine it takes longer, see given-time.ts
   * @param signal the visit's, which {@link gone} is part of: one signal for a visit costs less than one for each call
   * @throws as {@link withDeadline}
   */
  within<Result>(
    call: Promise<Result>,
    what: string,
    signal: AbortSignal,
    limit: Milliseconds = PROTOCOL_CALL_LIMIT,
  ): Promise<Result> {
    return this.browser.given.within(call, what, { limit, latest: this.latest }, signal);
  }

  /** Do its requests go on, so that it will answer yet, and has its visit the time for that? */
  get isWorking(): boolean {
    const silence = this.watch.begun() > REQUEST_LIMIT ? FLOODED_SILENCE : WORKING_SILENCE;
    return this.watch.news.sinceReport() <= silence && this.#clock.monotonic() < this.latest;
  }

  /**
   * As {@link within}, for a call that the page answers after its other work: while its requests go on it is at work, and has until
   * its visit must go on to its end.
   */
  whileWorking<Result>(call: Promise<Result>, what: string, signal: AbortSignal, limit: Milliseconds): Promise<Result> {
    const silence = (): Milliseconds => this.watch.news.sinceReport();
    return this.browser.given.within(call, what, { limit, latest: this.latest, silence }, signal);
  }

  /** Is a URL of the registrable domain that this page visits? */
  isOfDomain(url: string): boolean {
    return isOf(this.domain, url);
  }

  #frameStarted(session: DevToolsSession): void {
    this.watch.frameStarted(session);
    this.behaviour?.watch(session);
    // a page goes on without a frame that has crashed, but not where that took more memory than a page may
    session.on('Inspector.targetCrashed', () => {
      void this.browser.crashed().then((reason) => reason.memory && this.end(reason));
    });
    session.send('Inspector.enable').catch(() => {});
    session.send('Page.enable').catch(() => {}); // it has gone by itself
    hideServiceWorkers(session).catch(() => {});
    if (this.deterministic) openDeterministicFrame(session);
    this.#record(session)?.catch(() => {});
  }

  #record(session: DevToolsSession): Promise<unknown> | undefined {
    return this.#goesFreely ? undefined : session.send('Page.addScriptToEvaluateOnNewDocument', RECORDER);
  }

  /** Ends the page and its storage. Never rejects, and does not wait for a page that hangs. */
  async dispose(signal: AbortSignal): Promise<void> {
    this.interceptor.close();
    try {
      await this.browser.given.within(
        this.#page.close(),
        'closing the context',
        { limit: PROTOCOL_CALL_LIMIT },
        signal,
      );
    } catch {
      this.browser.misbehaved('a page could not be closed');
    } finally {
      this.end(new PageEnded('crashed', 'the page was given back'));
    }
  }
}

function isOf(domain: RegistrableDomain, text: string): boolean {
  const url = canonicalUrl(text);
  return url !== null && registrableDomainOf(url) === domain;
}
