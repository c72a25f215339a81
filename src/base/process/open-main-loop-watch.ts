/**
 * Watches the main loop. A timer notices stalls when they are over; a thread acts on those that last: it gives the signals back to
 * the system, reports where the program hangs, and ends the process.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { redactedText } from '../redaction.ts';
import { epochMs, milliseconds, seconds, type Milliseconds } from '../units.ts';
import type { MainLoopWatch, Stall } from './main-loop-watch.ts';
import { WatchMemory } from './watch-memory.ts';

/** Interval of the loop's heartbeat. */
const BEAT_EVERY: Milliseconds = milliseconds(100);
/** A loop whose heartbeat is so late has stalled. */
const STALL: Milliseconds = seconds(1);
/** Characters kept of a noted name. */
const NAME_LENGTH = 300;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** How long the loop may be blocked before the thread acts; counted from the last beat. */
interface WatchdogLimits {
  /** Signals end the process from now on, whatever handlers the program has set, until the loop runs again. */
  readonly release: Milliseconds;
  /** The stall is written to standard error and the log. */
  readonly report: Milliseconds;
  /** The process is ended. */
  readonly end: Milliseconds;
}

const WATCHDOG_LIMITS: WatchdogLimits = { release: seconds(2), report: seconds(10), end: seconds(30) };

/** The place for the thread's message when it ends the process. */
interface LastWords {
  /** The log, one JSON object a line. */
  readonly log: string | null;
}

export interface WatchdogOptions extends WatchdogLimits, LastWords {
  readonly buffer: SharedArrayBuffer;
  readonly every: number;
}

interface MainLoopWatchOptions {
  readonly clock: Clock;
  /** Called for each stall when it is over. */
  readonly onStall: (stall: Stall) => void;
  /** Null where the process belongs to an embedding program: stalls are reported, and the process is not ended. */
  readonly lastWords: LastWords | null;
  readonly limits?: WatchdogLimits;
}

export async function openMainLoopWatch(options: MainLoopWatchOptions): Promise<MainLoopWatch> {
  const watch = new LoopWatch(options);
  if (options.lastWords !== null) await watch.guard(options.lastWords);
  return watch;
}

class LoopWatch implements MainLoopWatch {
  stalls = 0;
  longest: Milliseconds = milliseconds(0);
  lastStall: Stall | null = null;
  readonly #options: MainLoopWatchOptions;
  readonly #memory = new WatchMemory();
  readonly #names = new Map<object, string>();
  readonly #timer: NodeJS.Timeout;
  #last: number;
  /** Names noted at the last beat. */
  #noted: readonly string[] = [];
  #thread: Worker | null = null;
  #listeners = new Map<(typeof SIGNALS)[number], readonly unknown[]>();

  constructor(options: MainLoopWatchOptions) {
    this.#options = options;
    this.#last = options.clock.monotonic();
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY).unref();
  }

  async guard(lastWords: LastWords): Promise<void> {
    const { SOURCE } = await import('./generated/watchdog.ts');
    const limits = this.#options.limits ?? WATCHDOG_LIMITS;
    const workerData: WatchdogOptions = { ...limits, ...lastWords, buffer: this.#memory.buffer, every: BEAT_EVERY };
    this.#thread = new Worker(SOURCE, { eval: true, name: 'orbweaver watchdog', env: {}, execArgv: [], workerData });
    this.#thread.unref();
    this.#thread.on('error', () => {}); // the crawl goes on without the thread as well
  }

  note(what: string): Disposable {
    const key = {};
    this.#names.set(key, redactedText(what.slice(0, NAME_LENGTH)).replaceAll('\n', ' '));
    this.#share();
    return {
      [Symbol.dispose]: () => {
        if (this.#names.delete(key)) this.#share();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread?.terminate();
    this.#thread = null;
  }

  /** Writes the noted names to shared memory, where only the thread reads them. */
  #share(): void {
    if (this.#thread !== null) this.#memory.names = [...this.#names.values()];
  }

  #beat(): void {
    const { clock, onStall } = this.#options;
    const now = clock.monotonic();
    const length = now - this.#last;
    this.#last = now;
    this.#memory.beat();
    const before = this.#noted; // the work that blocked the loop may have ended
    this.#noted = [...this.#names.values()];
    if (this.#thread !== null) this.#keepListeners();
    if (length < STALL) return;
    const stall: Stall = {
      began: epochMs(clock.now() - length),
      length: milliseconds(length),
      during: [...new Set([...before, ...this.#names.values()])],
    };
    this.stalls += 1;
    this.longest = milliseconds(Math.max(this.longest, length));
    this.lastStall = stall;
    onStall(stall);
  }

  /** Puts back the signal listeners, which the thread may have removed in a stall. */
  #keepListeners(): void {
    if (this.#memory.released) {
      this.#memory.released = false;
      for (const [signal, listeners] of this.#listeners)
        for (const listener of listeners)
          if (!process.listeners(signal).some((each) => each === listener))
            Reflect.apply(process.on, process, [signal, listener]);
    }
    for (const signal of SIGNALS) this.#listeners.set(signal, process.listeners(signal));
  }
}
