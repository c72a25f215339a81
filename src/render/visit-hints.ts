/**
 * What earlier visits have taught about how to wait, per pattern of address and per host, so that what one page cost its
 * likes need not cost again. Bounded: the patterns and hosts longest unused are forgotten.
 */
import { patternOf } from './address-pattern.ts';

/**
 * Ways of waiting that cost, and that only some pages reward: time of the real clock for workers and sockets, many frames
 * for pages that go on drawing, a longer wait for a page that shows nothing.
 */
export type Effort = 'real-time' | 'frames' | 'patience';

const PATTERN_LIMIT = 2000;
const HOST_LIMIT = 500;
/** Addresses kept of a host. */
const POLL_LIMIT = 50;
/** So many efforts without any gain, and it is left out … */
const FUTILE_TRIES = 2;
/** … but for one visit in so many: pages of one pattern need not be alike. */
const SAMPLE_EVERY = 20;

/** How sure one can be of a long poll; so many quick answers take it back again. */
const POLL_CERTAINTY = 3;

interface Poll {
  /** Waits in vain, less visits in which it was answered. */
  certainty: number;
  asked: number;
}

interface Experience {
  visits: number;
  futile: number;
}

/** What is known of pages of one pattern. */
export class PatternHints {
  readonly #experience = new Map<Effort, Experience>();
  readonly #polls: Map<string, Poll>;
  #clock: 'virtual' | 'real' | 'hangs' = 'virtual';

  constructor(polls: Map<string, Poll>) {
    this.#polls = polls;
  }

  /** Have pages like this one hung in virtual time and not in real time? */
  get needsRealClock(): boolean {
    return this.#clock === 'real';
  }

  /** May one that hangs in virtual time be tried again in real time? Not where its likes hung there too. */
  get mayTryRealClock(): boolean {
    return this.#clock === 'virtual';
  }

  /** @param hung in real time as well */
  triedRealClock(hung: boolean): void {
    this.#clock = hung ? 'hangs' : 'real';
  }

  /** Is an effort likely to bring something? */
  isWorth(effort: Effort): boolean {
    const known = this.#experience.get(effort);
    if (known === undefined) return true;
    known.visits += 1;
    return known.futile < FUTILE_TRIES || known.visits % SAMPLE_EVERY === 0;
  }

  /** @param gained did the effort bring anything? */
  learn(effort: Effort, gained: boolean): void {
    const known = this.#experience.get(effort) ?? { visits: 0, futile: 0 };
    known.futile = gained ? 0 : known.futile + 1;
    this.#experience.set(effort, known);
  }

  /** Was this address found to hang for as long as anybody waited? Counted: one wait in some is made all the same. */
  isLongPoll(url: string): boolean {
    const poll = this.#polls.size === 0 ? undefined : this.#polls.get(patternOf(url));
    if (poll === undefined) return false;
    poll.asked += 1;
    return poll.certainty > 0 && poll.asked % SAMPLE_EVERY !== 0;
  }

  /** It was waited for in vain: next time it is not. */
  stalled(url: string): void {
    const pattern = patternOf(url);
    const known = this.#polls.get(pattern);
    if (known !== undefined) known.certainty = Math.min(POLL_CERTAINTY, known.certainty + 1);
    else if (this.#polls.size < POLL_LIMIT) this.#polls.set(pattern, { certainty: 1, asked: 0 });
  }

  /** It was answered, and not asked again: after all no long poll, but one slow answer. */
  answered(url: string): void {
    const poll = this.#polls.size === 0 ? undefined : this.#polls.get(patternOf(url));
    if (poll !== undefined) poll.certainty = Math.max(-POLL_CERTAINTY, poll.certainty - 1);
  }
}

export class VisitHints {
  readonly #patterns = new Map<string, PatternHints>();
  readonly #hosts = new Map<string, Map<string, Poll>>();

  /** What is known of pages like this one; the page's own visit adds to it. */
  of(url: string): PatternHints {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const polls = used(this.#hosts, host, HOST_LIMIT, () => new Map<string, Poll>());
    return used(this.#patterns, patternOf(url), PATTERN_LIMIT, () => new PatternHints(polls));
  }
}

/** The entry of a key, made where there is none; the one longest unused makes room. */
function used<Value>(map: Map<string, Value>, key: string, limit: number, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
  return value;
}
