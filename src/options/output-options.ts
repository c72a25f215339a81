/** Settings of the groups `content`, `output` and `operation`: the contents to keep, their places, and the programs to use. */
import { AXE_CHOICES, type AxeChoice } from '../model/accessibility.ts';
import { LEAST_THRESHOLD } from '../core/fingerprint/banding.ts';
import { STORAGE_PLACE } from '../storage/storage-place.ts';
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import * as textType from './text-type.ts';
import * as type from './value-type.ts';

const content = rowsOf('content');
const output = rowsOf('output');
const operation = rowsOf('operation');

const SNAPSHOT_PARTS = ['html', 'text', 'screenshot', 'warc'] as const;
export type SnapshotPart = (typeof SNAPSHOT_PARTS)[number];
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The port that exporters of OpenTelemetry have. */
const METRICS_PLACE = '127.0.0.1:9464';

export const OUTPUT_OPTIONS = {
  /** The similarity from which a page is recorded as a duplicate, 0.5 to 1; default 0.9. */
  nearDuplicates: content.defaulted({
    type: type.decimal({ min: LEAST_THRESHOLD, max: 1 }),
    flag: '--near-duplicates <similarity>',
    default: 0.9,
    help: 'Records a page as a duplicate where its text is this much like that of an earlier one; 1 is the same text.',
  }) as DefaultedRow<number>,
  /** Follow the links of duplicates, too. */
  followDuplicates: content.defaulted({
    type: type.switchTo(true),
    flag: '--follow-duplicates',
    default: false,
    help: 'Follows the links of duplicates, too: those of pages that are 0.95 alike or more are only recorded without it.',
  }) as DefaultedRow<boolean>,

  /** Folder to write; default `./orbweaver-<host>-<yyyymmdd-hhmmss>`. */
  output: output.option({
    type: textType.path('the path of a folder'),
    flag: '-o, --output <folder>',
    otherwise: './orbweaver-<host>-<yyyymmdd-hhmmss>',
    help: 'Writes the crawl to this folder.',
  }) as OptionRow<string>,
  /** Contents to keep of each page; default `html` and `text`. */
  snapshot: output.defaulted({
    type: type.choices(SNAPSHOT_PARTS),
    flag: '--snapshot <parts>',
    default: ['html', 'text'],
    help: 'What is kept of each page: html, text, screenshot as files; warc: an archive of all that was sent and received; or none.',
  }) as DefaultedRow<readonly SnapshotPart[]>,
  /** Keep html, text and screenshots in an S3-compatible storage in place of the folder: `s3://bucket/prefix`. */
  snapshotStorage: output.option({
    type: textType.text({
      accepts: 's3://bucket or s3://bucket/prefix, of letters, digits, dots and dashes',
      pattern: STORAGE_PLACE,
      must: 'must be s3://bucket or s3://bucket/prefix',
    }),
    flag: '--snapshot-storage <place>',
    otherwise: 'the output folder',
    help: 'Keeps html, text and screenshots in this S3-compatible storage, named by AWS_ENDPOINT_URL; gather brings them to the folder.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** Take screenshots of whole pages in place of the viewport. */
  fullPage: output.defaulted({
    type: type.switchTo(true),
    flag: '--full-page',
    default: false,
    help: 'Takes screenshots of whole pages in place of the viewport.',
  }) as DefaultedRow<boolean>,
  /** Go on with the crawl in `output`, which was interrupted or ended at a limit. */
  resume: output.defaulted({
    type: type.switchTo(true),
    flag: '--resume',
    default: false,
    help: 'Goes on with the crawl in the output folder, which was interrupted or ended at a limit.',
  }) as DefaultedRow<boolean>,
  /** Replace the crawl in `output`. */
  overwrite: output.defaulted({
    type: type.switchTo(true),
    flag: '--overwrite',
    default: false,
    help: 'Replaces the crawl in the output folder.',
  }) as DefaultedRow<boolean>,
  /** Keep the private Redis' files when the crawl has finished. */
  keepState: output.defaulted({
    type: type.switchTo(true),
    flag: '--keep-state',
    default: false,
    help: 'Keeps the state of the crawl (state/, or its keys in --redis) as it is when it has finished.',
  }) as DefaultedRow<boolean>,
  /** Keep no state of a crawl that ended at a limit: it cannot go on. */
  discardState: output.defaulted({
    type: type.switchTo(true),
    flag: '--discard-state',
    default: false,
    help: 'Keeps no state of a crawl that ended at a limit with something queued, so that it cannot go on.',
    alsoResume: true,
  }) as DefaultedRow<boolean>,
  /** Record the facts of each page that audits need (details.jsonl); the command line audits the crawl when it has ended. */
  audit: output.defaulted({
    type: type.switchTo(true),
    flag: '--audit',
    default: false,
    help: 'Records more of each page (details.jsonl), and audits the crawl when it has ended: writes findings.jsonl and prints what was found.',
    alsoResume: true,
  }) as DefaultedRow<boolean>,

  /** Check accessibility by axe-core, on all pages or on one of each page template; default not at all. Needs `audit`. */
  axe: output.option({
    type: type.choiceOr(AXE_CHOICES, 'all', 'all or template; write what is audited before the flag, or --axe=all'),
    flag: '--axe [pages]',
    otherwise: 'none; all where no word is given',
    help: 'Checks accessibility by the package axe-core, in the browser: on all pages, or on one of each page template (template).',
  }) as OptionRow<AxeChoice>,
  /** Measure paint in real time when the crawl has ended: one page of each template, three loads. Needs `audit`. */
  measure: output.defaulted({
    type: type.switchTo(true),
    flag: '--measure',
    default: false,
    help: 'Measures paint (LCP, CLS, long tasks) when the crawl has ended: one page of each template, three loads in real time.',
  }) as DefaultedRow<boolean>,

  /** A Redis server for the state of the crawl; default a private one. */
  redis: operation.option({
    type: textType.text({
      accepts: 'a URL that begins with redis:// or rediss://',
      pattern: /^rediss?:\/\/./,
      must: 'must begin with redis:// or rediss://',
      secret: true,
    }),
    flag: '--redis <url>',
    otherwise: 'a private Redis for this crawl',
    help: 'Keeps the state of the crawl in this Redis server.',
    alsoResume: true,
    variables: ['ORBWEAVER_REDIS_URL', 'ORBWEAVER_REDIS'],
  }) as OptionRow<string>,
  /** Is that server a node of a Redis Cluster? */
  redisCluster: operation.defaulted({
    type: type.switchTo(true),
    flag: '--redis-cluster',
    default: false,
    help: 'Takes the server of --redis for a node of a Redis Cluster, over which the hosts of a crawl are split.',
    alsoResume: true,
  }) as DefaultedRow<boolean>,
  /** Wait until the process that leads the crawl has died, and then go on with it. */
  standby: operation.defaulted({
    type: type.switchTo(true),
    flag: '--standby',
    default: false,
    help: 'Waits while another process leads the crawl (--redis), and goes on with it when that one has died; for resume.',
    alsoResume: true,
  }) as DefaultedRow<boolean>,
  /** The place that serves figures for Prometheus, and the process' health. */
  metrics: operation.option({
    type: textType.listening(METRICS_PLACE),
    flag: '--metrics [port]',
    help: 'Shows /metrics (Prometheus) and /healthz on this port of loopback, 9464 unless given, or on address:port.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** Path of a browser, a channel's name, or the endpoint of a running one. */
  browser: operation.option({
    type: textType.path("the path of a Chromium, a channel's name, or the ws:// endpoint of a running browser"),
    flag: '--browser <path>',
    otherwise: 'the first Chromium that is found; `doctor` shows it',
    help: "Uses this Chromium: its path, a channel's name, or the endpoint of a running one.",
    alsoResume: true,
  }) as OptionRow<string>,
  /** Let a browser at an endpoint reach the network directly, past the egress gate. */
  ungatedBrowser: operation.defaulted({
    type: type.switchTo(true),
    flag: '--ungated-browser',
    default: false,
    help: 'Lets a browser at an endpoint go past the proxy: no rule for addresses holds for it, and nothing is archived.',
    alsoResume: true,
  }) as DefaultedRow<boolean>,
  /** Private addresses that may be visited: CIDR, or address, with an optional `:port`. */
  allowPrivate: operation.defaulted({
    type: textType.texts({
      accepts: 'an address or a CIDR block, with an optional port, as in 10.0.0.0/8 or 127.0.0.1:8080',
      pattern: /^\S+$/,
    }),
    flag: '--allow-private <cidr>',
    default: [],
    otherwise: 'none but the hosts of the seeds',
    help: 'Lets pages reach private addresses in this block; may be given several times.',
  }) as DefaultedRow<readonly string[]>,
  /** Least level of events in log.jsonl; default `info`. */
  logLevel: operation.defaulted({
    type: type.choice(LOG_LEVELS),
    flag: '--log-level <level>',
    default: 'info',
    help: `Least level of what goes to the log: ${LOG_LEVELS.join(', ')}.`,
    alsoResume: true,
  }) as DefaultedRow<LogLevel>,
  /** Check everything, forecast the crawl, fetch none of it. */
  dryRun: operation.defaulted({
    type: type.switchTo(true),
    flag: '--dry-run',
    default: false,
    help: 'Forecasts pages, duration and disk from robots.txt, sitemaps and up to ten pages; writes no crawl folder.',
  }) as DefaultedRow<boolean>,
};
