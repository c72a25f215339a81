/** Settings of the group `politeness`: the pace of requests to a host, and the identity that they state. */
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import { durationText } from './quantity-grammar.ts';
import { text } from './text-type.ts';
import { duration, rate, switchTo, whole } from './value-type.ts';

const { option, defaulted } = rowsOf('politeness');

/** Defaults where the host is not loopback. Milliseconds; visits of one host at a time. */
export const USUAL_PACE = { delay: 1000, hostConcurrency: 1 } as const;

const PRINTABLE = {
  accepts: 'printable ASCII',
  pattern: /^[\x20-\x7e]+$/,
  must: 'may hold printable ASCII only',
} as const;

export const POLITENESS_OPTIONS = {
  /** Pause from the end of a visit to the start of the host's next one; default 1000, 0 where the host is loopback. */
  delay: option({
    type: duration(0),
    flag: '--delay <dur>',
    otherwise: `${durationText(USUAL_PACE.delay)}; 0 on loopback`,
    help: 'Waits this long from the end of a visit to the start of the next one on the same host.',
  }) as OptionRow<number>,
  /** Visits of one host at a time; default 1, the number of workers where all seeds are loopback. */
  hostConcurrency: option({
    type: whole({ min: 1, max: 64 }),
    flag: '--host-concurrency <n>',
    otherwise: `${USUAL_PACE.hostConcurrency}; the number of workers on loopback`,
    help: 'Visits at most this many pages of one host at a time.',
  }) as OptionRow<number>,
  /** Visits a second over all hosts. */
  rateLimit: option({
    type: rate(10_000),
    flag: '--rate-limit <n/s>',
    otherwise: 'no limit',
    help: 'Starts at most this many visits a second over all hosts.',
  }) as OptionRow<number>,
  /** A longer Crawl-delay is cut to this, with a note; default 30,000. */
  maxCrawlDelay: defaulted({
    type: duration(0),
    flag: '--max-crawl-delay <dur>',
    default: 30_000,
    help: 'Cuts a longer Crawl-delay of robots.txt to this, and says so.',
  }) as DefaultedRow<number>,
  /** A host that asks to wait for longer (Retry-After) is asked again after this, with a note; default an hour. */
  maxRetryAfter: defaulted({
    type: duration(0),
    flag: '--max-retry-after <dur>',
    default: 3_600_000,
    help: 'Asks a host again after this at the latest, however long it asks to wait (Retry-After), and says so.',
  }) as DefaultedRow<number>,
  /** Count delays and places of a host for each egress address of the crawl's processes; default false. */
  perEgressAddress: defaulted({
    type: switchTo(true),
    flag: '--per-egress-address',
    default: false,
    help: 'Counts delays and visits at a time of a host for each --egress-address of the workers, and not for all of them together.',
  }) as DefaultedRow<boolean>,
  /** Ask robots.txt and obey it; default true. */
  robots: defaulted({
    type: switchTo(false),
    flag: '--no-robots',
    default: true,
    help: 'Does not ask robots.txt, which is obeyed otherwise; for sites of your own.',
  }) as DefaultedRow<boolean>,
  /** Product token to look for in robots.txt. */
  robotsAgent: option({
    type: text({
      accepts: 'letters, _ and - only (RFC 9309 section 2.2.1)',
      pattern: /^[A-Za-z_-]+$/,
      must: 'may hold letters, _ and - only (RFC 9309 section 2.2.1)',
    }),
    flag: '--robots-agent <token>',
    otherwise: 'Orbweaver',
    help: 'Looks for this product token in robots.txt.',
  }) as OptionRow<string>,
  /** Replaces the whole User-Agent. */
  userAgent: option({
    type: text(PRINTABLE),
    flag: '--user-agent <text>',
    otherwise: "the browser's, with Orbweaver and a link to who we are",
    help: 'Replaces the whole User-Agent.',
  }) as OptionRow<string>,
  /** Appended to the User-Agent: who crawls, and how to reach them. */
  userAgentSuffix: option({
    type: text(PRINTABLE),
    flag: '--user-agent-suffix <text>',
    help: 'Appends to the User-Agent who crawls and how to reach them.',
  }) as OptionRow<string>,
  /** Further tries of a URL that failed temporarily; default 2. */
  retries: defaulted({
    type: whole({ min: 0, max: 20 }),
    flag: '--retries <n>',
    default: 2,
    help: 'Tries a URL this many times again where it failed in passing.',
  }) as DefaultedRow<number>,
};
