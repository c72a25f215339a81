/**
 * The one table of flags. Options of the command line, `--help`, keys of a config file, names in the environment and the
 * table in README.md are made from it. A flag stands here only where its behaviour exists.
 */
import { LOG_LEVELS, OPTION_DEFAULTS, SCOPE_NAMES, SNAPSHOT_PARTS, type CrawlOptions } from '../crawl/options.ts';
import { milliseconds } from '../base/units.ts';
import { flag, type Flag } from './flag.ts';
import * as accept from './kind.ts';
import { durationText, parseDuration } from './quantity.ts';

/** Longest duration of any option: 30 days. */
const LONGEST = 30 * 24 * 3_600_000;
const PRINTABLE = /^[\x20-\x7e]+$/;
const ANY = /\S/;

const settle: accept.Kind<NonNullable<CrawlOptions['settle']>> = accept.single(
  'auto, load, or a duration such as 2s that is waited after the load event',
  'a number or a text',
  (text) => {
    if (text === 'auto' || text === 'load') return { kind: text };
    const duration = parseDuration(text);
    return duration === null || duration > LONGEST ? null : { kind: 'after', duration: milliseconds(duration) };
  },
);

const viewport: accept.Kind<NonNullable<CrawlOptions['viewport']>> = accept.single(
  'width x height in pixels, each from 100 to 8192, as in 1280x800',
  'a text',
  (text) => {
    const [width = 0, height = 0] = /^\d{3,4}x\d{3,4}$/i.test(text) ? text.split(/x/i).map(Number) : [];
    return [width, height].every((side) => side >= 100 && side <= 8192) ? { width, height } : null;
  },
);

export const FLAGS: readonly Flag[] = [
  flag({
    name: 'url',
    argument: '<url>',
    group: 'what',
    option: 'urls',
    kind: accept.texts('an http(s) URL or a folder', ANY),
    help: 'Another seed, as an argument would be; may be given several times.',
  }),
  flag({
    name: 'url-list',
    argument: '<file>',
    group: 'what',
    option: 'urlList',
    kind: accept.pathOrStandardInput('a file with one seed on each line, or - for standard input'),
    help: 'Takes a seed from each line of a file, or of standard input (-); lines that begin with # are left out.',
  }),

  flag({
    name: 'scope',
    argument: '<name>',
    group: 'scope',
    option: 'scope',
    kind: accept.choice(SCOPE_NAMES),
    defaultWords: OPTION_DEFAULTS.scope,
    help: 'How far from the seeds to go: page, prefix (below the seed\'s folder), host, domain (with subdomains), any.',
  }),
  flag({
    name: 'include',
    argument: '<regex>',
    group: 'scope',
    option: 'include',
    kind: accept.regularExpressions(),
    help: 'Visits only URLs that match one of these; seeds always; may be given several times.',
  }),
  flag({
    name: 'exclude',
    argument: '<regex>',
    group: 'scope',
    option: 'exclude',
    kind: accept.regularExpressions(),
    help: 'Skips URLs that match; may be given several times.',
  }),
  flag({
    name: 'extra-hops',
    argument: '<n>',
    group: 'scope',
    option: 'extraHops',
    kind: accept.whole({ min: 0, max: 100 }),
    defaultWords: '0',
    help: 'Visits pages outside the scope that are up to this many links beyond it.',
  }),
  flag({
    name: 'depth',
    short: 'd',
    argument: '<n>',
    group: 'scope',
    option: 'depth',
    kind: accept.whole({ min: 0, max: 10_000 }),
    defaultWords: 'no limit',
    help: 'Follows at most this many links from a seed; 0 visits the seeds alone.',
  }),
  flag({
    name: 'limit',
    argument: '<pages>',
    group: 'scope',
    option: 'limit',
    kind: accept.whole({ min: 1 }),
    defaultWords: 'no limit',
    help: 'Ends the crawl after this many pages.',
  }),
  flag({
    name: 'time-limit',
    argument: '<dur>',
    group: 'scope',
    option: 'timeLimit',
    kind: accept.duration({ min: 1, max: LONGEST }),
    defaultWords: 'no limit',
    help: 'Ends the crawl after this time; pages in flight are finished.',
  }),
  flag({
    name: 'remove-query-params',
    argument: '<names>',
    group: 'scope',
    option: 'removeQueryParams',
    kind: accept.names('names of query parameters with commas between them, as in utm_source,sid'),
    help: 'Drops these query parameters, so that URLs that differ only in them are one page.',
  }),

  flag({
    name: 'delay',
    argument: '<dur>',
    group: 'politeness',
    option: 'delay',
    kind: accept.duration({ min: 0, max: LONGEST }),
    defaultWords: `${durationText(OPTION_DEFAULTS.delay)}; 0 on loopback`,
    help: 'Waits this long from the end of a visit to the start of the next one on the same host.',
  }),
  flag({
    name: 'host-concurrency',
    argument: '<n>',
    group: 'politeness',
    option: 'hostConcurrency',
    kind: accept.whole({ min: 1, max: 64 }),
    defaultWords: `${OPTION_DEFAULTS.hostConcurrency}; the number of workers on loopback`,
    help: 'Visits at most this many pages of one host at a time.',
  }),
  flag({
    name: 'rate-limit',
    argument: '<n/s>',
    group: 'politeness',
    option: 'rateLimit',
    kind: accept.rate({ min: 0, max: 10_000 }),
    defaultWords: 'no limit',
    help: 'Starts at most this many visits a second over all hosts.',
  }),
  flag({
    name: 'max-crawl-delay',
    argument: '<dur>',
    group: 'politeness',
    option: 'maxCrawlDelay',
    kind: accept.duration({ min: 0, max: LONGEST }),
    defaultWords: durationText(OPTION_DEFAULTS.maxCrawlDelay),
    help: 'Cuts a longer Crawl-delay of robots.txt to this, and says so.',
  }),
  flag({
    name: 'no-robots',
    group: 'politeness',
    option: 'robots',
    kind: accept.switchTo(false),
        help: 'Does not ask robots.txt, which is obeyed otherwise; for sites of your own.',
  }),
  flag({
    name: 'robots-agent',
    argument: '<token>',
    group: 'politeness',
    option: 'robotsAgent',
    kind: accept.text('letters, _ and - only (RFC 9309 section 2.2.1)', /^[A-Za-z_-]+$/),
    defaultWords: 'Orbweaver',
    help: 'Looks for this product token in robots.txt.',
  }),
  flag({
    name: 'user-agent',
    argument: '<text>',
    group: 'politeness',
    option: 'userAgent',
    kind: accept.text('printable ASCII', PRINTABLE),
    defaultWords: "the browser's, with Orbweaver and a link to who we are",
    help: 'Replaces the whole User-Agent.',
  }),
  flag({
    name: 'user-agent-suffix',
    argument: '<text>',
    group: 'politeness',
    option: 'userAgentSuffix',
    kind: accept.text('printable ASCII', PRINTABLE),
    help: 'Appends to the User-Agent who crawls and how to reach them.',
  }),
  flag({
    name: 'retries',
    argument: '<n>',
    group: 'politeness',
    option: 'retries',
    kind: accept.whole({ min: 0, max: 20 }),
    defaultWords: String(OPTION_DEFAULTS.retries),
    help: 'Tries a URL this many times again where it failed in passing.',
  }),

  flag({
    name: 'workers',
    short: 'w',
    argument: '<n>',
    group: 'rendering',
    option: 'workers',
    kind: accept.whole({ min: 1, max: 64 }),
    defaultWords: `number of cores, at most ${OPTION_DEFAULTS.maxDefaultWorkers}`,
    help: 'Keeps this many browser pages at work.',
  }),
  flag({
    name: 'settle',
    argument: '<how>',
    group: 'rendering',
    option: 'settle',
    kind: settle,
    defaultWords: 'auto',
    help: 'When a page counts as done: auto (nothing more happens on it), load (its load event), or a time after that event.',
  }),
  flag({
    name: 'settle-timeout',
    argument: '<dur>',
    group: 'rendering',
    option: 'settleTimeout',
    kind: accept.duration({ min: 100, max: LONGEST }),
    defaultWords: durationText(OPTION_DEFAULTS.settleTimeout),
    help: 'Takes a page as it is when it has not settled after this time.',
  }),
  flag({
    name: 'page-timeout',
    argument: '<dur>',
    group: 'rendering',
    option: 'pageTimeout',
    kind: accept.duration({ min: 1000, max: LONGEST }),
    defaultWords: durationText(OPTION_DEFAULTS.pageTimeout),
    help: 'Gives a page up when its visit takes longer than this.',
  }),
  flag({
    name: 'wait-for',
    argument: '<selector>',
    group: 'rendering',
    option: 'waitFor',
    kind: accept.text('a CSS selector', ANY),
    help: 'Waits until an element matches this CSS selector, at most until the settle timeout.',
  }),
  flag({
    name: 'explore',
    argument: '<how>',
    group: 'rendering',
    option: 'explore',
    kind: accept.choice(['none', 'scroll']),
    defaultWords: OPTION_DEFAULTS.explore,
    help: 'What is done on a page to find more links: nothing, or scrolling it to the end.',
  }),
  flag({
    name: 'viewport',
    argument: '<WxH>',
    group: 'rendering',
    option: 'viewport',
    kind: viewport,
    defaultWords: `${OPTION_DEFAULTS.viewport.width}x${OPTION_DEFAULTS.viewport.height} pixels`,
    help: 'Size of the browser window.',
  }),
  flag({
    name: 'header',
    short: 'H',
    argument: '<line>',
    group: 'rendering',
    option: 'headers',
    kind: accept.texts('a header line such as "Name: value"', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*[\x20-\x7e]*$/, true),
    help: "Sends a header to the crawl's own hosts; may be given several times.",
  }),

  flag({
    name: 'output',
    short: 'o',
    argument: '<folder>',
    group: 'output',
    option: 'output',
    kind: accept.path('the path of a folder'),
    defaultWords: './orbweaver-<host>-<yyyymmdd-hhmmss>',
    help: 'Writes the crawl to this folder.',
  }),
  flag({
    name: 'snapshot',
    argument: '<parts>',
    group: 'output',
    option: 'snapshot',
    kind: accept.choices(SNAPSHOT_PARTS),
    defaultWords: OPTION_DEFAULTS.snapshot.join(','),
    help: 'What is kept of each page: html, text, screenshot, with commas between them, or none.',
  }),
  flag({
    name: 'full-page',
    group: 'output',
    option: 'fullPage',
    kind: accept.switchTo(true),
        help: 'Takes screenshots of whole pages in place of the viewport.',
  }),
  flag({
    name: 'resume',
    group: 'output',
    option: 'resume',
    kind: accept.switchTo(true),
    help: 'Goes on with the interrupted crawl in the output folder.',
  }),
  flag({
    name: 'overwrite',
    group: 'output',
    option: 'overwrite',
    kind: accept.switchTo(true),
    help: 'Replaces the crawl in the output folder.',
  }),
  flag({
    name: 'keep-state',
    group: 'output',
    option: 'keepState',
    kind: accept.switchTo(true),
    help: "Keeps the private Redis' files in state/ when the crawl has finished.",
  }),

  flag({
    name: 'redis',
    argument: '<url>',
    group: 'operation',
    option: 'redis',
    kind: accept.text('a URL that begins with redis:// or rediss://', /^rediss?:\/\/./, true),
    defaultWords: 'a private Redis for this crawl',
    help: 'Keeps the state of the crawl in this Redis server.',
    alsoResume: true,
    variables: ['ORBWEAVER_REDIS_URL', 'ORBWEAVER_REDIS'],
  }),
  flag({
    name: 'browser',
    argument: '<path>',
    group: 'operation',
    option: 'browser',
    kind: accept.path("the path of a Chromium, a channel's name, or the ws:// endpoint of a running browser"),
    defaultWords: 'the first Chromium that is found; `doctor` shows it',
    help: "Uses this Chromium: its path, a channel's name, or the endpoint of a running one.",
    alsoResume: true,
  }),
  flag({
    name: 'config',
    short: 'c',
    argument: '<file>',
    group: 'operation',
    option: 'config',
    kind: accept.path('the path of a YAML or JSON file'),
    help: "Reads flags from a YAML or JSON file, under the flags' names without dashes.",
    variables: ['ORBWEAVER_CONFIG'],
  }),
  flag({
    name: 'allow-private',
    argument: '<cidr>',
    group: 'operation',
    option: 'allowPrivate',
    kind: accept.texts('an address or a CIDR block, with an optional port, as in 10.0.0.0/8 or 127.0.0.1:8080', /^\S+$/),
    defaultWords: 'none but the hosts of the seeds',
    help: 'Lets pages reach private addresses in this block; may be given several times.',
  }),
  flag({
    name: 'no-progress',
    group: 'operation',
    option: 'progress',
    kind: accept.switchTo(false),
    help: 'Shows no progress line; failures and the summary stay.',
    alsoResume: true,
  }),
  flag({
    name: 'quiet',
    short: 'q',
    group: 'operation',
    option: 'quiet',
    kind: accept.switchTo(true),
    help: 'Shows errors only, and no summary.',
    alsoResume: true,
  }),
  flag({
    name: 'verbose',
    short: 'v',
    group: 'operation',
    option: 'verbose',
    kind: accept.switchTo(true),
    help: 'Shows a line for each page.',
    alsoResume: true,
  }),
  flag({
    name: 'log-level',
    argument: '<level>',
    group: 'operation',
    option: 'logLevel',
    kind: accept.choice(LOG_LEVELS),
    defaultWords: OPTION_DEFAULTS.logLevel,
    help: `Least level of what goes to the log: ${LOG_LEVELS.join(', ')}.`,
    alsoResume: true,
  }),
  flag({
    name: 'log-json',
    group: 'operation',
    option: 'logJson',
    kind: accept.switchTo(true),
    help: 'Writes the log to standard error, too, one JSON object on each line, in place of the progress line.',
    alsoResume: true,
  }),
  flag({
    name: 'dry-run',
    group: 'operation',
    option: 'dryRun',
    kind: accept.switchTo(true),
    help: 'Checks everything, says what would be done, fetches nothing.',
  }),
];

/** Flags of a command, in the order of the table. */
export function flagsOf(command: 'crawl' | 'resume'): readonly Flag[] {
  return FLAGS.filter((each) => each.commands.includes(command));
}

/** The flag that sets an option of the crawl; null for options that only arguments set (`seeds`). */
export function flagOfOption(option: string): Flag | null {
  return FLAGS.find((each) => each.option === option) ?? null;
}
