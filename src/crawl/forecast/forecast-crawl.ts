/**
 * Makes the forecast of a crawl: its plan, robots.txt and sitemaps of the seeds' hosts, and a few pages visited as the crawl
 * would visit them, in a folder that is removed again. Nothing else is written.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../base/process/temporary-folder.ts';
import type { PageRecord } from '../../model/record.ts';
import { canonicalise, storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf } from '../../model/url/host-key.ts';
import { parseOptions, type CrawlOptions } from '../../options/options.ts';
import type { CrawlContext } from '../crawl-context.ts';
import { currentEnvironment, type CrawlEnvironment } from '../crawl-environment.ts';
import { planCrawl, type CrawlPlan } from '../crawl-plan.ts';
import {
  durationForecast,
  pagesForecast,
  type CrawlForecast,
  type PageLimit,
  type SampleForecast,
  type SeedForecast,
} from './forecast.ts';
import { USUAL_PLACE } from '../../pipeline/robots-names.ts';
import { extensionsOf } from '../opening/load-extensions.ts';
import { openCrawlContext } from '../opening/open-crawl-context.ts';
import { runCrawl } from '../running-crawl.ts';
import { storedBytes } from '../folder/stored-size.ts';
import { countWithTargets, surveySitemaps } from './survey-sitemaps.ts';

/** Visits of the sample, redirects included, and their time limit: hosts may ask for half a minute between two of them. */
const SAMPLE_PAGES = 10;
const SAMPLE_TIME = 60_000;
/** Seeds whose robots.txt is asked for. */
const ASKED_SEEDS = 20;

/**
 * Forecasts a crawl: pages, duration and disk. It asks the seeds' hosts for robots.txt and sitemaps and visits up to ten
 * pages, as politely as the crawl would; no crawl folder is written.
 * @throws {CrawlError} as `startCrawl`
 * @example
 * const { pages, duration, disk } = await forecastCrawl({ seeds: ['https://example.org/'] });
 */
export async function forecastCrawl(
  options: CrawlOptions,
  environment: CrawlEnvironment = currentEnvironment(),
  signal: AbortSignal = new AbortController().signal,
): Promise<CrawlForecast> {
  const parsed = parseOptions(options);
  const extensions = await extensionsOf(parsed, [], environment.workingFolder);
  const plan = await planCrawl(parsed, environment, signal);
  const folder = await makeTemporaryFolder('orbweaver-forecast-');
  try {
    const context = await openCrawlContext(
      samplePlan(plan, join(folder, 'sample')),
      environment,
      { log: null, extensions },
      signal,
    );
    return await forecast(plan, context, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The plan of the sample: the same crawl with another end and another folder. A Redis and a storage of others are left alone, and no page is
 * loaded again for its figures.
 */
function samplePlan(plan: CrawlPlan, folder: string): CrawlPlan {
  const { limit = SAMPLE_PAGES, timeLimit = SAMPLE_TIME } = plan.options;
  const options = {
    ...plan.options,
    limit: Math.min(limit, SAMPLE_PAGES),
    timeLimit: Math.min(timeLimit, SAMPLE_TIME),
    sizeLimit: undefined,
    redis: undefined,
    snapshotStorage: undefined,
    measure: false,
    keepState: false,
    discardState: true,
    sitemap: false,
    sitemaps: [],
  };
  const workers = Math.max(1, plan.workers);
  return { ...plan, workers, options, folder, intent: 'new', resumed: null, limitCountsRedirects: true };
}

async function forecast(plan: CrawlPlan, context: CrawlContext, signal: AbortSignal): Promise<CrawlForecast> {
  const { options } = plan;
  let crawlOwnsRooms = false;
  try {
    const seedUrls = context.description.seeds.map(storedCanonicalUrl);
    const seeds: SeedForecast[] = [];
    const announced: string[] = [];
    for (const url of seedUrls.slice(0, ASKED_SEEDS)) {
      const { seed, sitemaps } = await askRobots(url, context, signal);
      seeds.push(seed);
      announced.push(...sitemaps);
    }
    const surveyed = await surveySitemaps({ plan, context, seeds: seedUrls, announced }, signal);
    crawlOwnsRooms = true;
    const { sample, targets } = await visitSample(plan, context, seedUrls, signal);
    const sitemaps = countWithTargets(surveyed, targets, context);
    const pages = pagesForecast(sample, sitemaps, strictestLimit(plan, seedUrls, sample));
    const duration = durationForecast(pages.count, {
      visitTime: sample.visitTime,
      workers: options.render === 'never' ? plan.slots.fetches.start : Math.max(1, plan.workers),
      hosts: pacesOf(seeds, context),
      spacing: options.rateLimit === undefined ? 0 : 1000 / options.rateLimit,
      timeLimit: options.timeLimit ?? null,
    });
    const disk = Math.min(Math.round(pages.count * sample.pageBytes), options.sizeLimit ?? Infinity);
    return { plan, seeds, sitemaps, sample, pages, duration, disk, notes: context.notes.all };
  } finally {
    if (!crawlOwnsRooms) await context.disposal[Symbol.asyncDispose]();
  }
}

/** Scopes that do not leave the hosts of the seeds. */
const SCOPES_OF_SEEDS: readonly string[] = ['page', 'prefix', 'host'];

/** The limit that the crawl would reach first; null where there is none, or the number of hosts is unknown. */
function strictestLimit(
  { options }: CrawlPlan,
  seeds: readonly CanonicalUrl[],
  { pageBytes }: SampleForecast,
): PageLimit | null {
  const { limit, hostLimit, sizeLimit, scope } = options;
  const hosts = new Set(seeds.map(hostKeyOf)).size;
  const limits: readonly PageLimit[] = [
    ...(limit === undefined ? [] : [{ by: 'limit', pages: limit } as const]),
    ...(hostLimit === undefined || !SCOPES_OF_SEEDS.includes(scope)
      ? []
      : [{ by: 'host-limit', pages: hostLimit * hosts } as const]),
    ...(sizeLimit === undefined || pageBytes === 0
      ? []
      : [{ by: 'size-limit', pages: Math.ceil(sizeLimit / pageBytes) } as const]),
  ];
  return limits.toSorted((one, other) => one.pages - other.pages)[0] ?? null;
}

interface AskedRobots {
  readonly seed: SeedForecast;
  readonly sitemaps: readonly string[];
}

async function askRobots(
  url: CanonicalUrl,
  { robots, politeness }: CrawlContext,
  signal: AbortSignal,
): Promise<AskedRobots> {
  const verdict = await robots.verdict(url, signal);
  const host = hostKeyOf(url);
  switch (verdict.kind) {
    case 'allowed':
    case 'disallowed': {
      const { crawlDelay, rule, names } = verdict;
      const sitemaps = names.lacksSitemap ? [`${host}${USUAL_PLACE}`] : names.sitemaps;
      const allowed = verdict.kind === 'allowed';
      const words = rule ?? 'robots.txt is not asked';
      const delay = politeness.delayOf(host, crawlDelay);
      return { seed: { url, allowed, robots: words, crawlDelay, delay }, sitemaps };
    }
    case 'forbidden-for-now':
      return refused(url, verdict.why, politeness.delayOf(host, null));
    case 'unreachable':
    case 'blocked':
      return refused(url, verdict.detail, politeness.delayOf(host, null));
  }
}

function refused(url: string, robots: string, delay: number): AskedRobots {
  return { seed: { url, allowed: false, robots, crawlDelay: null, delay }, sitemaps: [] };
}

/** The pace of each host, once. */
function pacesOf(seeds: readonly SeedForecast[], { plan }: CrawlContext): readonly { delay: number; slots: number }[] {
  const hosts = new Map(
    seeds.map(({ url, crawlDelay, delay }) => {
      const slots = crawlDelay === null || crawlDelay === 0 ? plan.hostConcurrency : 1;
      return [hostKeyOf(storedCanonicalUrl(url)), { delay, slots }] as const;
    }),
  );
  return [...hosts.values()];
}

interface VisitedSample {
  readonly sample: SampleForecast;
  /** Where the seeds redirect to. */
  readonly targets: readonly CanonicalUrl[];
}

/** Runs the crawl of the sample; the crawl's context is closed then. @param plan of the crawl that is forecast */
async function visitSample(
  plan: CrawlPlan,
  context: CrawlContext,
  seeds: readonly CanonicalUrl[],
  signal: AbortSignal,
): Promise<VisitedSample> {
  /** Pages by URL: one may be visited again. */
  const pages = new Map<string, PageRecord>();
  const targets = new Set<CanonicalUrl>();
  const isSeed = (url: string): boolean => [...seeds, ...targets].some((seed) => seed === url);
  await using crawl = await runCrawl(context, signal);
  for await (const event of crawl) {
    if (event.kind !== 'page' && event.kind !== 'failed') continue;
    const { url, finalUrl, outcome } = event.page;
    // a redirect is no page: its target is
    if (outcome !== 'redirected') pages.set(url, event.page);
    else if (isSeed(url)) {
      const target = canonicalise(finalUrl, storedCanonicalUrl(url), plan.urlPolicy);
      if (target.kind === 'canonical') targets.add(target.url);
    }
  }
  const { totals, end, folder, cause, outcomes } = await crawl.report();
  signal.throwIfAborted();
  const { redirected = 0 } = outcomes;
  const isElsewhere = plan.options.snapshotStorage !== undefined;
  const stored = await storedBytes(folder, isElsewhere ? 'without-snapshots' : 'all');
  const times = [...pages.values()].flatMap(({ timing }) => (timing === null ? [] : [timing.total]));
  const sample: SampleForecast = {
    visited: totals.visited - redirected,
    failed: totals.failed,
    cause,
    complete: end === 'all-visited',
    known: totals.visited - redirected + totals.failed + totals.queued,
    visitTime: times.length === 0 ? 0 : Math.round(times.reduce((sum, time) => sum + time, 0) / times.length),
    pageBytes: pages.size === 0 ? 0 : Math.round(stored / pages.size),
  };
  return { sample, targets: [...targets] };
}
