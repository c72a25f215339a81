/**
 * Remembers requests of a host that were waited for in vain, and on which pages. One slow answer proves nothing: a request is known to hang once
 * several pages of a cluster, or more pages of the host, have waited for it to the end, and none has had its answer since. The knowledge
 * decays, and one page in some waits all the same, so that a change is noticed.
 */
import { LruMap } from '../../base/lru-map.ts';
import type { Milliseconds } from '../../base/units.ts';
import {
  HANG_MEMORY,
  HANG_PAGES,
  HANG_PAGES_OF_HOST,
  LEARNED_OPERATIONS,
  SAMPLE_EVERY,
} from '../limits/idle-limits.ts';

/** A page that waited: its address, and the cluster of pages it belongs to. */
interface WaitingPage {
  readonly url: string;
  readonly cluster: string;
}

interface Hang {
  /** Clusters of the pages that waited in vain, by address of the page. */
  readonly pages: Map<string, string>;
  /** How often pages have asked whether it is known to hang. */
  asked: number;
  /** When a page waited in vain last; on the monotonic clock. */
  lastAt: Milliseconds;
}

export class HungOperations {
  readonly #hangs = new LruMap<string, Hang>(LEARNED_OPERATIONS);
  /** Operations that came to their end on some page: a server that is slow for a while is more likely than a poll. */
  readonly #ended = new LruMap<string, true>(LEARNED_OPERATIONS);

  /** Is it known to hang on pages like this one? Counted: one page in {@link SAMPLE_EVERY} waits all the same. */
  isKnown(operation: string, cluster: string, now: Milliseconds): boolean {
    const hang = this.#hangs.get(operation);
    if (hang === undefined) return false;
    if (now - hang.lastAt > HANG_MEMORY) {
      this.#hangs.delete(operation);
      return false;
    }
    const ofCluster = [...hang.pages.values()].filter((other) => other === cluster).length;
    const factor = this.#ended.get(operation) === true ? 2 : 1;
    if (ofCluster < HANG_PAGES * factor && hang.pages.size < HANG_PAGES_OF_HOST * factor) return false;
    hang.asked += 1;
    return hang.asked % SAMPLE_EVERY !== 0;
  }

  /** Notes that a page waited for the operation to the end, and in vain. */
  hung(operation: string, { url, cluster }: WaitingPage, now: Milliseconds): void {
    const hang = this.#hangs.getOrMake(operation, () => ({ pages: new Map(), asked: 0, lastAt: now }));
    hang.lastAt = now;
    if (hang.pages.size < HANG_PAGES_OF_HOST * 2) hang.pages.set(url, cluster);
  }

  /** Notes that the operation came to its end on a page. */
  ended(operation: string): void {
    this.#hangs.delete(operation);
    this.#ended.set(operation, true);
  }
}
