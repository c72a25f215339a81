/**
 * The given time of one browser: the part of real time that its processes could use (core/starvation/time-given.ts). Deadlines of calls to
 * pages go by it. The processes are not read until a call has waited for {@link FIRST_LOOK}, which is rare on a machine that is not
 * busy. Without knowledge of the processes, given time is real time.
 *
 * Invariant: `#last` is set while, and only while, there are followers.
 */
import type { Clock } from '../base/clock.ts';
import { withDeadline, type MovingDeadline } from '../base/deadline.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { MOST_TIMES, timeGiven, timeHad, type ProcessorLook } from '../core/starvation/time-given.ts';
import { FIRST_LOOK, LOOK_INTERVAL, SCARCE_MEMORY, SCARCE_SHARE, WORKING_SILENCE } from './limits/browser-limits.ts';

/** Shortest time between two looks; a caller that asks sooner gets the result of the last one. */
const LEAST_INTERVAL = LOOK_INTERVAL / 2;

const NEVER = milliseconds(Number.POSITIVE_INFINITY);

/** The time that a call to a page may take. */
interface Allowance {
  readonly limit: Milliseconds;
  /** Time on the monotonic clock at which the visit must go on to its end. From then on the limit is one of real time. */
  readonly latest?: Milliseconds;
  /**
   * Time since the page last showed progress. A page that shows progress is at work and will answer: it has until `latest`, on a slow
   * machine, too. Default: only an answer is progress.
   */
  readonly silence?: () => Milliseconds;
}

export class GivenTime {
  readonly #look: (() => Omit<ProcessorLook, 'at'>) | null;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #followers = 0;
  #last: ProcessorLook | null = null;
  /** Time given while there were followers. */
  #total = 0;
  /** When the browser last got little of the processors; on the monotonic clock. */
  #scarceAt = Number.NEGATIVE_INFINITY;

  /** @param look at the processes of the browser; null where nothing can be known of them */
  constructor(look: (() => Omit<ProcessorLook, 'at'>) | null, clock: Pick<Clock, 'monotonic'>) {
    this.#look = look;
    this.#clock = clock;
  }

  /** Has the browser got little of the processors just now? Known only where a call was waited for. */
  get isScarce(): boolean {
    return this.#clock.monotonic() - this.#scarceAt < SCARCE_MEMORY;
  }

  /** Measures given time from now on; to be disposed of. */
  stopwatch(): Stopwatch {
    return new Stopwatch(this, this.#clock);
  }

  /**
   * Waits for a call until the browser has had the time for it.
   * @throws as {@link withDeadline}
   */
  within<Result>(call: Promise<Result>, what: string, allowance: Allowance, signal: AbortSignal): Promise<Result> {
    return withDeadline(call, what, new PageDeadline(this.stopwatch(), this.#clock, allowance), signal);
  }

  /** Real time in which a page surely gets this limit, as far as is known now; for a limit that the browser itself keeps. */
  realTime(limit: Milliseconds): Milliseconds {
    return this.isScarce ? milliseconds(limit * MOST_TIMES) : limit;
  }

  /** @returns the value from which {@link total} counts on */
  follow(): number {
    this.#followers += 1;
    if (this.#look !== null) this.#last ??= this.#lookAt(this.#look);
    return this.total();
  }

  unfollow(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#last = null;
  }

  /** Given time so far, up to the last look; for followers. */
  total(): number {
    if (this.#look === null) return this.#clock.monotonic();
    const last = this.#last;
    if (last === null || this.#clock.monotonic() - last.at < LEAST_INTERVAL) return this.#total;
    const now = this.#lookAt(this.#look);
    const given = timeGiven(last, now);
    if (given < (now.at - last.at) * SCARCE_SHARE) this.#scarceAt = now.at;
    this.#total += given;
    this.#last = now;
    return this.#total;
  }

  #lookAt(look: () => Omit<ProcessorLook, 'at'>): ProcessorLook {
    return { ...look(), at: this.#clock.monotonic() };
  }
}

/** Counts real time at first, and follows the processes once it has run for long. To be asked often. */
class Stopwatch implements Disposable {
  readonly #time: Pick<GivenTime, 'follow' | 'unfollow' | 'total'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #began: Milliseconds;
  /** Time counted before it followed, and the given time at that moment. */
  #followed: { readonly before: number; readonly from: number } | null = null;
  #over = false;

  constructor(time: Pick<GivenTime, 'follow' | 'unfollow' | 'total'>, clock: Pick<Clock, 'monotonic'>) {
    this.#time = time;
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  get real(): Milliseconds {
    return milliseconds(this.#clock.monotonic() - this.#began);
  }

  get given(): Milliseconds {
    if (this.#followed !== null) {
      const { before, from } = this.#followed;
      return milliseconds(before + this.#time.total() - from);
    }
    const { real } = this;
    if (real < FIRST_LOOK || this.#over) return real;
    // if it is asked late, this program did not run either
    const before = Math.min(real, FIRST_LOOK * 2);
    this.#followed = { before, from: this.#time.follow() };
    return milliseconds(before);
  }

  /** The time that the page has had of a limit, see {@link timeHad}. */
  get had(): Milliseconds {
    const { real, given } = this;
    return timeHad({ real, given });
  }

  passed(limit: Milliseconds): boolean {
    return this.had >= limit;
  }

  [Symbol.dispose](): void {
    if (this.#followed !== null && !this.#over) this.#time.unfollow();
    this.#over = true;
  }
}

class PageDeadline implements MovingDeadline {
  readonly limit: Milliseconds;
  readonly #stopwatch: Stopwatch;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Time on the monotonic clock from which real time alone counts. */
  readonly #latest: Milliseconds;
  readonly #silence: () => Milliseconds;

  constructor(stopwatch: Stopwatch, clock: Pick<Clock, 'monotonic'>, allowance: Allowance) {
    const { limit, latest = NEVER, silence = () => NEVER } = allowance;
    this.#stopwatch = stopwatch;
    this.#clock = clock;
    this.limit = limit;
    this.#latest = latest;
    this.#silence = silence;
  }

  left(): Milliseconds {
    const { real } = this.#stopwatch;
    const untilLatest = Math.max(0, this.#latest - this.#clock.monotonic());
    const untilLimit = Math.max(0, this.limit - real);
    if (untilLimit === 0 && (untilLatest === 0 || this.#isHung())) return milliseconds(0);
    const untilLook = real < FIRST_LOOK ? FIRST_LOOK - real : LOOK_INTERVAL;
    if (real >= FIRST_LOOK) void this.#stopwatch.given; // takes the look in time
    const wait = untilLimit === 0 ? Math.min(untilLook, untilLatest) : Math.min(untilLook, untilLimit);
    return milliseconds(Math.max(1, Math.ceil(wait)));
  }

  #isHung(): boolean {
    if (!this.#stopwatch.passed(this.limit)) return false;
    return this.#latest === NEVER || this.#silence() > WORKING_SILENCE;
  }

  end(): void {
    this.#stopwatch[Symbol.dispose]();
  }
}
