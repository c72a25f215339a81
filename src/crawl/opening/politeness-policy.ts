/** How a host is treated: the user's options, its Crawl-delay, and whether it is a machine of one's own. */
import { isLoopbackName } from '../../base/loopback-name.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { hostDelay } from '../../core/politeness/host-delay.ts';
import type { RequestRate } from '../../egress/gate/token-buckets.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf, hostNameOf, type HostKey } from '../../model/url/host-key.ts';
import type { VisitCommit } from '../../model/visit-commit.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { USUAL_PACE } from '../../options/politeness-options.ts';

export interface PolitenessPolicy {
  /** Pause between two visits of a host. `crawlDelay` null where robots.txt names none. */
  delayOf(host: HostKey, crawlDelay: Milliseconds | null): Milliseconds;
  /** Pause and slots for the commit of a visit. */
  paceOf(host: HostKey, crawlDelay: Milliseconds | null): Pick<VisitCommit, 'hostDelay' | 'hostSlots'>;
}

/** Loopback by its name: such a host is the user's own machine, and has no delay. */
export function isLoopbackHost(host: HostKey): boolean {
  return isLoopbackName(hostNameOf(host));
}

/** Pause of hosts of which no visit has ended yet: it spaces hosts on one address. None where the crawl is of the user's own machine. */
export function newHostDelay({ delay }: Pick<ParsedOptions, 'delay'>, seeds: readonly CanonicalUrl[]): Milliseconds {
  const isOwn = seeds.every((seed) => isLoopbackHost(hostKeyOf(seed)));
  return milliseconds(delay ?? (isOwn ? 0 : USUAL_PACE.delay));
}

/**
 * The rate of a browser's requests to one host: a hundred at once and twenty a second (design/scheduling,
 * "Requests of a page").
 */
const SUB_REQUESTS: RequestRate = { burst: 100, perSecond: 20 };

/** The egress address of this process, empty where it is not given; null where politeness counts for all processes together. */
export function ownEgress({ perEgressAddress, egressAddress = '' }: ParsedOptions): string | null {
  return perEgressAddress ? egressAddress : null;
}

/**
 * The number of processes that share the rate: those that make visits of the crawl, this one included; where politeness counts for each
 * egress address, those of its own address. It changes while the crawl runs.
 */
export interface RequestShare {
  parts: number;
}

/**
 * The rate of this process: its share of what a host bears, so that all together keep to that.
 * @returns null for hosts without a delay: a user who crawls a machine of his own without a pause wants it at full speed
 */
export function subRequestRate(
  { delay }: Pick<ParsedOptions, 'delay'>,
  share: Readonly<RequestShare>,
): (hostName: string) => RequestRate | null {
  const { burst, perSecond } = SUB_REQUESTS;
  return (hostName) => {
    if ((delay ?? (isLoopbackName(hostName) ? 0 : USUAL_PACE.delay)) === 0) return null;
    // a bucket below one token would never be full enough
    return { burst: Math.max(1, burst / share.parts), perSecond: perSecond / share.parts };
  };
}

/**
 * @param hostConcurrency visits of one host at a time, where its Crawl-delay does not ask for one at a time
 * @param say called once for each host whose Crawl-delay is cut
 */
export function createPolitenessPolicy(
  options: ParsedOptions,
  hostConcurrency: number,
  say: (message: string) => void,
): PolitenessPolicy {
  const reported = new Set<HostKey>();

  function delayOf(host: HostKey, crawlDelay: Milliseconds | null): Milliseconds {
    const configured = milliseconds(options.delay ?? (isLoopbackHost(host) ? 0 : USUAL_PACE.delay));
    const maxCrawlDelay = milliseconds(options.maxCrawlDelay);
    const { delay, cut } = hostDelay({ configured, crawlDelay, maxCrawlDelay });
    if (cut && !reported.has(host)) {
      reported.add(host);
      say(
        `${host} asks for a Crawl-delay of ${(crawlDelay ?? 0) / 1000} s; it was cut to ${options.maxCrawlDelay / 1000} s (--max-crawl-delay)`,
      );
    }
    return delay;
  }

  return {
    delayOf,
    paceOf: (host, crawlDelay) => ({
      hostDelay: delayOf(host, crawlDelay),
      hostSlots: crawlDelay === null || crawlDelay === 0 ? hostConcurrency : 1,
    }),
  };
}
