/**
 * A crawl while it runs: dispatcher and journal side by side, limits, the way to its end. After any end the journal is in the folder,
 * everything is closed, and crawl.json says truthfully what is left.
 */
import { withDeadline } from '../base/deadline.ts';
import { milliseconds, minutes, seconds, type Milliseconds } from '../base/units.ts';
import type { DispatchEnd } from '../dispatch/dispatcher.ts';
import { createNameLookups, type NameLookups } from '../dispatch/name-lookups.ts';
import { LEASE_TERM } from '../dispatch/make-visit.ts';
import { openVisitLoop, type VisitLoop } from '../dispatch/visit-loop.ts';
import type { CrawlId } from '../model/crawl-id.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import { isFailure } from '../model/record.ts';
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { afterCrawl } from './after-crawl.ts';
import type { CrawlContext } from './crawl-context.ts';
import { CrawlEnding } from './crawl-ending.ts';
import { leadWorkers } from './fleet/lead-workers.ts';
import { beginFolder } from './folder/begin-folder.ts';
import { writeCrawlFile } from './folder/crawl-file.ts';
import { crawlReport, stateOfEnd } from './summary/crawl-report.ts';
import type { Crawl, CrawlEnd, CrawlProgress, CrawlReport, QueuedHost } from './crawl.ts';
import { createEventStream } from './event-stream.ts';
import type { CrawlEvent } from './events.ts';
import { createJournalPump, JOURNAL_PAUSE, type JournalPump } from './journal-pump.ts';
import { isNothingToCome } from './nothing-to-come.ts';
import { endBooks, takeOutEarlier, type EndedBooks } from './folder/end-books.ts';
import { leftOut, NOTHING_LEFT_OUT, type LeftOut } from './summary/left-out.ts';
import { issuerNote } from './summary/issuer-note.ts';
import { nofollowNote } from './summary/nofollow-note.ts';
import type { StateFate } from './opening/open-redis.ts';
import { newHostDelay, ownEgress } from './opening/politeness-policy.ts';
import { crawlTotals, hostsWithMostQueued, watchProgress, type ProgressWatch } from './summary/progress.ts';
import { feedSitemaps, sitemapNote } from './sitemap-feed.ts';
import { createHeldCounts } from './summary/suspected-traps.ts';
import { countEntry } from './summary/tally.ts';
import { serveCrawlMetrics } from './metrics/crawl-metrics.ts';
import { startTimers } from './run-timers.ts';
import { VisitCommits } from './visit-commits.ts';

/** The longest wait for the visits in flight to end, and for BullMQ to let go of a Redis that may be gone. */
const QUEUE_END = minutes(2);
/** The longest wait for the totals of a crawl that broke off. */
const TOTALS_TIME = seconds(5);
const NEVER = new AbortController().signal;

/** Starts the crawl; returns as soon as it runs. @param outside its abort drains the crawl */
export async function runCrawl(context: CrawlContext, outside: AbortSignal): Promise<Crawl> {
  const crawl = new RunningCrawl(context);
  try {
    await crawl.start(outside);
  } catch (error) {
    await context.disposal[Symbol.asyncDispose]();
    throw error;
  }
  return crawl;
}

class RunningCrawl implements Crawl {
  readonly id: CrawlId;
  readonly folder: string;
  readonly seeds: readonly string[];
  readonly #context: CrawlContext;
  readonly #startedAt: Milliseconds;
  readonly #events = createEventStream();
  readonly #ending: CrawlEnding;
  readonly #pump: JournalPump;
  readonly #lookups: NameLookups;
  readonly #watch: ProgressWatch;
  readonly #commits: VisitCommits;
  readonly #held = createHeldCounts();
  #loop: VisitLoop | null = null;
  #report: Promise<CrawlReport> | null = null;

  constructor(context: CrawlContext) {
    this.#context = context;
    this.id = context.description.id;
    this.folder = context.folder.path;
    this.seeds = context.description.seeds;
    this.#ending = new CrawlEnding(context, () => this.#loop?.drain());
    this.#startedAt = context.clock.monotonic();
    this.#pump = createJournalPump(
      context.frontier,
      context.journalFiles,
      (entry) => this.#onEntry(entry),
      (signal) => context.clock.sleep(JOURNAL_PAUSE, signal).catch(() => {}), // woken by its signal, which run looks at
    );
    this.#commits = new VisitCommits(context, {
      onCommitted: () => this.#pump.notify(),
      onOtherHosts: () => this.#lookups.notify(),
      onRoom: () => this.#feed(),
    });
    this.#lookups = createNameLookups({
      ...context,
      retried: context.plan.options.retries > 0,
      onAddressed: () => this.#loop?.notify(),
    });
    this.#watch = watchProgress({
      ...context,
      visiting: () => this.#loop?.visiting ?? 0,
      stopping: () => this.#ending.stopped !== null,
      pagesLeft: () => this.#commits.pagesLeft(),
      timeLeft: () => this.#timeLeft(),
      delayOf: (host) => context.politeness.delayOf(host, null),
      hostsWaiting: () => this.#commits.hostsWaiting(),
    });
    void context.lost.then((error) => this.#ending.breakOff(error)); // never rejects
    const note = (message: string): void => void this.#events.push({ kind: 'note', message }); // never rejects
    context.notes.onSay(note);
  }

  async start(outside: AbortSignal): Promise<void> {
    await this.#commits.countWith(this.#context.fleet);
    await serveCrawlMetrics(this.#context, () => this.#loop?.visiting ?? 0);
    // a resumed crawl may have URLs left only in sitemaps that were held back for its limit
    await this.#feed();
    const loop = await this.#openLoop();
    this.#loop = loop;
    this.#context.waitingPages.onChange(() => loop.notify());
    this.#context.capacity.onChange(() => loop.notify());
    await beginFolder(this.#context, this.#watch.begin(await this.#context.frontier.totals()), outside);
    const drain = (): void => this.stop('drain');
    outside.addEventListener('abort', drain, { once: true });
    this.#report = this.#live(loop).finally(() => outside.removeEventListener('abort', drain));
    this.#report.catch(() => {}); // callers of `report` get the rejection
    if (outside.aborted) drain();
  }

  progress(): CrawlProgress {
    return this.#watch.current();
  }

  stop(how: 'drain' | 'at-once'): void {
    this.#ending.interrupt(how);
  }

  breakOff(error: unknown): void {
    this.#ending.breakOff(error);
    this.#ending.leaveIndexing(error);
  }

  async report(): Promise<CrawlReport> {
    if (this.#report === null) throw new Error('the crawl was not started');
    return this.#report;
  }

  [Symbol.asyncIterator](): AsyncIterator<CrawlEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop('at-once');
    await this.report();
  }

  /** Visits until the end, then closes: first the journal and crawl.json, then its context. */
  async #live(loop: VisitLoop): Promise<CrawlReport> {
    const stopPump = new AbortController();
    const carrying = this.#pump.run(stopPump.signal).catch((error: unknown) => this.#ending.breakOff(error));
    const stopLookups = new AbortController();
    const lookingUp = this.#lookups.run(stopLookups.signal).catch((error: unknown) => this.#ending.breakOff(error));
    const timers = startTimers(this.#context, this.#ending, () => this.#watch.current().totals);
    const stopFleet = new AbortController();
    const leading = leadWorkers(
      { fleet: this.#context.fleet, loop, pump: this.#pump, lookups: this.#lookups, ending: this.#ending },
      async () => {
        await this.#commits.look();
        await this.#feed();
      },
      stopFleet.signal,
    );
    const dispatchEnd = await this.#visitAll(loop);
    timers[Symbol.dispose]();
    stopFleet.abort();
    await leading;
    stopLookups.abort(new Error('nothing is visited any more'));
    stopPump.abort();
    await Promise.all([carrying, lookingUp]);
    this.#ending.visitsAreOver();
    const report = await this.#conclude(loop, dispatchEnd);
    await this.#context.disposal[Symbol.asyncDispose]().then(undefined, this.#ending.notClosed);
    return report;
  }

  async #feed(): Promise<void> {
    await feedSitemaps(this.#context, this.#commits.pagesLeft());
    await this.#context.knowledge.publish([]);
  }

  #openLoop(): Promise<VisitLoop> {
    const { plan, politeness, waitingPages, capacity, fleet, description } = this.#context;
    const { rateLimit } = plan.options;
    return openVisitLoop({
      ...this.#context,
      slots: () => (fleet?.leads === false ? 0 : capacity.slots + waitingPages.value),
      ...(fleet === null ? {} : { workers: fleet }),
      egressAddress: ownEgress(plan.options),
      leaseFor: LEASE_TERM,
      newHostDelay: newHostDelay(plan.options, description.seeds.map(storedCanonicalUrl)),
      leaseSpacing: milliseconds(rateLimit === undefined ? 0 : 1000 / rateLimit),
      delayOf: politeness.delayOf,
      budget: () => this.#commits.budget,
      leaveOut: (visit) => this.#commits.leaveOut(visit),
      isNothingToCome: () => isNothingToCome(this.#context, this.#commits, () => this.#loop?.notify()),
      process: (finished, signal) => this.#commits.process(finished, signal),
      commit: (finished, commit) => this.#commits.commit(finished, commit),
      onBroken: (error) => this.#ending.breakOff(error),
      draining: this.#ending.draining,
      atOnce: this.#ending.atOnce,
    });
  }

  async #visitAll(loop: VisitLoop): Promise<DispatchEnd | null> {
    try {
      return await loop.run();
    } catch (error) {
      if (!this.#ending.atOnce.aborted) this.#ending.breakOff(error);
      return null;
    }
  }

  async #conclude(loop: VisitLoop, dispatchEnd: DispatchEnd | null): Promise<CrawlReport> {
    const { frontier, clock, log } = this.#context;
    let { totals } = this.#watch.current();
    let ended: EndedBooks = { goesOn: true, shownAsSkipped: 0 };
    let left: LeftOut = NOTHING_LEFT_OUT;
    let queuedHosts: readonly QueuedHost[] = [];
    try {
      await withDeadline(loop[Symbol.asyncDispose](), 'the work queue', QUEUE_END, NEVER);
      if (this.#ending.broken === null) {
        if (this.#ending.isPaused) await this.#pump.drain();
        else ended = await this.#endBooks(this.#ending.endOf(dispatchEnd));
        await takeOutEarlier(this.#context);
        // a paused crawl goes on: its archive is mended and its index is sorted when it has ended
        if (!this.#ending.isPaused) await this.#context.snapshots.seal();
        left = await leftOut(this.#context, this.#held);
        if (ended.goesOn) queuedHosts = await hostsWithMostQueued(frontier);
      }
      // Redis itself may be broken: the last known totals are reported then
      totals = crawlTotals(
        await withDeadline(frontier.totals(), 'the totals', TOTALS_TIME, NEVER),
        ended.shownAsSkipped,
      );
    } catch (error) {
      this.#ending.breakOff(error);
    }
    const { notes, tally, sitemaps } = this.#context;
    for (const note of [sitemapNote(sitemaps), nofollowNote(tally.nofollow, totals), issuerNote(tally.failures)])
      if (note !== null) notes.say(note);
    this.#watch[Symbol.dispose]();
    const report = crawlReport(this.#context, {
      end: this.#ending.endOf(dispatchEnd),
      totals,
      elapsed: clock.monotonic() - this.#startedAt,
      visitsOfRun: this.#commits.visitsOfRun(totals),
      broken: this.#ending.broken,
      signedOut: this.#ending.signedOut,
      ...left,
      hostsWaiting: this.#commits.hostsWaiting(),
      queuedHosts,
      goesOn: ended.goesOn && !this.#ending.isTakenOver,
    });
    await writeCrawlFile(this.#context, report.state, report.end, totals, report).catch((error: unknown) =>
      log.error('crawl.json was not written', { error: String(error) }),
    );
    if (report.state === 'finished') await afterCrawl(this.#context, this.#ending.indexing);
    await this.#context.settleState(this.#fateOf(report));
    log.info('crawl ended', { state: report.state, end: report.end, ...totals });
    this.#events.end();
    return report;
  }

  #endBooks(end: CrawlEnd): Promise<EndedBooks> {
    const { discardState } = this.#context.plan.options;
    const books = { ...this.#context, pump: this.#pump, onEntry: (entry: JournalEntry) => this.#onEntry(entry) };
    return endBooks(books, !(discardState && stateOfEnd(end) === 'finished'));
  }

  /** The state of a crawl that ended early, or was broken off, is left as it is: it goes on soon. */
  #fateOf({ state, goesOn }: CrawlReport): StateFate {
    if (this.#ending.isStateLost) return 'lost';
    if (state !== 'finished' || this.#context.plan.options.keepState) return 'left';
    return goesOn === null ? 'removed' : 'packed';
  }

  async #onEntry(entry: JournalEntry): Promise<void> {
    countEntry(entry, this.#context.tally);
    this.#held.add(entry.skipped);
    for (const skipped of entry.skipped) await this.#events.push({ kind: 'skipped', skipped });
    if (entry.page === null) return;
    await this.#events.push({ kind: isFailure(entry.page.outcome) ? 'failed' : 'page', page: entry.page });
  }

  #timeLeft(): Milliseconds | null {
    const { timeLimit } = this.#context.plan.options;
    if (timeLimit === undefined) return null;
    return milliseconds(Math.max(0, timeLimit - (this.#context.clock.monotonic() - this.#startedAt)));
  }
}
