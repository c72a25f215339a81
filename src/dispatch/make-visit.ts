/**
 * Steps of a visit, in any process, in order: hold the lease → ask whether it may be made now → load the
 * page → process the outcome (pipeline) → commit the result to the frontier.
 */
import { CrawlError } from '../base/errors.ts';
import { linkedAbort } from '../base/linked-abort.ts';
import type { Log } from '../base/log.ts';
import type { MainLoopWatch } from '../base/process/main-loop-watch.ts';
import { after, seconds, type Milliseconds } from '../base/units.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { VisitCommit } from '../model/visit-commit.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { holdLease } from './hold-lease.ts';
import { HostStarts } from './host-starts.ts';
import { visitPermission, type HostDirectives, type PermissionOptions } from './visit-permission.ts';

/** Duration of a lease, which is renewed three times before it would expire. */
export const LEASE_TERM: Milliseconds = seconds(30);

/** A visit's outcome, and the directives of robots.txt for it. */
export interface FinishedVisit extends HostDirectives {
  readonly visit: Visit;
  readonly outcome: VisitOutcome;
}

export interface VisitMakerOptions extends PermissionOptions {
  readonly frontier: Pick<Frontier, 'begin' | 'renew' | 'release'>;
  readonly log: Log;
  readonly leaseFor: Milliseconds;
  /** As in {@link holdLease}. */
  readonly givesUpSilent?: boolean;
  /**
   * Loads the page of a visit; null where the visit must be given back. Never rejects because of a page or a server, but with a
   * {CrawlError} where no page can be loaded any more.
   */
  readonly loadPage: (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;
  /** The pipeline: turns the outcome of a visit into its commit. */
  readonly process: (finished: FinishedVisit, signal: AbortSignal) => Promise<VisitCommit>;
  /** Commits the result to the frontier. */
  readonly commit: (finished: FinishedVisit, commit: VisitCommit) => Promise<void>;
  /** Called where the crawl cannot go on: Redis or the disk fails while a visit is processed or committed, or no browser starts. */
  readonly onBroken: (error: unknown) => void;
  /** Aborts when no new visits may begin: a page begun after that is not blamed for the end of the program. */
  readonly draining: AbortSignal;
  /** Aborts when visits under way must be given up. */
  readonly atOnce: AbortSignal;
  /** Receives the visits under way: the report of a stalled main loop names them. */
  readonly watch: Pick<MainLoopWatch, 'note'>;
}

interface VisitMaker {
  /** Makes one visit. Never rejects: an error is logged, and the lease expires or is given back. */
  make(visit: Visit): Promise<void>;
}

export function createVisitMaker(options: VisitMakerOptions): VisitMaker {
  const { frontier, clock, log, leaseFor, atOnce, draining } = options;
  const starts = new HostStarts(clock);
  /**
   * Visits by token: BullMQ may deliver a job twice. The second delivery ends with the first, because its end frees the slot.
   */
  const underWay = new Map<number, Promise<void>>();

  function once(visit: Visit): Promise<void> {
    const running = underWay.get(visit.token) ?? make(visit).finally(() => underWay.delete(visit.token));
    underWay.set(visit.token, running);
    return running;
  }

  async function make(visit: Visit): Promise<void> {
    using _noted = options.watch.note(visit.url);
    using lost = linkedAbort(atOnce);
    using _held = holdLease(visit, lost, options);
    try {
      if (!(await takeUp(visit))) return;
      const finished = await load(visit, lost.signal);
      if (finished === null) return;
      lost.signal.throwIfAborted();
      await conclude(finished);
    } catch (error) {
      await giveUp(visit, lost.signal, error);
    }
  }

  /** Records in the frontier that work on the page begins; while the crawl is drained it only renews, so that no page is blamed for its end. */
  function takeUp({ token }: Visit): Promise<boolean> {
    const until = after(clock.now(), leaseFor);
    return draining.aborted ? frontier.renew(token, until) : frontier.begin(token, until);
  }

  /** @returns null where the visit was given back, to be made later */
  async function load(visit: Visit, signal: AbortSignal): Promise<FinishedVisit | null> {
    const asked = clock.monotonic();
    const permission = await visitPermission(visit, options, signal);
    switch (permission.kind) {
      case 'not-before':
        starts.count(visit.host);
        await frontier.release(visit.token, clock.now(), permission.due);
        return null;
      case 'refused':
        return { visit, outcome: permission.outcome, ...permission.directives };
      case 'granted': {
        if (!(await mayStart(visit, permission.directives, signal))) return null;
        log.debug('visit begins', { url: visit.url, attempt: visit.attempt, permission: clock.monotonic() - asked });
        const outcome = await options.loadPage(visit, signal).catch((error: unknown) => {
          if (error instanceof CrawlError && !signal.aborted) options.onBroken(error);
          throw error;
        });
        if (outcome === null) await giveBack(visit);
        return outcome === null ? null : { visit, outcome, ...permission.directives };
      }
    }
  }

  /** @returns false where the visit was given back, because the last one of its host started too short a time ago */
  async function mayStart(
    { host, token }: Visit,
    { crawlDelay }: HostDirectives,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { isItsTurn, wait } = starts.next(host, options.delayOf(host, crawlDelay));
    if (isItsTurn) {
      if (wait > 0) await clock.sleep(wait, signal);
      return true;
    }
    const now = clock.now();
    await frontier.release(token, now, after(now, wait));
    return false;
  }

  async function conclude(finished: FinishedVisit): Promise<void> {
    try {
      await options.commit(finished, await options.process(finished, atOnce));
    } catch (error) {
      atOnce.throwIfAborted();
      options.onBroken(error);
    }
  }

  /** The host may have been asked for its page until now: its pause begins here. */
  function giveBack({ token, host }: Visit): Promise<boolean> {
    const now = clock.now();
    return frontier.release(token, now, after(now, options.delayOf(host, null)));
  }

  async function giveUp(visit: Visit, lost: AbortSignal, error: unknown): Promise<void> {
    if (atOnce.aborted) await giveBack(visit).catch(() => false);
    else if (lost.aborted) log.warn('visit given up: its lease was taken back', { url: visit.url });
    else
      log.error('visit failed', {
        url: visit.url,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }

  return { make: once };
}
