/**
 * May a visit be made now? The checks in order: is its page known to end the program, may its address be connected to, does the
 * host's robots.txt allow it, and has the host had its pause since robots.txt was fetched.
 */
import type { Clock } from '../base/clock.ts';
import { after, type EpochMs, type Milliseconds } from '../base/units.ts';
import type { Egress } from '../egress/egress.ts';
import { endpointOf, type HostKey } from '../model/url/host-key.ts';
import type { RobotsNames } from '../model/robots-names.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { RobotsChecker, RobotsDecision } from './robots-checker.ts';

/** Directives of a host's robots.txt for a visit. */
export interface HostDirectives {
  /** Null where robots.txt has none, or was not asked for. */
  readonly crawlDelay: Milliseconds | null;
  /** Paths and sitemaps in robots.txt; reported with the first visits of a host, and after each fetch of robots.txt. */
  readonly names?: RobotsNames;
  /** The rule that allowed the visit, if robots.txt was asked for. */
  readonly robotsRule?: string | null;
  /** Nothing was requested from the host in this visit, not even robots.txt. */
  readonly unasked?: true;
}

type VisitPermission =
  | { readonly kind: 'granted'; readonly directives: HostDirectives }
  | { readonly kind: 'refused'; readonly outcome: VisitOutcome; readonly directives: HostDirectives }
  /** robots.txt was fetched from the host just now, and the next request to it must wait. */
  | { readonly kind: 'not-before'; readonly due: EpochMs };

export interface PermissionOptions {
  readonly egress: Pick<Egress, 'check'>;
  readonly robots: Pick<RobotsChecker, 'verdict'>;
  /** Pause between a host's robots.txt and its first page, which are two requests. */
  readonly delayOf: (host: HostKey, crawlDelay: Milliseconds | null) => Milliseconds;
  readonly clock: Clock;
}

/** Number of sudden ends of the program after which a page is never visited again; after the first it was visited alone. */
export const MOST_DEATHS = 3;

const NO_DIRECTIVES: HostDirectives = { crawlDelay: null };
const UNASKED: HostDirectives = { ...NO_DIRECTIVES, unasked: true };

/** @throws the signal's reason; errors of the store of robots.txt */
export async function visitPermission(
  visit: Visit,
  options: PermissionOptions,
  signal: AbortSignal,
): Promise<VisitPermission> {
  if (visit.deaths >= MOST_DEATHS) return refused(deadly(visit), UNASKED);
  const address = await addressRefusal(visit, options, signal);
  // a name that is not resolved is a failure of its host: all of its pages wait
  if (address !== null) return refused(address, address.kind === 'unreachable' ? NO_DIRECTIVES : UNASKED);
  return byRobots(visit, await options.robots.verdict(visit.url, signal), options);
}

function byRobots(visit: Visit, verdict: RobotsDecision, { delayOf, clock }: PermissionOptions): VisitPermission {
  switch (verdict.kind) {
    case 'disallowed': {
      const directives = { crawlDelay: verdict.crawlDelay, ...namesFor(visit, verdict) };
      const outcome = { kind: 'disallowed', line: verdict.rule } as const;
      return refused(outcome, verdict.asked ? directives : { ...directives, unasked: true });
    }
    case 'forbidden-for-now':
      return refused(forbiddenForNow(verdict));
    case 'unreachable':
      return refused(robotsUnreachable(verdict));
    case 'blocked':
      return refused({ kind: 'blocked-address', detail: verdict.detail }, UNASKED);
    case 'allowed': {
      const { crawlDelay, fetched, rule } = verdict;
      const delay = delayOf(visit.host, crawlDelay);
      if (fetched && delay > 0) return { kind: 'not-before', due: after(clock.now(), delay) };
      return { kind: 'granted', directives: { crawlDelay, ...namesFor(visit, verdict), robotsRule: rule } };
    }
  }
}

function refused(outcome: VisitOutcome, directives: HostDirectives = NO_DIRECTIVES): VisitPermission {
  return { kind: 'refused', outcome, directives };
}

function deadly({ deaths }: Visit): VisitOutcome {
  const times = deaths === MOST_DEATHS ? 'three times' : `${deaths} times`;
  return { kind: 'crashed', detail: `the program ended ${times} while this page was visited`, final: true };
}

async function addressRefusal(
  visit: Visit,
  { egress }: PermissionOptions,
  signal: AbortSignal,
): Promise<VisitOutcome | null> {
  const { hostName, port } = endpointOf(visit.url);
  const verdict = await egress.check(hostName, port, signal);
  switch (verdict.kind) {
    case 'allowed':
      return null;
    case 'blocked':
      return { kind: 'blocked-address', detail: `${verdict.address} is not public (${verdict.range})` };
    case 'unresolvable':
      return { kind: 'unreachable', failure: 'dns', detail: verdict.detail };
  }
}

function robotsUnreachable({ failure, detail }: Extract<RobotsDecision, { kind: 'unreachable' }>): VisitOutcome {
  return { kind: 'unreachable', failure, detail: `robots.txt: ${detail}`, ofRobots: true };
}

function forbiddenForNow({ why, retryAfter }: Extract<RobotsDecision, { kind: 'forbidden-for-now' }>): VisitOutcome {
  const outcome = { kind: 'unreachable', failure: 'robots', detail: why } as const;
  return retryAfter === undefined ? outcome : { ...outcome, retryAfter };
}

/** Names for a host's first visits as well, because robots.txt may have been fetched for a visit never made, or by an earlier crawl. */
function namesFor(
  { firstOfHost }: Visit,
  { fetched, names }: { readonly fetched: boolean; readonly names: RobotsNames },
): Pick<HostDirectives, 'names'> {
  return fetched || firstOfHost ? { names } : {};
}
