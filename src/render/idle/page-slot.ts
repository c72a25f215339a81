/** The slot of a page that computes. A page that only waits for answers gives it away, and takes one back before it goes on. */
export interface PageSlot {
  /** Gives the slot away, where another page may use it; may be called again and again. */
  giveWay(): void;
  /** Waits until there is a slot for it again, before those that have none yet; at once where it was not given away. */
  takeBack(signal: AbortSignal): Promise<void>;
}
