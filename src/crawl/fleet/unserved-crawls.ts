/** The crawls that a worker of all crawls could not serve, and when it tries again: it may be the only worker of a crawl that waits for it. */
import type { Clock } from '../../base/clock.ts';
import { CrawlError, type ErrorCode } from '../../base/errors.ts';
import { milliseconds, minutes, seconds, type Milliseconds } from '../../base/units.ts';

/** The pause before the first further try, and the longest; it is doubled from try to try (arbitrary). */
const FIRST_PAUSE = seconds(10);
const LONGEST_PAUSE = minutes(10);
/** A crawl that is announced and not there for so long is in another database (arbitrary). One that begins, or ends, is so for a moment. */
const MISSING_TIME = seconds(10);
/** Looks that lie further apart are no look after another: the crawl was served in between (arbitrary). */
const LONGEST_GAP = seconds(5);

/** What may be over by itself. Other errors are the same for as long as the crawl is led as it is. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'STORAGE_UNUSABLE',
  'STORAGE_FAILED',
  'DISK_FULL',
  'OUTPUT_UNUSABLE',
  'NOTHING_TO_RESUME', // a shared folder that is not there yet
  'BROWSER_UNUSABLE',
  'PROXY_UNUSABLE',
  'REDIS_UNREACHABLE',
  'REDIS_UNFIT',
]);

interface Missing {
  readonly since: Milliseconds;
  readonly seen: Milliseconds;
  readonly isTold: boolean;
}

interface Failure {
  /** Null where it is not tried again until another process leads the crawl. */
  readonly pause: Milliseconds | null;
  readonly at: Milliseconds;
}

export class UnservedCrawls {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failures = new Map<string, Failure>();
  readonly #missing = new Map<string, Missing>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Forgets crawls that nobody leads any more. @param led those that somebody leads */
  keep(led: readonly string[]): void {
    for (const known of [this.#failures, this.#missing])
      for (const crawl of known.keys()) if (!led.includes(crawl)) known.delete(crawl);
  }

  isTried(crawl: string): boolean {
    const failure = this.#failures.get(crawl);
    if (failure === undefined) return true;
    return failure.pause !== null && this.#clock.monotonic() - failure.at >= failure.pause;
  }

  /**
   * A look has found nothing of a crawl that somebody leads.
   * @returns is the user to be told? Once, where that lasts
   */
  isMissing(crawl: string): boolean {
    const now = this.#clock.monotonic();
    const last = this.#missing.get(crawl);
    const before = last !== undefined && now - last.seen <= LONGEST_GAP ? last : { since: now, isTold: false };
    const isToTell = !before.isTold && now - before.since >= MISSING_TIME;
    this.#missing.set(crawl, { since: before.since, seen: now, isTold: before.isTold || isToTell });
    return isToTell;
  }

  /** @param lasted how long the crawl was served before @returns the pause before the next try; null for none */
  failed(crawl: string, error: unknown, lasted: Milliseconds): Milliseconds | null {
    const before = lasted > LONGEST_PAUSE ? null : (this.#failures.get(crawl)?.pause ?? null);
    const next = before === null ? FIRST_PAUSE : milliseconds(Math.min(2 * before, LONGEST_PAUSE));
    const pause = error instanceof CrawlError && !PASSING.has(error.code) ? null : next;
    this.#failures.set(crawl, { pause, at: this.#clock.monotonic() });
    return pause;
  }
}
