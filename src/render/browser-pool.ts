/**
 * Hands out pages to visits. Invariants: at most `workers` pages are out at a time, except those that were out when the number fell; a page
 * serves one visit at a time, and visits of one registrable domain only; a slot comes back whatever became of its page.
 */
import { opensNoPage } from '../../browsers/launch/launch-failure.ts';
import type { Browser } from '../../browsers/protocol/browser.ts';
import { Gauge } from '../base/gauge.ts';
import type { Log } from '../base/log.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { VisitRhythm } from '../core/capacity/visit-rhythm.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';
import { LiveBrowser, type LiveBrowserOptions } from './live-browser.ts';
import { launchPatiently } from './launch-patiently.ts';
import { PAGE_REST, RESTING_PER_WORKER, START_PAUSES, WAITING_PER_WORKER } from './limits/browser-limits.ts';
import { BROWSER_VISITS, PAGE_VISITS } from './page-limits.ts';
import { comeToRest } from './page/navigate.ts';
import type { WarmPage } from './page/warm-page.ts';

export type LaunchBrowser = (signal: AbortSignal) => Promise<Browser>;

interface PoolCounts {
  readonly pagesReplaced: number;
  readonly browsersReplaced: number;
}

export interface PoolSurroundings {
  /** Counts pages that wait for answers without a slot; left out: the count is not observed. */
  readonly waiting?: Gauge;
  /** Has the machine memory to spare for pages that only save time? Left out: always. */
  readonly machineHasRoom?: () => boolean;
}

interface PageNeed {
  /** `empty` for a page whose storage no visit has used. */
  readonly storage: 'shared' | 'empty';
  /** May a page that rests be used? */
  readonly suits: (page: WarmPage) => boolean;
}

/** The document of a page between visits. */
const EMPTY = 'about:blank';

export class BrowserPool implements AsyncDisposable {
  readonly #launch: LaunchBrowser;
  readonly #options: LiveBrowserOptions;
  readonly #log: Log;
  #workers: number;
  /** Pages that wait for answers without a slot. */
  readonly waiting: Gauge;
  readonly #machineHasRoom: () => boolean;
  /** Pages at rest, longest first. */
  #resting: WarmPage[] = [];
  /** Pages at rest that are just shown nothing: no visit may use them meanwhile. */
  readonly #silenced = new Set<WarmPage>();
  /** Pages that are ending: they still hold memory. */
  readonly #ended = new Set<WarmPage>();
  readonly #rhythm = new VisitRhythm<RegistrableDomain>();
  /** Visits that wait for a slot. */
  readonly #queue: (() => void)[] = [];
  /** Aborted where no browser is started any more. */
  readonly #closing = new AbortController();
  readonly #ending = new AbortController();
  /** Work outside of visits, awaited at the end. */
  readonly #background = new Set<Promise<void>>();
  /** Browsers that may still be alive: the current one, and retired ones with pages. */
  readonly #browsers = new Set<LiveBrowser>();
  #free: number;
  #current: Promise<LiveBrowser> | null = null;
  #known: LiveBrowser | null = null;
  #hasRun = false;
  #pagesReplaced = 0;
  #browsersReplaced = 0;

  constructor(
    workers: number,
    launch: LaunchBrowser,
    options: LiveBrowserOptions,
    { waiting = new Gauge(), machineHasRoom = () => true }: PoolSurroundings = {},
  ) {
    this.#free = workers;
    this.#workers = workers;
    this.waiting = waiting;
    this.#machineHasRoom = machineHasRoom;
    this.#launch = launch;
    this.#options = options;
    this.#log = options.log;
  }

  /** The browser that new pages are made in; started where there is none. @throws what the launch throws */
  async browser(): Promise<LiveBrowser> {
    const known = this.#known;
    if (known !== null && !known.usable) {
      this.#known = null;
      this.#current = null;
      this.#browsersReplaced += 1;
    }
    return (this.#current ??= this.#start());
  }

  get counts(): PoolCounts {
    return { pagesReplaced: this.#pagesReplaced, browsersReplaced: this.#browsersReplaced };
  }

  get known(): LiveBrowser | null {
    return this.#known;
  }

  /** May one page more wait without a slot? Only while the browser takes little of the memory that it may take. */
  mayWait(): boolean {
    if (this.#options.deterministic === true) return false; // which other page is visited meanwhile would be chance
    const isFull = this.waiting.value >= this.#workers * WAITING_PER_WORKER;
    return !isFull && (this.#known?.hasRoom ?? false);
  }

  /** Waits for a free slot; to be given back with {@link leave}. */
  async enter(signal: AbortSignal, place: 'first' | 'last' = 'last'): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      if (place === 'first') this.#queue.unshift(turn);
      else this.#queue.push(turn);
    });
  }

  /** Changes the number of pages. Where it falls, visits that have one keep it. @param workers 1 or more */
  resize(workers: number): void {
    this.#free += workers - this.#workers;
    this.#workers = workers;
    while (this.#free > 0 && this.#queue.length > 0) {
      this.#free -= 1;
      this.#queue.shift()?.();
    }
  }

  leave(): void {
    const next = this.#free < 0 ? undefined : this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /**
   * A page for a domain: one that served it before and suits, else a new one. The caller is in a slot.
   * @throws as {@link browser}; {CrawlError} BROWSER_UNUSABLE; what opening the page throws; the signal's reason
   */
  async take(domain: RegistrableDomain, { storage, suits }: PageNeed, signal: AbortSignal): Promise<WarmPage> {
    this.#sweep();
    this.#rhythm.visited(domain);
    const warm = this.#resting.find((page) => storage === 'shared' && page.domain === domain && suits(page));
    if (warm !== undefined) {
      this.#resting.splice(this.#resting.indexOf(warm), 1);
      return warm;
    }
    this.#makeRoom();
    signal.throwIfAborted();
    const browser = await untilAborted(this.browser(), signal);
    try {
      return await browser.openPage(domain, storage, signal);
    } catch (error) {
      // only a call shows that a browser has died
      signal.throwIfAborted();
      if (browser.usable) throw error;
    }
    const next = await untilAborted(this.browser(), signal);
    return next.openPage(domain, storage, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw browser.hasOpened || next.hasOpened ? error : opensNoPage(error);
    });
  }

  /** Ends resting pages where they are too many, the ones needed last first: a page at work must not end for the memory that they hold. */
  #makeRoom(): void {
    if (this.#resting.length <= this.#free) return;
    const tooMany = Math.max(0, this.#resting.length - this.#mayRest());
    for (const page of this.#lastNeededFirst().slice(0, tooMany)) this.#dispose(page);
  }

  /** Ends all pages at rest of a browser. @returns whether any pages of it are ending */
  #giveUp(browser: LiveBrowser): boolean {
    const isOf = (page: WarmPage): boolean => page.browser === browser;
    for (const page of [...this.#resting, ...this.#silenced].filter(isOf)) this.#dispose(page);
    return [...this.#ended].some(isOf);
  }

  #lastNeededFirst(): readonly WarmPage[] {
    const rhythm = this.#rhythm;
    return this.#resting.toSorted((one, other) => rhythm.untilNext(other.domain) - rhythm.untilNext(one.domain));
  }

  /**
   * The number of pages that may rest: as many as there are free slots, and more where there is memory to spare. A polite crawl of a few hosts
   * visits them in turns, and a new page for each visit would cost more than the visit.
   */
  #mayRest(): number {
    // else the free memory would decide which visits find cookies
    if (this.#options.deterministic === true) return this.#free;
    const hasRoom = (this.#known?.hasRoom ?? false) && this.#machineHasRoom();
    return hasRoom ? Math.max(this.#free, this.#workers * RESTING_PER_WORKER) : this.#free;
  }

  /** Gives a page back; `sound` where it may serve again. */
  put(page: WarmPage, sound: boolean): void {
    const { browser } = page;
    browser.visits += 1;
    if (browser.visits >= BROWSER_VISITS && browser.usable) browser.retire();
    page.visits += 1;
    const worn = page.visits >= PAGE_VISITS;
    if (sound && !worn && browser.usable && !page.gone.aborted) {
      this.#resting.push(page);
      this.#inBackground(browser.keepSignIn(page.domain));
      if (page.watch.holdsConnections && page.shows !== EMPTY) this.#inBackground(this.#silence(page));
      return;
    }
    if (!sound) this.#pagesReplaced += 1;
    this.#dispose(page);
    this.#sweep();
  }

  /** Called when sign-ins have changed: no resting page is used again, and new pages begin with the new sign-ins. */
  renewSignIns(): void {
    for (const page of [...this.#resting, ...this.#silenced]) this.#dispose(page);
    for (const browser of this.#browsers) browser.renewSignIns();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the renderer was closed'));
    await this.#current?.catch(() => {}); // one that is just starting is closed as well
    const never = new AbortController().signal;
    await Promise.all([...this.#browsers].filter(({ alive }) => alive).map((browser) => browser.close(never)));
    this.#ending.abort(new Error('the renderer was closed'));
    await Promise.all(this.#background);
  }

  async #start(): Promise<LiveBrowser> {
    try {
      const pauses = this.#hasRun ? START_PAUSES : [];
      const launch = (): Promise<Browser> => this.#launch(this.#ending.signal);
      const browser = await launchPatiently(launch, pauses, this.#options, this.#closing.signal);
      const live = new LiveBrowser(browser, this.#options);
      this.#known = live;
      this.#hasRun = true;
      for (const old of this.#browsers) if (!old.alive) this.#browsers.delete(old);
      this.#browsers.add(live);
      const resting = { onLook: () => this.#makeRoom(), giveUp: () => this.#giveUp(live) };
      this.#inBackground(live.watch(this.#ending.signal, resting));
      this.#log.info('browser started', { version: live.version, pid: live.pid });
      return live;
    } catch (error) {
      this.#current = null; // the next visit tries again
      throw error;
    }
  }

  /** Disposes of resting pages that are gone, or whose browser is to go or has gone. */
  #sweep(): void {
    const isSound = (page: WarmPage): boolean => page.browser.usable && !page.gone.aborted;
    for (const page of this.#resting.filter((resting) => !isSound(resting))) this.#dispose(page);
  }

  /** Ends the streams of a page that goes on resting, and its workers. */
  async #silence(page: WarmPage): Promise<void> {
    const { visits } = page;
    const ending = AbortSignal.any([this.#ending.signal, page.gone]);
    await this.#options.clock.sleep(PAGE_REST, ending).catch(() => {}); // the page, or the pool, has ended
    const place = this.#resting.indexOf(page);
    if (ending.aborted || place < 0 || page.visits !== visits) return;
    this.#resting.splice(place, 1);
    this.#silenced.add(page);
    const left = await comeToRest(page, ending).then(
      () => true,
      () => false,
    );
    if (!this.#silenced.delete(page)) return; // it was given up meanwhile
    if (left && page.browser.usable) this.#resting.push(page);
    else this.#dispose(page);
  }

  #dispose(page: WarmPage): void {
    this.#resting = this.#resting.filter((resting) => resting !== page);
    this.#silenced.delete(page);
    this.#ended.add(page);
    this.#inBackground(page.dispose(this.#ending.signal).finally(() => this.#ended.delete(page)));
  }

  #inBackground(task: Promise<void>): void {
    const work = task.finally(() => this.#background.delete(work));
    this.#background.add(work);
  }
}
