/** The hosts that asked to be left alone for a while (Retry-After, or 429 and 503 without it), for progress and report: which, until when, and why. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { after, between, type EpochMs, type Milliseconds } from '../../base/units.ts';
import { askedWait, cutWords } from '../../core/politeness/retry-after.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import type { HostWait } from '../crawl.ts';

/** Hosts that are remembered, more than a progress line can show. */
const KEPT = 1000;

export interface HostWaits {
  /** Notes a finished visit whose host asked to wait. @param pause that the host gets, if it names no time; null for none */
  note(finished: { readonly visit: Visit; readonly outcome: VisitOutcome }, pause: Milliseconds | null): void;
  /** Hosts that are waited for now, the longest wait first. */
  current(): readonly HostWait[];
}

/** @param most longest Retry-After that is waited for */
export function createHostWaits(clock: Clock, log: Log, most: Milliseconds): HostWaits {
  const waits = new Map<HostKey, { readonly until: EpochMs; readonly why: string }>();

  function forgetPast(now: EpochMs): void {
    for (const [host, { until }] of waits) if (until <= now) waits.delete(host);
  }

  return {
    note: ({ visit: { host }, outcome }, pause) => {
      const asked = askedWait(outcome, most);
      const wait = asked ?? (outcome.kind === 'throttled' && pause !== null ? { asked: pause, granted: pause } : null);
      if (wait === null) return;
      const now = clock.now();
      const until = after(now, wait.granted);
      const known = waits.get(host);
      if (known !== undefined && known.until >= until) return;
      forgetPast(now);
      const [why, cut] = [reasonOf(outcome, asked === null), cutWords(wait)];
      if (waits.size < KEPT || known !== undefined) waits.set(host, { until, why });
      log.info('host asked to wait', {
        host,
        why,
        until: new Date(until).toISOString(),
        ...(cut === null ? {} : { cut }),
      });
    },
    current: () => {
      const now = clock.now();
      forgetPast(now);
      const all = [...waits].map(([host, { until, why }]) => ({ host, until, left: between(now, until), why }));
      return all.toSorted((one, other) => other.until - one.until);
    },
  };
}

function reasonOf(outcome: VisitOutcome, isUntimed: boolean): string {
  if (outcome.kind !== 'throttled') return 'Retry-After of robots.txt';
  return `${isUntimed ? '' : 'Retry-After, '}${outcome.answer.status}`;
}
