/** Settling in real time: for browsers whose clock we cannot turn. Quiet is: no request waited for, no new nodes. */
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import type { Settle } from '../model/page.ts';
import { runInWorld } from './isolated-world.ts';
import { STALL_LIMIT } from './page-limits.ts';
import type { SettleMode } from './renderer.ts';
import { stopScripts } from './stop-scripts.ts';
import type { SettleOptions, Settling } from './settle.ts';
import type { WarmPage } from './warm-page.ts';

const TICK = milliseconds(100);
/** Quiet for so long, a page is done; "load + 500 ms" misses what comes later, which only virtual time finds cheaply. */
const QUIET = milliseconds(500);

const size = z.number().nonnegative();
const SIZE_SOURCE = "()=>document.readyState==='loading'?0:document.querySelectorAll('*').length";

export class RealSettling implements Settling {
  readonly #page: WarmPage;
  readonly #mode: SettleMode;
  readonly #until: Milliseconds;
  readonly #clock: Clock;
  #spoiled = false;

  constructor(page: WarmPage, { mode, until, clock }: SettleOptions) {
    this.#page = page;
    this.#mode = mode;
    this.#until = until;
    this.#clock = clock;
  }

  get spoiled(): boolean {
    return this.#spoiled;
  }

  async settle(signal: AbortSignal): Promise<Settle> {
    const { watch } = this.#page;
    if (this.#mode.kind === 'auto') return this.#quiet(this.#until, signal);
    while (watch.loadAt === null) {
      if (this.#late()) return { reason: 'timeout', pending: watch.pending() };
      await this.#clock.sleep(TICK, signal);
    }
    if (this.#mode.kind === 'after') await this.#clock.sleep(this.#mode.duration, signal);
    return { reason: 'load', pending: watch.pending() };
  }

  async draw(): Promise<void> {
    // frames come by themselves
  }

  async more(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    this.#page.watch.stirred();
    await this.#clock.sleep(duration, signal);
    await this.#quiet(milliseconds(Math.min(this.#until, this.#clock.monotonic() + QUIET * 4)), signal);
  }

  async halt(signal: AbortSignal): Promise<void> {
    if (!this.#late()) return;
    this.#spoiled = true;
    await stopScripts(this.#page, signal);
  }

  #late(): boolean {
    return this.#clock.monotonic() >= this.#until;
  }

  async #quiet(until: Milliseconds, signal: AbortSignal): Promise<Settle> {
    const { watch } = this.#page;
    let nodes = -1;
    let changedAt = this.#clock.monotonic();
    while (this.#clock.monotonic() < until) {
      await this.#clock.sleep(TICK, signal);
      const seen = await this.#size(signal);
      const awaited = watch.waitedFor().length > 0 && (watch.documentPending() || watch.silence() < STALL_LIMIT);
      if (seen !== nodes || seen <= 0 || awaited) changedAt = this.#clock.monotonic();
      nodes = seen;
      if (this.#clock.monotonic() - changedAt >= QUIET) return { reason: 'quiet', pending: watch.pending() };
    }
    return { reason: 'timeout', pending: watch.pending() };
  }

  /** Elements of the document; -1 where it does not answer. */
  async #size(signal: AbortSignal): Promise<number> {
    const frame = { session: this.#page.session, frameId: this.#page.frameId, url: null };
    const run = { source: SIZE_SOURCE, input: null, parse: (answer: unknown) => size.safeParse(answer).data ?? null };
    return runInWorld(this.#page, frame, run, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
      void error;
      return -1;
    });
  }
}
