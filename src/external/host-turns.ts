/** Makes one request at a time to a host, whatever its scheme and port, with a pause between two: external links are asked without robots.txt. */
import type { Clock } from '../base/clock.ts';
import { isLoopbackName } from '../base/loopback-name.ts';
import { Mutex } from '../base/mutex.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';

/** The pause between the end of a request and the next; this machine needs none. */
const DELAY: Milliseconds = seconds(1);

interface Turn {
  readonly mutex: Mutex;
  /** The monotonic time from which the next request may begin. */
  free: number;
}

export class HostTurns {
  readonly #turns = new Map<string, Turn>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work in the host's turn. @throws what the work throws; the signal's reason */
  take<Result>(hostName: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const turn = this.#turnOf(hostName);
    return turn.mutex.run(async () => {
      signal.throwIfAborted();
      const wait = turn.free - this.#clock.monotonic();
      if (wait > 0) await this.#clock.sleep(milliseconds(wait), signal);
      try {
        return await work();
      } finally {
        this.rest(hostName, isLoopbackName(hostName) ? milliseconds(0) : DELAY);
      }
    });
  }

  /** Sends no request to the host for so long. */
  rest(hostName: string, duration: Milliseconds): void {
    const turn = this.#turnOf(hostName);
    turn.free = Math.max(turn.free, this.#clock.monotonic() + duration);
  }

  #turnOf(hostName: string): Turn {
    const known = this.#turns.get(hostName);
    if (known !== undefined) return known;
    const turn = { mutex: new Mutex(), free: 0 };
    this.#turns.set(hostName, turn);
    return turn;
  }
}
