/**
 * How soon a domain will be visited again, to judge by the visits so far: pages at rest are too few for all domains, and the one that is
 * needed last should go (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", 1966). To let the longest unused
 * one go is as good where domains come by chance, but where more come in turns than pages may rest, each would find its page gone. Time is
 * counted in visits: what counts is their order, which is the same on a busy machine.
 */
import { LruMap } from '../../base/lru-map.ts';

interface Visits {
  /** The last one, by its number among those of all domains. */
  readonly last: number;
  /** From one to the next; null after the first. */
  readonly between: number | null;
}

/** Domains that are remembered (arbitrary: many times what may rest). */
const REMEMBERED = 2000;
/** Of the visits between two; a domain that has been away for longer has another rhythm by now, or is over. */
const OVERDUE = 2;
/** How much the last interval counts. */
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
   * Visits until its next one, as far as one can tell: by its rhythm; where that is not known, or does not hold any more, a domain is taken
   * to stay away for as long as it has been away: for one that is not remembered all visits so far.
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
