/**
 * What earlier visits have taught about how to wait, per pattern of address and per host, so that what one page cost its
 * likes need not cost again. Bounded: the patterns and hosts longest unused are forgotten.
 */
import { LruMap } from '../../base/lru-map.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { urlShape } from '../../model/url/url-shape.ts';
import {
  FUTILE_TRIES,
  LEARNED_HANGS,
  LEARNED_HOSTS,
  LEARNED_PATTERNS,
  MOST_CERTAIN,
  SAMPLE_EVERY,
} from '../limits/idle-limits.ts';

/**
 * Ways of waiting that cost, and that only some pages reward: time of the real clock for workers and sockets, many frames
 * for pages that go on drawing, a longer wait for a page that shows nothing, the second and further answers to polls.
 */
type WaitKind = 'real-time' | 'frames' | 'blank-page' | 'polls';

/** A request hangs because no answer comes (a long poll), or because nobody reads the answer. */
export type Hanging = 'unanswered' | 'unread';

interface Hang {
  /** Waits in vain, less visits in which it ended as it should. */
  certainty: number;
  asked: number;
}

interface Experience {
  visits: number;
  futile: number;
}

/** What pages of one host have in common. */
class HostWaitTimes {
  readonly hangs: Map<string, Hang> = new Map();
}

/** What is known of pages of one pattern. */
export class PatternWaits {
  readonly #experience = new Map<WaitKind, Experience>();
  readonly #host: HostWaitTimes;
  #clock: 'virtual' | 'real' | 'hangs' = 'virtual';
  /** Did the last page of this pattern run scripts? Its host says nothing: to draw a static page of 30,000 links takes seconds. */
  scripted = false;

  constructor(host: HostWaitTimes) {
    this.#host = host;
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

  /** Whether an extended wait of this kind is likely to bring something. */
  isWorth(waitKind: WaitKind): boolean {
    const known = this.#experience.get(waitKind);
    if (known === undefined) return true;
    known.visits += 1;
    return known.futile < FUTILE_TRIES || known.visits % SAMPLE_EVERY === 0;
  }

  /** @param gained whether the wait brought anything */
  learn(waitKind: WaitKind, gained: boolean): void {
    const known = this.#experience.get(waitKind) ?? { visits: 0, futile: 0 };
    known.futile = gained ? 0 : known.futile + 1;
    this.#experience.set(waitKind, known);
  }

  /** Was this address found to hang so for as long as anybody waited? Counted: one wait in some is made all the same. */
  hangs(how: Hanging, url: string): boolean {
    const known = this.#host.hangs.size === 0 ? undefined : this.#host.hangs.get(keyOf(how, url));
    if (known === undefined) return false;
    known.asked += 1;
    return known.certainty > 0 && known.asked % SAMPLE_EVERY !== 0;
  }

  /** It was waited for in vain: next time it is not. */
  hung(how: Hanging, url: string): void {
    const key = keyOf(how, url);
    const known = this.#host.hangs.get(key);
    if (known !== undefined) known.certainty = Math.min(MOST_CERTAIN, known.certainty + 1);
    else if (this.#host.hangs.size < LEARNED_HANGS) this.#host.hangs.set(key, { certainty: 1, asked: 0 });
  }

  /** It did not hang this time: what was seen before may have been one slow answer. */
  answered(how: Hanging, url: string): void {
    const known = this.#host.hangs.size === 0 ? undefined : this.#host.hangs.get(keyOf(how, url));
    if (known !== undefined) known.certainty = Math.max(-MOST_CERTAIN, known.certainty - 1);
  }
}

function keyOf(how: Hanging, url: string): string {
  return `${how} ${urlShape(url, 'route')}`;
}

export class LearnedWaits {
  readonly #patterns = new LruMap<string, PatternWaits>(LEARNED_PATTERNS);
  readonly #hosts = new LruMap<string, HostWaitTimes>(LEARNED_HOSTS);

  /** What is known of pages like this one; the page's own visit adds to it. */
  of(url: string): PatternWaits {
    const host = parsedUrl(url)?.host ?? '';
    const shared = this.#hosts.getOrMake(host, () => new HostWaitTimes());
    return this.#patterns.getOrMake(urlShape(url, 'route'), () => new PatternWaits(shared));
  }
}
