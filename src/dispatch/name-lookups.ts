/**
 * Looks up the names of new hosts, beside the dispatcher: a limited number at a time, so that a name without an answer
 * delays no others (Mercator). The frontier knows which hosts wait, and until when; the number of tries
 * is kept in this process only, and starts again with it.
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
 * Concurrent look-ups: a provider's DNS server bears hundreds, and an unanswered name holds a place for ten seconds. If one name in ten is
 * unanswered, 256 places yield 250 hosts a second; 32 places yielded 30.
 */
export const AT_A_TIME = 256;
/** Longest sleep: other processes may have admitted hosts, and tries become due again. */
const LOOK_EVERY: Milliseconds = seconds(1);

interface NameLookupsOptions {
  readonly frontier: Pick<Frontier, 'awaitingDns' | 'resolved'>;
  readonly egress: Pick<Egress, 'lookUp'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Is a name that could not be resolved tried again? */
  readonly retried: boolean;
  /** Called when more hosts may be due. */
  readonly onAddressed: () => void;
}

export interface NameLookups {
  /**
   * Runs until it is stopped; resolves when no look-up is under way any more.
   * @throws errors of the frontier: look-ups cannot go on without it
   */
  run(signal: AbortSignal): Promise<void>;
  /** Reports that new hosts were admitted. */
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
        // as many hosts as places: there may be more
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
        // only if all places were taken does the loop wait for one
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

  /** Rests until notified, at most one second. */
  async function rest(signal: AbortSignal): Promise<void> {
    using enough = linkedAbort(signal);
    const slept = clock.sleep(LOOK_EVERY, enough.signal).catch(() => {});
    await Promise.race([slept, wake.wait(enough.signal)]);
    enough.abort(null);
    await slept;
  }

  return { run, notify: () => wake.notify() };
}

/** Counts failed look-ups per host, and decides what follows. */
class NameTries {
  readonly #retried: boolean;
  readonly #failures = new Map<HostKey, number>();
  /** Has any name been answered yet? */
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
