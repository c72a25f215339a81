/**
 * One running browser: makes pages, draws frames one at a time, knows when it must be replaced.
 * States: alive → retiring (no new pages; closed when the last one is given back) → gone.
 */
import type { Browser, BrowserPage } from '../../browsers/protocol/browser.ts';
import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import type { Milliseconds } from '../base/units.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { MemoryLimits } from '../core/memory/memory-verdict.ts';
import type { KnownSubresources } from '../core/page-clusters/known-subresources.ts';
import type { BlockType } from '../model/render-settings.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';
import type { UserHeaders } from '../model/user-headers.ts';
import type { Offload } from '../offload/offload.ts';
import { GivenTime } from './given-time.ts';
import { PageContexts, type ApartPage } from './page-contexts.ts';
import { MemoryGuard, type RestingPages } from './memory-guard.ts';
import { NetworkProcess } from './network-process.ts';
import { processorLookAt } from './processor-look.ts';
import { PROTOCOL_CALL_LIMIT, OPEN_LIMIT } from './page-limits.ts';
import type { BlockedType } from './page/document-interceptor.ts';
import type { BodyArrives } from './page/request-log.ts';
import { PageEnded } from './page/page-ended.ts';
import { sessionItemsOf } from './page/session-storage.ts';
import { WarmPage, type WarmPageParts } from './page/warm-page.ts';
import type { SignIns } from './sign-ins.ts';

export interface LiveBrowserOptions {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly extraHeaders: UserHeaders;
  /** Classes of requests that are not sent. */
  readonly block: readonly BlockType[];
  /** Scripts and sheets whose links are known. */
  readonly known: KnownSubresources;
  /** Are consent dialogs dealt with? Left out: no. */
  readonly consent?: boolean;
  /** Are pages observed for an audit? Left out: no. */
  readonly details?: boolean;
  /** Are pages loaded alike each time? Left out: no. */
  readonly deterministic?: boolean;
  readonly memory: MemoryLimits;
  readonly signIns: SignIns;
  readonly offload: Offload;
  /** Is the body of an answer still on its way from its server? */
  readonly bodyArrives: BodyArrives;
  readonly clock: Clock;
  readonly log: Log;
}

const BLOCKED: Readonly<Record<BlockType, BlockedType>> = {
  image: 'Image',
  font: 'Font',
  media: 'Media',
  stylesheet: 'Stylesheet',
};
/** Classes that a browser of ours does not load because of its flags, which is by far the cheapest. */
const BY_FLAG: ReadonlySet<BlockType> = new Set(['image', 'font']);

export class LiveBrowser {
  readonly #browser: Browser;
  readonly #options: LiveBrowserOptions;
  readonly #pages = new Set<WarmPage>();
  readonly #contexts: PageContexts;
  readonly #frames = new Mutex();
  readonly #guard: MemoryGuard;
  readonly #network: NetworkProcess;
  /** The time by which deadlines of calls to it go. */
  readonly given: GivenTime;
  #draws = true;
  readonly version: string;
  /** Id of the main process; null where the browser does not report it. */
  readonly pid: number | null;
  #retiring = false;
  #hasOpened = false;
  /** Its processes are to end from then on. */
  readonly #closing = new AbortController();
  visits = 0;

  /** Takes over a browser that was just started; the caller need not close it. */
  constructor(browser: Browser, options: LiveBrowserOptions) {
    this.#browser = browser;
    this.#options = options;
    this.pid = browser.pid;
    this.version = browser.version();
    const { userAgent, viewport } = options;
    this.#contexts = new PageContexts((state) => browser.openContext({ userAgent, viewport }, state), options);
    this.#guard = new MemoryGuard(browser, options.memory, options);
    this.#network = new NetworkProcess(browser);
    this.given = new GivenTime(processorLookAt(browser), options.clock);
    browser.gone.addEventListener('abort', () => this.#lost(), { once: true });
  }

  /** Do its processes take so little memory that further pages may wait in it? */
  get hasRoom(): boolean {
    return this.#guard.hasRoom;
  }

  /** Has it ever opened a page? */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  get usable(): boolean {
    return !this.#retiring && this.alive;
  }

  /** Has it not ended yet? One that retires is still alive. */
  get alive(): boolean {
    return !this.#browser.gone.aborted;
  }

  /** Watches its processes until it is closed, or the signal ends it. @param resting its pages at rest; left out: it has none */
  async watch(signal: AbortSignal, resting?: RestingPages): Promise<void> {
    const over = AbortSignal.any([signal, this.#browser.gone]);
    await Promise.all([this.#guard.watch(over, resting), this.#watchNetwork(over)]);
  }

  /** Ends it with its network: what its pages would still show is not the sites'. */
  async #watchNetwork(over: AbortSignal): Promise<void> {
    const until = AbortSignal.any([over, this.#closing.signal]);
    if (await this.#network.untilEnded(this.#options.clock, until)) this.#endWithNetwork();
  }

  #endWithNetwork(): void {
    this.misbehaved('its network process has ended');
    this.kill();
  }

  /**
   * Looks at its network when a visit has its answer: what came from another network process is not the site's.
   * @throws {PageEnded} where it has ended; the browser ends with it
   */
  async requireNetwork(): Promise<void> {
    if (!(await this.#network.hasEnded())) return;
    this.#endWithNetwork();
    throw new PageEnded('crashed', 'the network process of the browser has ended');
  }

  /** The error for a page or a frame of it that has crashed. */
  async crashed(): Promise<PageEnded> {
    return crash(await this.#guard.crashReason(), 'the renderer process has crashed');
  }

  /**
   * A new page for a domain.
   * @param storage `empty` where no earlier visit is to have left anything
   */
  async openPage(domain: RegistrableDomain, storage: 'shared' | 'empty', signal: AbortSignal): Promise<WarmPage> {
    const parts = this.#open(domain, storage, signal);
    try {
      const page = await this.given.within(parts, 'opening a page', { limit: OPEN_LIMIT }, signal);
      this.#hasOpened = true;
      this.#pages.add(page);
      page.gone.addEventListener('abort', () => this.#givenBack(page), { once: true });
      return page;
    } catch (error) {
      // the caller has gone: dispose of the late page
      parts.then((late) => late.dispose(new AbortController().signal)).catch(() => {});
      if (!signal.aborted) this.misbehaved('no page could be opened');
      throw error;
    }
  }

  /** A page with a storage of its own, for somebody who signs in. */
  async openApart(
    domain: RegistrableDomain,
    signal: AbortSignal,
  ): Promise<{ readonly page: WarmPage; readonly storageState: ApartPage['storageState'] }> {
    const opening = this.#contexts.openApart();
    const { page: opened, storageState } = await this.given.within(
      opening,
      'opening a page',
      { limit: OPEN_LIMIT },
      signal,
    );
    // a sign-in needs the time of day and true randomness
    const use = { domain, goesFreely: true, deterministic: false };
    const page = await this.#warm(opened, use, signal);
    this.#pages.add(page);
    page.gone.addEventListener('abort', () => this.#givenBack(page), { once: true });
    return { page, storageState };
  }

  /** Called when sign-ins have changed: new pages begin with the new ones. */
  renewSignIns(): void {
    this.#contexts.renew();
  }

  async #open(domain: RegistrableDomain, storage: 'shared' | 'empty', signal: AbortSignal): Promise<WarmPage> {
    const sessionItems = sessionItemsOf(this.#options.signIns.stateOf(domain));
    return this.#warm(await this.#contexts.openPage(domain, storage), { domain, sessionItems }, signal);
  }

  async #warm(
    page: BrowserPage,
    use: Pick<WarmPageParts, 'domain' | 'goesFreely' | 'deterministic' | 'sessionItems'>,
    signal: AbortSignal,
  ): Promise<WarmPage> {
    const flagged = this.pid !== null; // one of ours
    const block = this.#options.block.filter((type) => !(flagged && BY_FLAG.has(type))).map((type) => BLOCKED[type]);
    const warm = new WarmPage({ ...this.#options, browser: this, page, block, ...use });
    try {
      await warm.prepare(signal);
      return warm;
    } catch (error) {
      page.close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  /**
   * Draws one frame, while no other is drawn: two at once kill the GPU process (design/rendering, "Pitfalls"). Null where the
   * frame did not come: it still counts as under way, so this browser draws no more and is replaced.
   * @param frame the call
   * @param limit time that the browser must have had for it
   * @param signal of the visit; a frame that is under way goes on without it, and others wait for its end
   * @throws the signal's reason
   */
  draw<Result>(frame: () => Promise<Result>, limit: Milliseconds, signal: AbortSignal): Promise<Result | null> {
    const drawn = this.#frames.run(async () => {
      if (!this.#draws || !this.alive || signal.aborted) return null;
      try {
        return await this.given.within(frame(), 'a frame', { limit }, this.#browser.gone);
      } catch {
        this.#draws = false;
        this.misbehaved('a frame was not drawn');
        return null;
      }
    });
    return untilAborted(drawn, signal);
  }

  /** Called at the end of a visit: takes the storage of a signed-in domain. Never rejects. */
  keepSignIn(domain: RegistrableDomain): Promise<void> {
    return this.#contexts.keep(domain);
  }

  /** Replaces a browser that cannot be trusted any more; its pages end as they can. */
  misbehaved(why: string): void {
    if (this.#retiring) return;
    this.#options.log.warn('browser retired', { why, visits: this.visits });
    this.retire();
  }

  /** No new pages; closed with the last of those it has. */
  retire(): void {
    this.#retiring = true;
    if (this.#pages.size === 0) this.#close();
  }

  /** Ends it now, with all its pages. Resolves when it is gone, or could not be reached. */
  async close(signal: AbortSignal): Promise<void> {
    this.#retiring = true;
    this.#closing.abort();
    try {
      await withDeadline(this.#contexts.keepAll(), 'keeping the sign-in', PROTOCOL_CALL_LIMIT, signal);
      await withDeadline(this.#browser.close(), 'closing the browser', PROTOCOL_CALL_LIMIT, signal);
    } catch {
      this.kill();
    }
  }

  /** Ends the process of a browser that does not answer, by its id. */
  kill(): void {
    this.#browser.kill();
  }

  #givenBack(page: WarmPage): void {
    this.#pages.delete(page);
    if (this.#retiring && this.#pages.size === 0) this.#close();
  }

  #close(): void {
    if (!this.alive) return;
    this.#closing.abort();
    const never = new AbortController().signal;
    withDeadline(this.#browser.close(), 'closing the browser', PROTOCOL_CALL_LIMIT, never).catch(() => this.kill());
  }

  #lost(): void {
    const reason = crash(this.#guard.crashReasonNow(), 'the browser has ended');
    for (const page of this.#pages) page.end(reason);
  }
}

function crash(memory: string | null, otherwise: string): PageEnded {
  return new PageEnded('crashed', memory ?? otherwise, { memory: memory !== null });
}
