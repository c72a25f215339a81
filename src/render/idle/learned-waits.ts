/**
 * Wait times learnt from earlier visits, by URL pattern and by host: a wait that was in vain on some pages is not repeated on similar ones.
 * Bounded: the patterns and hosts longest unused are forgotten.
 */
import { LruMap } from '../../base/lru-map.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { Milliseconds } from '../../base/units.ts';
import { urlShape } from '../../model/url/url-shape.ts';
import { FUTILE_TRIES, LEARNED_HOSTS, LEARNED_PATTERNS, SAMPLE_EVERY } from '../limits/idle-limits.ts';
import { HungOperations } from './hung-operations.ts';

/**
 * Costly waits that pay off on some pages only: time of the real clock for workers and sockets, many frames for pages that go on
 * drawing, a longer wait for a blank page, the second and further answers to polls, a longer wait at the end of a scroll.
 */
export const WAIT_KINDS = ['real-time', 'frames', 'blank-page', 'polls', 'scroll'] as const;
type WaitKind = (typeof WAIT_KINDS)[number];

/** A lesson of one visit about waiting for pages of its pattern, for other processes. */
export interface WaitLesson {
  /** Key of the pattern's pages. */
  readonly cluster: string;
  /** `clock`: whether pages that hang in virtual time hang in real time, too. */
  readonly wait: WaitKind | 'clock';
  /** Did it bring anything? */
  readonly gained: boolean;
}

/** A request hangs because no answer comes (a long poll), or because no script reads the answer. */
type Hanging = 'unanswered' | 'unread';

interface Experience {
  visits: number;
  futile: number;
}

/** Wait times of the pages of one pattern. */
export class PatternWaits {
  readonly #experience = new Map<WaitKind, Experience>();
  readonly #cluster: string;
  readonly #hungOperations: HungOperations;
  readonly #onLearnt: (lesson: WaitLesson) => void;
  #clock: 'virtual' | 'real' | 'hangs' = 'virtual';
  /** Did the last page of this pattern run scripts? Other pages of its host do not tell: drawing a static page of 30,000 links takes seconds. */
  scripted = false;

  /**
   * @param cluster key of the pattern's pages
   * @param hungOperations of their host
   * @param onLearnt called with lessons that others who wait for such pages need
   */
  constructor(cluster: string, hungOperations: HungOperations, onLearnt: (lesson: WaitLesson) => void) {
    this.#onLearnt = onLearnt;
    this.#cluster = cluster;
    this.#hungOperations = hungOperations;
  }

  /** Have pages like this one hung in virtual time and not in real time? */
  get needsRealClock(): boolean {
    return this.#clock === 'real';
  }

  /** May a page that hangs in virtual time be tried again in real time? Not where similar pages hung there, too. */
  get mayTryRealClock(): boolean {
    return this.#clock === 'virtual';
  }

  /** @param hung in real time as well */
  triedRealClock(hung: boolean): void {
    this.#clock = hung ? 'hangs' : 'real';
    this.#onLearnt({ cluster: this.#cluster, wait: 'clock', gained: !hung });
  }

  /** Is an extended wait of this kind likely to bring something? */
  isWorth(waitKind: WaitKind): boolean {
    const known = this.#experience.get(waitKind);
    if (known === undefined) return true;
    known.visits += 1;
    return known.futile < FUTILE_TRIES || known.visits % SAMPLE_EVERY === 0;
  }

  /** @param gained did the wait bring anything? */
  learn(waitKind: WaitKind, gained: boolean): void {
    const known = this.#experience.get(waitKind) ?? { visits: 0, futile: 0 };
    const isNews = gained ? known.futile > 0 : known.futile < FUTILE_TRIES;
    known.futile = gained ? 0 : known.futile + 1;
    this.#experience.set(waitKind, known);
    if (isNews) this.#onLearnt({ cluster: this.#cluster, wait: waitKind, gained });
  }

  /** Takes a lesson of others about such pages. */
  note({ wait, gained }: WaitLesson): void {
    if (wait === 'clock') {
      this.#clock = gained ? 'real' : 'hangs';
      return;
    }
    const known = this.#experience.get(wait) ?? { visits: 0, futile: 0 };
    this.#experience.set(wait, { ...known, futile: gained ? 0 : known.futile + 1 });
  }

  /** Is an operation known to hang on pages like this one? Counted: one page in {@link SAMPLE_EVERY} waits all the same. */
  hangs(how: Hanging, operation: string, now: Milliseconds): boolean {
    return this.#hungOperations.isKnown(keyOf(how, operation), this.#cluster, now);
  }

  /** Notes that a page waited for the operation to the end, and in vain. */
  hung(how: Hanging, operation: string, { url, now }: { readonly url: string; readonly now: Milliseconds }): void {
    this.#hungOperations.hung(keyOf(how, operation), { url, cluster: this.#cluster }, now);
  }

  /** Notes that an operation came to its end on a page, with none that does the same left under way there. */
  ended(operation: string): void {
    this.#hungOperations.ended(keyOf('unanswered', operation));
    this.#hungOperations.ended(keyOf('unread', operation));
  }
}

function keyOf(how: Hanging, operation: string): string {
  return `${how} ${operation}`;
}

export class LearnedWaits {
  /** Called with lessons that others need. */
  onLearnt: (lesson: WaitLesson) => void = () => {};
  readonly #patterns = new LruMap<string, PatternWaits>(LEARNED_PATTERNS);
  readonly #hosts = new LruMap<string, HungOperations>(LEARNED_HOSTS);

  /** The wait times of similar pages; the page's own visit adds to them. */
  of(url: string): PatternWaits {
    const host = parsedUrl(url)?.host ?? '';
    return this.#of(urlShape(url, 'route'), host);
  }

  /** Takes a lesson of others. */
  note(lesson: WaitLesson): void {
    this.#of(lesson.cluster, parsedUrl(lesson.cluster)?.host ?? '').note(lesson);
  }

  #of(cluster: string, host: string): PatternWaits {
    const hungOperations = this.#hosts.getOrMake(host, () => new HungOperations());
    const make = (): PatternWaits => new PatternWaits(cluster, hungOperations, (lesson) => this.onLearnt(lesson));
    return this.#patterns.getOrMake(cluster, make);
  }
}
