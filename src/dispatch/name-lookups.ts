/**
 * Looks up the names of new hosts, beside the dispatcher: a bounded number at a time, so that a name that nobody answers for
 * holds up no other (Mercator). Which hosts wait for theirs, and until when, is the frontier's business; how often each was tried
 * is known here only, and begins anew with the process.
 */
import type { Clock } from '../base/clock.ts';
import { linkedAbort } from '../base/linked-abort.ts';
import type { Log } from '../base/log.ts';
import { after, seconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { createWake } from '../base/wake.ts';
import { FIRST_NAME_RETRY_WAITS, NAME_RETRY_WAITS } from '../core/politeness/name-retries.ts';
import type { Egress, NameLookup } from '../egress/egress.ts';
import type { AddressAnswer, Frontier } from '../frontier/frontier.ts';
import { hostNameOf, type HostKey } from '../model/url/host-key.ts';

/**
 * Look-ups at a time: a DNS server of a provider bears hundreds, and one that is slow holds a place for ten seconds. Where one name in ten is such a one,
 * 256 places bring 250 hosts a second, and 32 brought 30.
 */
export const AT_A_TIME = 256;
/** The longest sleep: for hosts that others have admitted, and tries that are due again. */
const LOOK_EVERY: Milliseconds = seconds(1);

interface NameLookupsOptions {
  readonly frontier: Pick<Frontier, 'awaitingDns' | 'resolved'>;
  readonly egress: Pick<Egress, 'lookUp'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Is a name asked for again that could not be found out? */
  readonly retried: boolean;
  /** Hosts may be due that were not. */
  readonly onAddressed: () => void;
}

export interface NameLookups {
  /**
   * Runs until it is stopped; resolves when no look-up is under way any more.
   * @throws whatever the frontier throws: without it nothing can go on
   */
  run(signal: AbortSignal): Promise<void>;
  /** New hosts were admitted. */
  notify(): void;
}

export function createNameLookups(options: NameLookupsOptions): NameLookups {
  const { frontier, egress, clock, log } = options;
  const wake = createWake();
  const underWay = new Map<HostKey, Promise<void>>();
  const tries = new NameTries(options.retried);

  async function run(signal: AbortSignal): Promise<void> {
    using stop = linkedAbort(signal);
    let broken: unknown = null;
    const breakOff = (error: unknown): void => {
      if (stop.signal.aborted) return;
      broken = error;
      stop.abort(error);
    };
    try {
      while (!stop.signal.aborted) {
        const free = AT_A_TIME - underWay.size;
        const hosts = free === 0 ? [] : await frontier.awaitingDns(clock.now(), free);
        for (const host of hosts) begin(host, stop.signal, breakOff);
        // as many as there are places: there may be more
        if (free === 0 || hosts.length < free) await rest(stop.signal);
      }
    } catch (error) {
      breakOff(error);
    }
    await Promise.all(underWay.values());
    if (broken !== null) throw broken instanceof Error ? broken : new Error('the frontier failed', { cause: broken });
  }

  function begin(host: HostKey, signal: AbortSignal, breakOff: (error: unknown) => void): void {
    if (underWay.has(host)) return;
    const task = lookUp(host, signal)
      .catch(breakOff)
      .finally(() => {
        // else there was a place for the one that waits
        if (underWay.size >= AT_A_TIME) wake.notify();
        underWay.delete(host);
      });
    underWay.set(host, task);
  }

  async function lookUp(host: HostKey, signal: AbortSignal): Promise<void> {
    const found = await egress.lookUp(hostNameOf(host), signal);
    const now = clock.now();
    const answer = tries.answerOf(host, found, now);
    if (found.kind === 'failed') log.debug('name was not resolved', { host, detail: found.detail, ...answer });
    await frontier.resolved(host, answer, now);
    if (answer.kind !== 'failed' || answer.nextTry === null) options.onAddressed();
  }

  /** Until it is rung, at most for a second. */
  async function rest(signal: AbortSignal): Promise<void> {
    using enough = linkedAbort(signal);
    const slept = clock.sleep(LOOK_EVERY, enough.signal).catch(() => {});
    await Promise.race([slept, wake.wait(enough.signal)]);
    enough.abort(null);
    await slept;
  }

  return { run, notify: () => wake.notify() };
}

/** How often the names of hosts could not be found out, and what follows from that. */
class NameTries {
  readonly #retried: boolean;
  readonly #failures = new Map<HostKey, number>();
  /** Has anybody answered for a name yet? */
  #wasResolved = false;

  constructor(retried: boolean) {
    this.#retried = retried;
  }

  answerOf(host: HostKey, found: NameLookup, now: EpochMs): AddressAnswer {
    const failed = this.#failures.get(host) ?? 0;
    this.#failures.delete(host);
    this.#wasResolved ||= found.kind !== 'failed' || found.known;
    if (found.kind !== 'failed') return found;
    const waits = this.#wasResolved ? NAME_RETRY_WAITS : FIRST_NAME_RETRY_WAITS;
    const wait = this.#retried && !found.known ? waits[failed] : undefined;
    if (wait === undefined) return { kind: 'failed', nextTry: null };
    this.#failures.set(host, failed + 1);
    return { kind: 'failed', nextTry: after(now, wait) };
  }
}
