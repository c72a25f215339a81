/** The figures of a running crawl, read from the frontier a few times a second, so that a display of them need not wait. */
import type { Clock } from '../../base/clock.ts';
import type { Disposal } from '../../base/disposal.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';
import type { Frontier, FrontierTotals, HostState } from '../../frontier/frontier.ts';
import type { CrawlProgress, CrawlTotals, HostWait, QueuedHost } from '../crawl.ts';

const ASK_EVERY = milliseconds(250);
/** Every 4th question also looks for the slowest host: with many visits under way that takes Redis some milliseconds. */
const SLOWEST_EVERY = 4;
const RATE_WINDOW = seconds(30);
/** An answer that takes longer is told: Redis stands still, or cannot be reached (arbitrary). */
const LATE_ANSWER = seconds(5);

export interface ProgressSource {
  readonly frontier: Frontier;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the questions as well: a crawl that does not start has nobody else to do so. */
  readonly disposal: Pick<Disposal, 'defer'>;
  readonly visiting: () => number;
  readonly stopping: () => boolean;
  /** Pages that the limit leaves; null without a limit. */
  readonly pagesLeft: () => number | null;
  /** Time that the limit leaves; null without a limit. */
  readonly timeLeft: () => Milliseconds | null;
  readonly delayOf: (host: HostState['host']) => Milliseconds;
  readonly hostsWaiting: () => readonly HostWait[];
}

export interface ProgressWatch extends Disposable {
  /** Takes the totals at the start of the run: they hold until the frontier has answered, which it may never do. */
  begin(atStart: FrontierTotals): CrawlTotals;
  current(): CrawlProgress;
}

export const NO_TOTALS: CrawlTotals = { discovered: 0, visited: 0, failed: 0, skipped: 0, queued: 0 };

/**
 * The frontier's totals as crawl.json has them: a leased URL is not done, so it counts as queued.
 * @param shownAsSkipped queued URLs that skipped.jsonl has lines of (crawl/folder/end-books.ts)
 */
export function crawlTotals(
  { discovered, visited, failed, skipped, queued, leased }: FrontierTotals,
  shownAsSkipped = 0,
): CrawlTotals {
  return { discovered, visited, failed, skipped: skipped + shownAsSkipped, queued: queued + leased - shownAsSkipped };
}

/** Hosts that are named one by one. */
const NAMED_HOSTS = 5;

/** The hosts with the most queued, the one with the most first. */
export async function hostsWithMostQueued(frontier: Pick<Frontier, 'slowestHosts'>): Promise<readonly QueuedHost[]> {
  const hosts = (await frontier.slowestHosts(NAMED_HOSTS)).map(({ host, queued }) => ({ host, queued }));
  return hosts.filter(({ queued }) => queued > 0).toSorted((one, other) => other.queued - one.queued);
}

export function watchProgress(source: ProgressSource): ProgressWatch {
  const { clock, frontier } = source;
  const startedAt = clock.monotonic();
  let samples: readonly { readonly at: number; readonly ended: number }[] = [];
  let totals = NO_TOTALS;
  let slowest: HostState | null = null;
  let askedAt: Milliseconds | null = null;
  let asked = 0;

  async function ask(): Promise<void> {
    if (askedAt !== null) return;
    askedAt = clock.monotonic();
    try {
      const frontierTotals = await frontier.totals();
      totals = crawlTotals(frontierTotals);
      if (asked % SLOWEST_EVERY === 0) slowest = await slowestOf(frontierTotals);
      asked += 1;
      const now = clock.monotonic();
      const ended = totals.visited + totals.failed;
      samples = [...samples.filter(({ at }) => now - at <= RATE_WINDOW), { at: now, ended }];
    } catch (error) {
      source.log.debug('no figures', { error: String(error) });
    } finally {
      askedAt = null;
    }
  }

  function redisSilence(): number | null {
    const silence = askedAt === null ? 0 : clock.monotonic() - askedAt;
    return silence > LATE_ANSWER ? silence : null;
  }

  /** One host alone has nothing to be compared with. */
  async function slowestOf({ hosts }: FrontierTotals): Promise<HostState | null> {
    const [first = null] = hosts > 1 ? await frontier.slowestHosts(1) : [];
    return first;
  }

  function pagesPerSecond(): number {
    const [first] = samples;
    const last = samples.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return ((last.ended - first.ended) * 1000) / (last.at - first.at);
  }

  function timeLeft(rate: number): number | null {
    const pages = source.pagesLeft();
    const byPages = pages === null || rate === 0 ? null : (Math.max(0, pages) * 1000) / rate;
    const byTime = source.timeLeft();
    if (byPages === null) return byTime;
    return byTime === null ? byPages : Math.min(byPages, byTime);
  }

  const timer = setInterval(() => void ask(), ASK_EVERY); // `ask` catches everything itself
  source.disposal.defer(() => clearInterval(timer));
  return {
    begin: (atStart) => {
      totals = crawlTotals(atStart);
      return totals;
    },
    current: () => {
      const rate = pagesPerSecond();
      return {
        totals,
        visiting: source.visiting(),
        elapsed: clock.monotonic() - startedAt,
        pagesPerSecond: rate,
        slowestHost:
          slowest === null ? null : { host: slowest.host, queued: slowest.queued, delay: source.delayOf(slowest.host) },
        hostsWaiting: source.hostsWaiting(),
        timeLeft: timeLeft(rate),
        redisSilence: redisSilence(),
        stopping: source.stopping(),
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
