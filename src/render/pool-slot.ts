/** One visit's place among the pages at work. It counts while the page computes, and not while it only waits for answers. */
import type { Gauge } from '../base/gauge.ts';
import type { PageSlot } from './idle/page-slot.ts';

interface SlotPool {
  /** Is there room, in number and in memory, for one page more that waits? */
  mayWait(): boolean;
  /** Waits for a free slot. */
  enter(signal: AbortSignal, place?: 'first' | 'last'): Promise<void>;
  leave(): void;
}

export class PoolSlot implements PageSlot {
  readonly #pool: SlotPool;
  readonly #waiting: Gauge;
  #isAway = false;

  /** @param waiting pages that wait without a slot */
  constructor(pool: SlotPool, waiting: Gauge) {
    this.#pool = pool;
    this.#waiting = waiting;
  }

  giveWay(): void {
    if (this.#isAway || !this.#pool.mayWait()) return;
    this.#isAway = true;
    this.#pool.leave();
    this.#waiting.add(1);
  }

  async takeBack(signal: AbortSignal): Promise<void> {
    if (!this.#isAway) return;
    await this.#pool.enter(signal, 'first');
    this.#isAway = false;
    this.#waiting.add(-1);
  }

  /** Called when the visit is over. */
  leave(): void {
    if (this.#isAway) this.#waiting.add(-1);
    else this.#pool.leave();
    this.#isAway = false;
  }
}
