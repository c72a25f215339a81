/** Buffers items and hands them on together, in their order, when their count, bytes or age reach a limit, or on `flush()`. */
import type { Bytes, Milliseconds } from '../base/units.ts';

export interface BatchLimits {
  readonly items: number;
  readonly bytes: Bytes;
  /** Age of the oldest waiting item. */
  readonly age: Milliseconds;
}

export class Batch<Item> {
  readonly #limits: BatchLimits;
  readonly #handOn: (items: readonly Item[]) => void;
  #items: Item[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: BatchLimits, handOn: (items: readonly Item[]) => void) {
    this.#limits = limits;
    this.#handOn = handOn;
  }

  /** @param bytes size of the item */
  add(item: Item, bytes: number): void {
    this.#items.push(item);
    this.#bytes += bytes;
    if (this.#items.length >= this.#limits.items || this.#bytes >= this.#limits.bytes) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#limits.age).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    this.#handOn(items);
  }
}
