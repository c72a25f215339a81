/**
 * What a user may ask for, and what the program makes of it: parsed once, frozen, handed down. Flags, the config file and
 * the environment all end here (cli/flags.ts names each option's flag); a program that embeds the crawler starts here.
 */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { milliseconds } from '../base/units.ts';
import { LEAST_THRESHOLD as LEAST_SIMILARITY } from '../core/fingerprint/banding.ts';
import {
  BLOCK_TYPES,
  EXPLORE_LEVELS,
  type BlockType,
  type ExploreLevel,
  type SettleMode,
} from '../model/render-settings.ts';
import { PARAMETER_OPTION } from '../model/url/url-parameters.ts';
export { LEAST_THRESHOLD as LEAST_SIMILARITY } from '../core/fingerprint/banding.ts';
export { BLOCK_TYPES, EXPLORE_LEVELS } from '../model/render-settings.ts';
import { headerOriginsOption, headersOption } from './header-options.ts';
import { USER_AGENT_PRODUCT, type Identity } from './identity.ts';

/** Durations are milliseconds, sizes bytes. Every key but `seeds` may be left out. */
export interface CrawlOptions {
  /** http(s) URLs, or folders to serve and crawl; at least one. */
  readonly seeds: readonly string[];
  /** Folder to write; default `./orbweaver-<host>-<yyyymmdd-hhmmss>`. */
  readonly output?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
  /** Keep the private Redis' files when the crawl has finished. */
  readonly keepState?: boolean | undefined;

  readonly scope?: ScopeChoice | undefined;
  /** Regular expressions; where any is given a URL must match one (seeds excepted). */
  readonly include?: readonly string[] | undefined;
  /** Regular expressions; a URL that matches one is skipped. */
  readonly exclude?: readonly string[] | undefined;
  /** Out-of-scope pages to visit that many links beyond the scope. */
  readonly extraHops?: number | undefined;
  /** Links from a seed. */
  readonly depth?: number | undefined;
  /** Pages to visit. */
  readonly limit?: number | undefined;
  readonly timeLimit?: number | undefined;
  /** Parameters that do not count: `ref`, `utm_*`; on one host alone `ref@example.org`, with subdomains `ref@*.example.org`. */
  readonly removeQueryParams?: readonly string[] | undefined;
  /** Parameters that count although they look like a session or a campaign; written like `removeQueryParams`. */
  readonly keepQueryParams?: readonly string[] | undefined;
  /** File extensions, without the dot; a URL whose path ends with one is skipped, but for seeds. */
  readonly skipExtensions?: readonly string[] | undefined;
  /** Regular expressions; a URL that matches one is followed although it looks like one of a space without end. */
  readonly followTraps?: readonly string[] | undefined;
  /** Read the sitemaps that robots.txt names; default true. */
  readonly sitemap?: boolean | undefined;
  /** Further sitemaps: http(s) URLs, or paths (`/sitemap.xml`) on each host of the seeds. */
  readonly sitemaps?: readonly string[] | undefined;

  /** From the end of a visit to the start of the host's next one; default 1000, 0 where the host is loopback. */
  readonly delay?: number | undefined;
  /** Visits of one host at a time; default 1, the number of workers where all seeds are loopback. */
  readonly hostConcurrency?: number | undefined;
  /** Visits a second over all hosts. */
  readonly rateLimit?: number | undefined;
  /** A longer Crawl-delay is cut to this, and that is said. */
  readonly maxCrawlDelay?: number | undefined;
  /** A host that asks to wait for longer (Retry-After) is asked again after this, and that is said. */
  readonly maxRetryAfter?: number | undefined;
  readonly robots?: boolean | undefined;
  /** Product token that is looked for in robots.txt. */
  readonly robotsAgent?: string | undefined;
  /** Replaces the whole User-Agent. */
  readonly userAgent?: string | undefined;
  /** Appended to the User-Agent: who crawls, and how to reach them. */
  readonly userAgentSuffix?: string | undefined;
  /** Further tries of a URL that failed in passing. */
  readonly retries?: number | undefined;

  /** Browser pages at a time; default the number of cores, at most 4. */
  readonly workers?: number | undefined;
  readonly settle?: SettleMode | undefined;
  readonly settleTimeout?: number | undefined;
  readonly pageTimeout?: number | undefined;
  /** CSS selector that a page must show before it counts as done. */
  readonly waitFor?: string | undefined;
  readonly explore?: ExploreLevel | undefined;
  /** Whether pages are rendered: `auto` where it pays, `always`, `never`. */
  readonly render?: RenderChoice | undefined;
  /** Classes of requests that pages may not send. */
  readonly block?: readonly BlockType[] | undefined;
  /** Further links, each `selector->attribute`. */
  readonly selectLinks?: readonly string[] | undefined;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
  /** Let pages draw with WebGL, for which a process of the browser goes without its system call filter. */
  readonly webgl?: boolean | undefined;
  /** Header lines `Name: value`, sent to `headerOrigins` and nowhere else. */
  readonly headers?: readonly string[] | undefined;
  /** Scheme, host and port (`https://example.org:8443`) that `headers` go to; default the seeds' own. */
  readonly headerOrigins?: readonly string[] | undefined;

  /** From which similarity on a page is recorded as a duplicate, 0.5 to 1; default 0.9. */
  readonly nearDuplicates?: number | undefined;
  /** Follow the links of duplicates, too. */
  readonly followDuplicates?: boolean | undefined;

  readonly snapshot?: readonly SnapshotPart[] | undefined;
  readonly fullPage?: boolean | undefined;

  readonly redis?: string | undefined;
  /** Path of a browser, a channel's name, or the endpoint of a running one. */
  readonly browser?: string | undefined;
  /** Private addresses that may be visited: CIDR, or address, with an optional `:port`. */
  readonly allowPrivate?: readonly string[] | undefined;
  readonly logLevel?: LogLevel | undefined;
  /** Check everything, tell what would be done, fetch nothing. */
  readonly dryRun?: boolean | undefined;
}

export const SCOPE_NAMES = ['page', 'prefix', 'host', 'domain', 'any'] as const;
type ScopeChoice = (typeof SCOPE_NAMES)[number];
export const SNAPSHOT_PARTS = ['html', 'text', 'screenshot', 'warc'] as const;
export type SnapshotPart = (typeof SNAPSHOT_PARTS)[number];
export const RENDER_CHOICES = ['auto', 'always', 'never'] as const;
type RenderChoice = (typeof RENDER_CHOICES)[number];
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Defaults that do not depend on the seeds or the machine. Chosen for politeness and for small surprises. */
export const OPTION_DEFAULTS = {
  scope: 'host',
  delay: 1000,
  hostConcurrency: 1,
  maxCrawlDelay: 30_000,
  maxRetryAfter: 3_600_000,
  retries: 2,
  settleTimeout: 15_000,
  pageTimeout: 60_000,
  explore: 'scroll',
  render: 'auto',
  viewport: { width: 1280, height: 800 },
  nearDuplicates: 0.9,
  snapshot: ['html', 'text'],
  logLevel: 'info',
  /** More pages than this gain nothing on common machines (design/rendering, "Pages and browsers"). */
  maxDefaultWorkers: 4,
} as const;

/** `--select-links`: a CSS selector, an arrow, the name of an attribute. */
export const LINK_SELECTOR: RegExp = /^(.*\S)\s*->\s*([A-Za-z_:][\w:.-]*)$/s;

const regularExpression = z.string().refine(isRegularExpression, { error: 'is not a regular expression' });
const duration = z
  .number()
  .min(0)
  .max(30 * 24 * 3600 * 1000);

/** `--sitemap`: a URL, or a path on each host of the seeds. */
export const SITEMAP_PLACE: RegExp = /^(?:https?:\/\/[^\s/]\S*|\/\S*)$/i;
/** `--skip-extensions`: `zip`, `tar.gz`. */
export const FILE_EXTENSION: RegExp = /^[a-z0-9]+(?:\.[a-z0-9]+)*$/i;
const parameterOption = z.string().regex(PARAMETER_OPTION, { error: 'must be written `name` or `name@host`' });

const schema: z.ZodType<ParsedOptions> = z.strictObject({
  seeds: z.array(z.string().min(1)).min(1, { error: 'at least one seed is needed: an http(s) URL or a folder' }),
  output: z.string().min(1).optional(),
  resume: z.boolean().default(false),
  overwrite: z.boolean().default(false),
  keepState: z.boolean().default(false),
  scope: z.enum(SCOPE_NAMES).default(OPTION_DEFAULTS.scope),
  include: z.array(regularExpression).default([]),
  exclude: z.array(regularExpression).default([]),
  extraHops: z.int().min(0).max(100).default(0),
  depth: z.int().min(0).max(10_000).optional(),
  limit: z.int().min(1).optional(),
  timeLimit: duration.min(1).optional(),
  removeQueryParams: z.array(parameterOption).default([]),
  keepQueryParams: z.array(parameterOption).default([]),
  followTraps: z.array(regularExpression).default([]),
  skipExtensions: z.array(z.string().regex(FILE_EXTENSION, { error: 'must be letters and digits' })).default([]),
  sitemap: z.boolean().default(true),
  sitemaps: z.array(z.string().regex(SITEMAP_PLACE, { error: 'must be an http(s) URL or begin with /' })).default([]),
  delay: duration.optional(),
  hostConcurrency: z.int().min(1).max(64).optional(),
  rateLimit: z.number().positive().max(10_000).optional(),
  maxCrawlDelay: duration.default(OPTION_DEFAULTS.maxCrawlDelay),
  maxRetryAfter: duration.default(OPTION_DEFAULTS.maxRetryAfter),
  robots: z.boolean().default(true),
  robotsAgent: z
    .string()
    .regex(/^[A-Za-z_-]+$/, { error: 'may hold letters, _ and - only (RFC 9309 section 2.2.1)' })
    .optional(),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]+$/, { error: 'may hold printable ASCII only' })
    .optional(),
  userAgentSuffix: z
    .string()
    .regex(/^[\x20-\x7e]+$/, { error: 'may hold printable ASCII only' })
    .optional(),
  retries: z.int().min(0).max(20).default(OPTION_DEFAULTS.retries),
  workers: z.int().min(1).max(64).optional(),
  settle: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('auto') }),
      z.strictObject({ kind: z.literal('load') }),
      z.strictObject({ kind: z.literal('after'), duration: duration.transform(milliseconds) }),
    ])
    .default({ kind: 'auto' }),
  settleTimeout: duration.min(100).default(OPTION_DEFAULTS.settleTimeout),
  pageTimeout: duration.min(1000).default(OPTION_DEFAULTS.pageTimeout),
  waitFor: z.string().min(1).optional(),
  explore: z.enum(EXPLORE_LEVELS).default(OPTION_DEFAULTS.explore),
  render: z.enum(RENDER_CHOICES).default(OPTION_DEFAULTS.render),
  block: z.array(z.enum(BLOCK_TYPES)).default([]),
  selectLinks: z.array(z.string().regex(LINK_SELECTOR, { error: 'must be written `selector->attribute`' })).default([]),
  viewport: z
    .strictObject({ width: z.int().min(100).max(8192), height: z.int().min(100).max(8192) })
    .default(OPTION_DEFAULTS.viewport),
  webgl: z.boolean().default(false),
  headers: headersOption.default([]),
  headerOrigins: headerOriginsOption.default([]),
  nearDuplicates: z.number().min(LEAST_SIMILARITY).max(1).default(OPTION_DEFAULTS.nearDuplicates),
  followDuplicates: z.boolean().default(false),
  snapshot: z.array(z.enum(SNAPSHOT_PARTS)).default([...OPTION_DEFAULTS.snapshot]),
  fullPage: z.boolean().default(false),
  redis: z
    .string()
    .regex(/^rediss?:\/\//, { error: 'must begin with redis:// or rediss://' })
    .optional(),
  browser: z.string().min(1).optional(),
  allowPrivate: z.array(z.string().min(1)).default([]),
  logLevel: z.enum(LOG_LEVELS).default(OPTION_DEFAULTS.logLevel),
  dryRun: z.boolean().default(false),
});

type WithDefault<Key extends keyof CrawlOptions> = { readonly [K in Key]-?: NonNullable<CrawlOptions[K]> };

/** Options after defaults, before the seeds are looked at: what is still optional depends on seeds or machine. */
export type ParsedOptions = WithDefault<
  | 'seeds'
  | 'resume'
  | 'overwrite'
  | 'keepState'
  | 'scope'
  | 'include'
  | 'exclude'
  | 'extraHops'
  | 'removeQueryParams'
  | 'keepQueryParams'
  | 'skipExtensions'
  | 'followTraps'
  | 'sitemap'
  | 'sitemaps'
  | 'maxCrawlDelay'
  | 'maxRetryAfter'
  | 'robots'
  | 'retries'
  | 'settle'
  | 'settleTimeout'
  | 'pageTimeout'
  | 'explore'
  | 'render'
  | 'block'
  | 'selectLinks'
  | 'viewport'
  | 'webgl'
  | 'headers'
  | 'headerOrigins'
  | 'nearDuplicates'
  | 'followDuplicates'
  | 'snapshot'
  | 'fullPage'
  | 'allowPrivate'
  | 'logLevel'
  | 'dryRun'
> &
  Pick<
    CrawlOptions,
    | 'output'
    | 'depth'
    | 'limit'
    | 'timeLimit'
    | 'delay'
    | 'hostConcurrency'
    | 'rateLimit'
    | 'robotsAgent'
    | 'userAgent'
    | 'userAgentSuffix'
    | 'workers'
    | 'waitFor'
    | 'redis'
    | 'browser'
  >;

/**
 * Checks options and fills in the defaults.
 * @throws {CrawlError} USAGE with the option, its value and what would be accepted
 */
export function parseOptions(options: CrawlOptions): ParsedOptions {
  const result = schema.safeParse(options);
  if (!result.success) throw usageError(result.error, options);
  const { resume, overwrite } = result.data;
  checkRendering(result.data);
  if (!result.data.sitemap && result.data.sitemaps.length > 0) {
    throw new CrawlError('USAGE', 'a sitemap is named, and none is to be read: give one of them', {
      data: { option: 'sitemaps' },
    });
  }
  const { headers, headerOrigins } = result.data;
  if (headerOrigins.length > 0 && headers.length === 0) {
    throw new CrawlError('USAGE', 'an origin for headers is named, and no header is given: give both', {
      data: { option: 'headerOrigins' },
    });
  }
  if (resume && overwrite) throw new CrawlError('USAGE', 'resume and overwrite exclude each other: give one of them');
  return Object.freeze(result.data);
}

/** What only a browser can do excludes doing without one. @throws {CrawlError} USAGE */
function checkRendering(options: ParsedOptions): void {
  const [needed] = options.render === 'never' ? browserNeeds(options) : [];
  if (needed === undefined) return;
  throw new CrawlError('USAGE', `${needed} needs a browser, and render never does without one: give one of them`, {
    data: { option: 'render' },
  });
}

/** The options by which every page needs a browser, in words. */
export function browserNeeds(options: ParsedOptions): readonly string[] {
  const { snapshot, waitFor, explore, settle, selectLinks } = options;
  return [
    ...(snapshot.includes('screenshot') ? ['snapshot screenshot'] : []),
    ...(waitFor === undefined ? [] : ['waitFor']),
    ...(explore === 'click' || explore === 'submit' ? [`explore ${explore}`] : []),
    ...(settle.kind === 'auto' ? [] : [`settle ${settle.kind}`]),
    ...(selectLinks.length === 0 ? [] : ['selectLinks']),
  ];
}

/** No message repeats their values. */
const SECRET_OPTIONS: ReadonlySet<string> = new Set(['headers', 'redis']);

/** The figures of an option as zod describes them, in the words of this program. */
function usageError(error: z.ZodError, options: CrawlOptions): CrawlError {
  const [issue] = error.issues;
  if (issue === undefined) return new CrawlError('USAGE', 'the options are not accepted', { cause: error });
  if (issue.code === 'unrecognized_keys') {
    return new CrawlError('USAGE', `unknown option: ${issue.keys.join(', ')}`, { cause: error });
  }
  const [key] = issue.path;
  const name = key === undefined ? 'options' : String(key);
  const value = key === undefined ? options : Object.entries(options).find(([each]) => each === name)?.[1];
  const shown = SECRET_OPTIONS.has(name) ? 'the value given' : JSON.stringify(value);
  return new CrawlError(
    'USAGE',
    `${name}: ${shown === undefined ? 'nothing' : shown.slice(0, 200)} is not accepted: ${issue.message}`,
    {
      cause: error,
      data: { option: name },
    },
  );
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '' || text === '';
  } catch {
    try {
      return new RegExp(text).source !== '';
    } catch {
      return false;
    }
  }
}

/**
 * How the crawler calls itself: a browser of this version, for sites look at that, and who it really is.
 * @param browserMajor null where the browser was not started yet
 */
export function crawlerIdentity(options: ParsedOptions, browserMajor: number | null): Identity {
  const browser = `Chrome/${browserMajor ?? '(version of the browser)'}.0.0.0`;
  const own =
    options.userAgent ??
    (options.render === 'never' ? `Mozilla/5.0 (compatible; ${USER_AGENT_PRODUCT})` : null) ??
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${browser} Safari/537.36 (compatible; ${USER_AGENT_PRODUCT})`;
  const userAgent = options.userAgentSuffix === undefined ? own : `${own} ${options.userAgentSuffix}`;
  return { userAgent, robotsAgent: options.robotsAgent ?? 'Orbweaver' };
}
