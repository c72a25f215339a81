/**
 * A crawl while it runs: dispatcher and journal side by side, limits, the way to its end. Whatever ends it, the books are
 * carried to the folder and crawl.json tells the truth about what is left.
 */
import { randomInt } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Disposal } from '../base/disposal.ts';
import type { Log } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { milliseconds, minutes, seconds } from '../base/units.ts';
import type { Scope } from '../core/scope/decide.ts';
import { createDispatcher, type DispatchEnd } from '../dispatch/dispatcher.ts';
import type { RobotsGate } from '../dispatch/robots-gate.ts';
import { createVisitWorker, type FinishedVisit } from '../dispatch/visit-worker.ts';
import type { WorkQueue } from '../dispatch/work-queue.ts';
import type { Egress } from '../egress/egress.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { hostNameOf } from '../model/host-key.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { Visit } from '../model/visit.ts';
import { settlementOf } from '../pipeline/settle-visit.ts';
import type { Renderer } from '../render/renderer.ts';
import type { CrawlFolder } from '../snapshot/crawl-folder.ts';
import type { JournalFiles } from '../snapshot/journal-files.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import type { Crawl, CrawlEnd, CrawlReport, CrawlTotals } from './crawl.ts';
import type { CrawlFileContent } from './crawl-file.ts';
import { createEventStream } from './event-stream.ts';
import { createJournalPump } from './journal-pump.ts';
import type { Manners } from './manners.ts';
import type { CrawlPlan } from './plan.ts';
import { crawlTotals, watchProgress } from './progress.ts';
import { countEntry, isFailure, type Tally } from './tally.ts';

/** A lease is renewed three times before it would run out. */
const LEASE = seconds(30);
const CRAWL_FILE_EVERY = seconds(5);

/** All that a crawl needs, opened by open-rooms.ts. */
export interface Rooms {
  readonly plan: CrawlPlan;
  readonly identity: { readonly robotsAgent: string };
  readonly folder: CrawlFolder;
  readonly frontier: Frontier;
  readonly egress: Egress;
  readonly gate: RobotsGate;
  readonly renderer: Renderer;
  readonly snapshots: SnapshotWriter;
  readonly journalFiles: JournalFiles;
  readonly manners: Manners;
  readonly tally: Tally;
  readonly notes: Notes;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens BullMQ; the visits come back through the function. */
  readonly openQueue: (process: (visit: Visit) => Promise<void>) => Promise<WorkQueue>;
  /** What crawl.json says, but for state, totals and end. */
  readonly description: Omit<CrawlFileContent, 'state' | 'end' | 'finished' | 'totals' | 'notes'>;
  /** Removes what is kept only as long as the crawl may go on; called after everything is closed. */
  readonly forget: () => Promise<void>;
  readonly disposal: Disposal;
}

/** Things that a user should know; said once each. */
export interface Notes {
  readonly all: readonly string[];
  say(message: string): void;
  /** Hears of what is said from now on. */
  onSay(listener: (message: string) => void): void;
}

export function createNotes(): Notes {
  const all: string[] = [];
  const listeners: ((message: string) => void)[] = [];
  return {
    all,
    say: (message) => {
      if (all.includes(message)) return;
      all.push(message);
      for (const listener of listeners) listener(message);
    },
    onSay: (listener) => {
      listeners.push(listener);
    },
  };
}

/** Starts the crawl; comes back as soon as it runs. */
export async function runCrawl(rooms: Rooms, outside: AbortSignal): Promise<Crawl> {
  const { plan, folder, frontier, clock, log, tally, notes } = rooms;
  const { options } = plan;
  const began = clock.monotonic();
  const events = createEventStream();
  const atOnce = new AbortController();
  const stopPump = new AbortController();
  let scope = rooms.scope;
  let stopped: CrawlEnd | null = null;
  let broken: unknown = null;
  let pagesEnded = [...tally.outcomes].reduce(
    (sum, [outcome, count]) => (outcome === 'redirected' ? sum : sum + count),
    0,
  );

  notes.onSay((message) => void events.tell({ kind: 'note', message })); // never rejects

  async function tell(entry: JournalEntry): Promise<void> {
    countEntry(entry, tally);
    for (const skipped of entry.skipped) await events.tell({ kind: 'skipped', skipped });
    if (entry.page === null) return;
    await events.tell({ kind: isFailure(entry.page.outcome) ? 'failed' : 'page', page: entry.page });
  }

  const pump = createJournalPump(frontier, rooms.journalFiles, tell);
  const settling = {
    ...rooms,
    get scope() {
      return scope;
    },
    urlPolicy: plan.urlPolicy,
    respectNofollow: options.robots,
    robotsAgent: rooms.identity.robotsAgent,
    random: seededRandom(randomInt(2 ** 32)),
    retries: options.retries,
    manners: rooms.manners.paceOf,
  };

  async function finish(finished: FinishedVisit): Promise<void> {
    try {
      const settlement = await settlementOf(finished, settling, atOnce.signal);
      const reply = await frontier.settle(finished.visit, settlement, clock.now());
      if (reply.kind === 'fenced') return;
      if (settlement.newSeeds.length > 0) scope = scope.withSeeds(settlement.newSeeds);
      const { ending } = settlement;
      const isPage = ending.kind === 'visited' || ending.kind === 'failed';
      if (isPage && ending.record.outcome !== 'redirected') pagesEnded += 1;
      rooms.egress.prefetch(
        new Set(
          settlement.links.flatMap(({ target }) =>
            target.kind === 'candidate' ? [hostNameOf(target.candidate.url)] : [],
          ),
        ),
      );
      pump.ring();
    } catch (error) {
      atOnce.signal.throwIfAborted();
      breakOff(error);
    }
  }

  /** Something without which nothing can go on has failed: Redis, the disk. */
  function breakOff(error: unknown): void {
    broken ??= error;
    log.error('crawl breaks off', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    atOnce.abort(error);
  }

  const worker = createVisitWorker({
    ...rooms,
    leaseFor: LEASE,
    attempts: options.retries + 1,
    delayOf: rooms.manners.delayOf,
    finish,
  });
  const queue = await rooms.openQueue(async (visit) => {
    dispatcher.began(visit.token);
    await worker.process(visit, atOnce.signal);
    dispatcher.returned(visit.token);
  });
  const dispatcher = createDispatcher({
    frontier,
    clock,
    log,
    slots: plan.workers,
    leaseFor: LEASE,
    newHostDelay: milliseconds(options.delay ?? 0),
    leaseSpacing: milliseconds(options.rateLimit === undefined ? 0 : 1000 / options.rateLimit),
    budget: pagesLeft,
    hand: (visits) => queue.add(visits),
  });

  function pagesLeft(): number {
    return options.limit === undefined ? Number.POSITIVE_INFINITY : options.limit - pagesEnded;
  }

  const watch = watchProgress({
    frontier,
    clock,
    log,
    visiting: () => dispatcher.visiting,
    stopping: () => stopped !== null,
    pagesLeft: () => (options.limit === undefined ? null : pagesLeft()),
    timeLeft: () =>
      options.timeLimit === undefined
        ? null
        : milliseconds(Math.max(0, options.timeLimit - (clock.monotonic() - began))),
    delayOf: (host) => rooms.manners.delayOf(host, null),
  });

  function stop(how: 'drain' | 'at-once', end: CrawlEnd = 'interrupted'): void {
    stopped ??= end;
    dispatcher.drain();
    if (how === 'at-once') atOnce.abort(new Error('the crawl was stopped'));
  }

  async function writeCrawlFile(
    state: CrawlFileContent['state'],
    end: CrawlEnd | null,
    totals: CrawlTotals,
  ): Promise<void> {
    await folder.writeCrawlFile({
      ...rooms.description,
      state,
      end,
      finished: state === 'running' ? null : new Date(clock.now()).toISOString(),
      totals,
      notes: notes.all,
    });
  }

  async function dispatch(): Promise<DispatchEnd | null> {
    try {
      return await dispatcher.run(atOnce.signal);
    } catch (error) {
      if (!atOnce.signal.aborted) breakOff(error);
      return null;
    }
  }

  async function endOf(dispatchEnd: DispatchEnd | null): Promise<CrawlEnd> {
    if (broken !== null) return 'broken';
    if (stopped !== null) return stopped;
    if ((tally.outcomes.get('captured') ?? 0) + (tally.outcomes.get('not-html') ?? 0) === 0) return 'seeds-failed';
    return dispatchEnd === 'budget-spent' ? 'page-limit' : 'all-visited';
  }

  async function wholeCrawl(): Promise<CrawlReport> {
    await writeCrawlFile('running', null, crawlTotals(await frontier.totals()));
    const carrying = pump.run(stopPump.signal).catch(breakOff);
    const fileTimer = setInterval(() => {
      writeCrawlFile('running', null, watch.current().totals).catch(breakOff);
    }, CRAWL_FILE_EVERY);
    const limitTimer =
      options.timeLimit === undefined
        ? undefined
        : setTimeout(() => stop('drain', 'time-limit'), Math.min(options.timeLimit, minutes(24 * 60 * 20)));
    const dispatchEnd = await dispatch();
    clearInterval(fileTimer);
    clearTimeout(limitTimer);
    stopPump.abort();
    await carrying;
    return conclude(dispatchEnd);
  }

  async function conclude(dispatchEnd: DispatchEnd | null): Promise<CrawlReport> {
    let totals = watch.current().totals;
    try {
      await queue[Symbol.asyncDispose]();
      if (broken === null) {
        if (stopped === null || stopped === 'time-limit') await frontier.flushDeferred(clock.now());
        await pump.drain();
        totals = crawlTotals(await frontier.totals());
      }
    } catch (error) {
      breakOff(error);
    }
    watch[Symbol.dispose]();
    const end = await endOf(dispatchEnd);
    const state =
      end === 'interrupted' ? 'interrupted' : end === 'broken' || end === 'seeds-failed' ? 'failed' : 'finished';
    await writeCrawlFile(state, end, totals).catch((error: unknown) =>
      log.error('crawl.json was not written', { error: String(error) }),
    );
    const report = reportOf(state, end, totals);
    log.info('crawl ended', { state, end, ...totals });
    events.end();
    return report;
  }

  function reportOf(state: CrawlReport['state'], end: CrawlEnd, totals: CrawlTotals): CrawlReport {
    return {
      id: rooms.description.id,
      folder: folder.path,
      state,
      end,
      cause: causeOf(end, broken, tally),
      totals,
      outcomes: Object.fromEntries(tally.outcomes),
      skipped: Object.fromEntries(tally.skipped),
      linksFound: tally.linksFound,
      elapsed: clock.monotonic() - began,
      notes: notes.all,
      failures: tally.failures,
    };
  }

  async function closed(): Promise<CrawlReport> {
    const report = await wholeCrawl();
    await rooms.disposal[Symbol.asyncDispose]();
    if (report.state === 'finished') await rooms.forget();
    return report;
  }

  const onOutside = (): void => stop('drain');
  outside.addEventListener('abort', onOutside, { once: true });
  const report = closed().finally(() => outside.removeEventListener('abort', onOutside));
  report.catch(() => {}); // whoever asks for the report hears of it

  return {
    id: rooms.description.id,
    folder: folder.path,
    seeds: rooms.description.seeds,
    progress: () => watch.current(),
    stop,
    report: () => report,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    [Symbol.asyncDispose]: async () => {
      stop('at-once');
      await report;
    },
  };
}

function causeOf(end: CrawlEnd, broken: unknown, tally: Tally): string | null {
  if (end === 'broken') return broken instanceof Error ? broken.message : String(broken);
  if (end !== 'seeds-failed') return null;
  const [failure] = tally.failures;
  if (failure !== undefined) return `${failure.url}: ${failure.why}`;
  const reasons = [...tally.skipped].map(([reason, count]) => `${count} ${reason}`).join(', ');
  return reasons === '' ? 'nothing could be visited' : `nothing could be visited (skipped: ${reasons})`;
}
