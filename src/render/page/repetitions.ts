/** Counts how often one visit of a page has asked for the same: a poll goes on for ever, and no page is waited for because of one. */
import { CHAIN_COUNT, POLL_COUNT, RETRY_COUNT, STREAM_COUNT } from '../limits/idle-limits.ts';
import { isData, OPENED, type WatchedRequest } from './watched-request.ts';

/** The fields of a request that it is counted by. */
type Counted = Pick<WatchedRequest, 'type' | 'operation' | 'again'>;

interface Times {
  asked: number;
  failures: number;
}

export class Repetitions {
  readonly #times = new Map<string, Times>();
  /** Keys of data that were asked for, and of which no request has ended since. */
  readonly #underWay = new Set<string>();

  clear(): void {
    this.#times.clear();
    this.#underWay.clear();
  }

  /** Forgets everything except polls that go on. */
  restart(pending: Iterable<Counted>): void {
    const polls = new Set([...pending].filter((request) => this.isPoll(request)).flatMap(keysOf));
    for (const key of this.#times.keys()) if (!polls.has(key)) this.#times.delete(key);
  }

  /** Counts a request, unless it can be no poll. */
  count(request: Counted): void {
    for (const key of mayBePoll(request) ? keysOf(request) : []) this.#countKey(key);
  }

  /**
   * Counts a request that begins. Data asked for beside the same counts once until one of them has ended: a page that asks for all entries
   * of a list at once, or for one icon at many places, does not wait for an answer and ask again, as a poll does.
   */
  begin(request: Counted): void {
    if (!isData(request)) return this.count(request);
    for (const key of keysOf(request)) {
      if (!this.#underWay.has(key)) this.#countKey(key);
      this.#underWay.add(key);
    }
  }

  /** Notes that a request has ended: what is asked for from now on may be asked for because of it. */
  end(request: Counted): void {
    for (const key of isData(request) ? keysOf(request) : []) this.#underWay.delete(key);
  }

  #countKey(key: string): void {
    const times = this.#times.get(key) ?? { asked: 0, failures: 0 };
    times.asked += 1;
    this.#times.set(key, times);
  }

  /** Uncounts a failed request for data, up to a limit: it is asked for again with good reason, if not for ever. */
  countFailure(request: Counted): void {
    for (const key of isData(request) ? keysOf(request) : []) {
      const times = this.#times.get(key);
      if (times === undefined || times.failures >= RETRY_COUNT) continue;
      times.asked = Math.max(0, times.asked - 1); // of requests beside each other one was counted
      times.failures += 1;
    }
  }

  /** Is it the very same request again and again, a chain of requests without end, or a stream or a socket that fails? */
  isPoll(request: Counted): boolean {
    if (!mayBePoll(request)) return false;
    const [operation, again] = keysOf(request);
    if (OPENED.has(request.type)) return this.#asked(again) >= STREAM_COUNT;
    return this.#asked(operation) >= CHAIN_COUNT || this.#asked(again) >= POLL_COUNT;
  }

  #asked(key: string | undefined): number {
    return key === undefined ? 0 : (this.#times.get(key)?.asked ?? 0);
  }
}

function mayBePoll(request: Counted): boolean {
  return isData(request) || OPENED.has(request.type);
}

/** The operation of a request, and its exact contents where they are known. */
function keysOf({ operation, again }: Counted): readonly string[] {
  return again === null ? [operation] : [operation, `again ${again}`];
}
