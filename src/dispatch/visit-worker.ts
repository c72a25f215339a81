/**
 * One visit from its lease to its outcome: the lease is still ours → the address may be connected to → robots.txt
 * allows it → the page is loaded. What the outcome means is decided by the function that was given.
 */
import type { Clock } from '../base/clock.ts';
import { linkedAbort, type LinkedAbort } from '../base/linked-abort.ts';
import type { Log } from '../base/log.ts';
import { after, type Milliseconds } from '../base/units.ts';
import type { Egress } from '../egress/egress.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { endpointOf, type HostKey } from '../model/url/host-key.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { RobotsGate, RobotsDecision } from './robots-gate.ts';

/** What came of a visit, and what its host asks for. */
export interface FinishedVisit {
  readonly visit: Visit;
  readonly outcome: VisitOutcome;
  /** Crawl-delay of the host's robots.txt; null where it names none. */
  readonly crawlDelay: Milliseconds | null;
  /** What the host's robots.txt names as sitemaps; told with the visit that made it known, and with those of seeds. */
  readonly sitemaps?: readonly string[];
  /** What robots.txt said, where it allowed the visit and was asked. */
  readonly robotsRule?: string | null;
}

interface VisitWorkerOptions {
  readonly frontier: Frontier;
  readonly egress: Egress;
  readonly gate: Pick<RobotsGate, 'verdict'>;
  /** Makes a visit that is allowed; never rejects for what a page or a server does. */
  readonly loadPage: (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a lease lasts between two renewals. */
  readonly leaseFor: Milliseconds;
  /** The pause between a host's robots.txt and its first page: they are two requests to it. */
  readonly delayOf: (host: HostKey, crawlDelay: Milliseconds | null) => Milliseconds;
  /** Aborts when nothing new is to begin: a visit that has not reached its page yet is given back. */
  readonly draining: AbortSignal;
  /** Commits the outcome. Called once for each visit that was not fenced or aborted. */
  readonly finish: (finished: FinishedVisit) => Promise<void>;
}

/** A page over which the program ended so often is left alone for good; after the first time it was visited alone. */
export const MOST_DEATHS = 3;

/** The visit has not reached its page, and shall not any more. */
class NotBegun extends Error {}

export interface VisitWorker {
  /** Never rejects: what goes wrong is logged, and the lease runs out or is given back. */
  process(visit: Visit, signal: AbortSignal): Promise<void>;
}

export function createVisitWorker(options: VisitWorkerOptions): VisitWorker {
  const { frontier, clock, log, leaseFor } = options;
  /**
   * Tokens under way in this process: BullMQ may deliver a job twice. The second delivery ends with the first, for its
   * end gives the slot back.
   */
  const underway = new Map<number, Promise<void>>();

  function process(visit: Visit, signal: AbortSignal): Promise<void> {
    const running = underway.get(visit.token) ?? attempt(visit, signal).finally(() => underway.delete(visit.token));
    underway.set(visit.token, running);
    return running;
  }

  async function attempt(visit: Visit, signal: AbortSignal): Promise<void> {
    using lost = linkedAbort(signal);
    const either = lost.signal;
    const keeper = keepLease(visit, lost);
    try {
      if (!(await takeUp(visit))) return;
      const finished = await run(visit, either);
      either.throwIfAborted();
      await options.finish(finished);
    } catch (error) {
      if (signal.aborted || error instanceof NotBegun)
        await frontier.release(visit.token, clock.now()).catch(() => false);
      else if (lost.signal.aborted) log.warn('visit given up: its lease was taken back', { url: visit.url });
      else
        log.error('visit failed', {
          url: visit.url,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
    } finally {
      keeper[Symbol.dispose]();
    }
  }

  /** Says in the frontier that the page is touched from now on, unless that is the user's last wish already. */
  function takeUp({ token }: Visit): Promise<boolean> {
    const until = after(clock.now(), leaseFor);
    return options.draining.aborted ? frontier.renew(token, until) : frontier.begin(token, until);
  }

  async function run(visit: Visit, signal: AbortSignal): Promise<FinishedVisit> {
    if (visit.deaths >= MOST_DEATHS) {
      const detail = `the program ended ${timesWords(visit.deaths)} while this page was visited`;
      return { visit, outcome: { kind: 'crashed', detail, final: true }, crawlDelay: null };
    }
    const refused = await addressRefusal(visit, signal);
    if (refused !== null) return { visit, outcome: refused, crawlDelay: null };
    const asked = clock.monotonic();
    const verdict = await options.gate.verdict(visit.url, signal);
    switch (verdict.kind) {
      case 'disallowed':
        return {
          visit,
          outcome: { kind: 'disallowed', line: verdict.rule },
          crawlDelay: verdict.crawlDelay,
          sitemaps: sitemapsFor(visit, verdict),
        };
      case 'forbidden-for-now':
        return { visit, outcome: forbiddenForNow(verdict), crawlDelay: null };
      case 'unreachable':
        return {
          visit,
          outcome: { kind: 'unreachable', failure: verdict.failure, detail: `robots.txt: ${verdict.detail}` },
          crawlDelay: null,
        };
      case 'blocked':
        return { visit, outcome: { kind: 'blocked-address', detail: verdict.detail }, crawlDelay: null };
      case 'allowed': {
        const { crawlDelay, fetched } = verdict;
        if (fetched) await pause(options.delayOf(visit.host, crawlDelay), signal);
        log.debug('visit begins', { url: visit.url, attempt: visit.attempt, gate: clock.monotonic() - asked });
        const outcome = await options.loadPage(visit, signal);
        return { visit, outcome, crawlDelay, sitemaps: sitemapsFor(visit, verdict), robotsRule: verdict.rule };
      }
    }
  }

  /** @throws {NotBegun} where the crawl is drained meanwhile: the pause may be an hour */
  async function pause(delay: Milliseconds, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(delay, AbortSignal.any([signal, options.draining]));
    } catch (error) {
      signal.throwIfAborted();
      throw options.draining.aborted ? new NotBegun() : error;
    }
  }

  async function addressRefusal(visit: Visit, signal: AbortSignal): Promise<VisitOutcome | null> {
    const { hostName, port } = endpointOf(visit.url);
    const verdict = await options.egress.check(hostName, port, signal);
    switch (verdict.kind) {
      case 'allowed':
        return null;
      case 'blocked':
        return { kind: 'blocked-address', detail: `${verdict.address} is not public (${verdict.range})` };
      case 'unresolvable':
        return { kind: 'unreachable', failure: 'dns', detail: verdict.detail };
    }
  }

  /** Renews the lease while the visit lasts; aborts the visit where the frontier has given it to another. */
  function keepLease(visit: Visit, lost: LinkedAbort): Disposable {
    const timer = setInterval(() => {
      frontier.renew(visit.token, after(clock.now(), leaseFor)).then(
        (held) => {
          if (!held) lost.abort(new Error('the lease was taken back'));
        },
        (error: unknown) => log.warn('lease was not renewed', { url: visit.url, error: String(error) }),
      );
    }, leaseFor / 3);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  return { process };
}

function forbiddenForNow({ why, retryAfter }: Extract<RobotsDecision, { kind: 'forbidden-for-now' }>): VisitOutcome {
  const outcome = { kind: 'unreachable', failure: 'robots', detail: why } as const;
  return retryAfter === undefined ? outcome : { ...outcome, retryAfter };
}

function timesWords(count: number): string {
  return count === MOST_DEATHS ? 'three times' : `${count} times`;
}

/** A robots.txt that a crawl before this one has fetched names them again to the seeds. */
function sitemapsFor(
  { depth }: Visit,
  { fetched, sitemaps }: { readonly fetched: boolean; readonly sitemaps: readonly string[] },
): readonly string[] {
  return fetched || depth === 0 ? sitemaps : [];
}
