/**
 * Predicts from past visits how soon a domain is visited again. Resting pages are too few for all domains; the one that is needed last should
 * go (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", 1966). LRU is as good if domains come by chance, but
 * if more domains take turns than pages may rest, each would find its page gone. Time is counted in visits: their order is the same on a
 * busy machine.
 */
import { LruMap } from '../../base/lru-map.ts';

interface Visits {
  /** Number of its last visit among those of all domains. */
  readonly last: number;
  /** Interval from one visit to the next; null after the first. */
  readonly between: number | null;
}

/** Domains remembered (arbitrary: many times the pages that may rest). */
const REMEMBERED = 2000;
/** Multiple of the interval; a domain that has been away for longer has another rhythm by now, or is finished. */
const OVERDUE = 2;
/** Weight of the last interval. */
const WEIGHT = 0.5;

export class VisitRhythm<Domain> {
  readonly #domains = new LruMap<Domain, Visits>(REMEMBERED);
  #visits = 0;

  /** A visit begins. */
  visited(domain: Domain): void {
    const last = ++this.#visits;
    const before = this.#domains.peek(domain);
    this.#domains.set(domain, { last, between: before === undefined ? null : nextInterval(before, last) });
  }

  /**
   * Estimated visits until its next one, by its interval. If that is unknown or overdue, the domain is assumed to stay away for as long as
   * it has been away; one that is not remembered has been away for all visits so far.
   */
  untilNext(domain: Domain): number {
    const { last, between } = this.#domains.peek(domain) ?? { last: 0, between: null };
    const away = this.#visits - last;
    return between === null || away > between * OVERDUE ? away : Math.max(0, between - away);
  }
}

function nextInterval({ last, between }: Visits, now: number): number {
  const passed = now - last;
  return between === null ? passed : between + WEIGHT * (passed - between);
}
