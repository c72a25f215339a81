/** Counts the pages that the sitemaps of the seeds' hosts name, before a crawl. */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';
import { SITEMAP_BYTE_LIMIT } from '../../core/links/data/sitemap.ts';
import type { Scope } from '../../core/scope/decide.ts';
import { fetchBytes } from '../../fetch/http.ts';
import { canonicalise, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf, type HostKey } from '../../model/url/host-key.ts';
import { USUAL_PLACE } from '../../pipeline/robots-names.ts';
import { SITEMAP } from '../../pipeline/packed-sitemap.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import type { SitemapForecast } from './forecast.ts';
import { URLS_FOR_A_PAGE } from '../sitemap-feed.ts';

/** Files that are read: a million pages. */
const FILE_LIMIT = 20;
/** Files that are known at a time: others take the place of forbidden ones. */
const KNOWN_FILES = 1000;
const TIMEOUT = seconds(30);

interface Survey {
  /** The plan by the user's options: the context is that of a sample. */
  readonly plan: CrawlPlan;
  readonly context: CrawlContext;
  readonly seeds: readonly CanonicalUrl[];
  /** Sitemaps that robots.txt names, absolute. */
  readonly announced: readonly string[];
}

interface SurveyedSitemaps {
  readonly found: SitemapForecast;
  /** The pages that they name. */
  readonly urls: ReadonlySet<CanonicalUrl>;
}

/** Reads sitemaps and the files of indexes, each host's at its pace. */
export async function surveySitemaps(survey: Survey, signal: AbortSignal): Promise<SurveyedSitemaps> {
  const { plan, context } = survey;
  if (!plan.options.sitemap)
    return { found: { files: 0, named: 0, pages: 0, truncated: false }, urls: new Set<CanonicalUrl>() };
  const files = new Set(startOf(survey));
  const asked = new Set(survey.seeds.map(hostKeyOf));
  const named = new Set<CanonicalUrl>();
  const enough = enoughFor(survey);
  let read = 0;
  let longest = milliseconds(0);
  for (const file of files) {
    if (read === FILE_LIMIT || enough(named.size)) break;
    if (!(await isAllowed(file, context, signal))) continue;
    asked.add(hostKeyOf(file));
    const pause = await pauseFor(file, context, signal);
    longest = milliseconds(Math.max(longest, pause));
    await context.clock.sleep(pause, signal); // robots.txt was a request, too
    const entries = await entriesOf(file, survey, signal);
    // a sitemap at the usual place is only a guess
    if (entries.length === 0 && file.endsWith(USUAL_PLACE)) files.delete(file);
    else read += 1;
    for (const { url, isFile } of entries) {
      if (!isFile) named.add(url);
      else if (files.size < KNOWN_FILES) files.add(url);
    }
  }
  await context.clock.sleep(longest, signal); // a visit follows
  const pages = await countVisitable([...named], { context, asked }, signal);
  return { found: { files: read, named: named.size, pages, truncated: files.size > read }, urls: named };
}

/**
 * Counts the pages anew where redirects of seeds have widened the scope, as from `example.org` to `www.example.org`. Makes no request.
 * @param targets of the redirects: they count as seeds
 */
export function countWithTargets(
  { found, urls }: SurveyedSitemaps,
  targets: readonly CanonicalUrl[],
  { scope, robots }: Pick<CrawlContext, 'scope' | 'robots'>,
): SitemapForecast {
  if (targets.every((target) => scope.contains(target))) return found;
  const wider = scope.withSeeds(targets);
  let pages = 0;
  for (const url of urls) if (isAccepted(url, wider) && robots.forbiddenBy(url) === null) pages += 1;
  return { ...found, pages };
}

/** Would the crawl queue a page that a sitemap names? */
function isAccepted(url: CanonicalUrl, scope: Scope): boolean {
  const hops = scope.contains(url) ? 0 : 1;
  return scope.judge({ url, depth: 1, redirects: 0, hops }).kind === 'accepted';
}

/** The pause between two requests to the host of a file. */
async function pauseFor(
  file: CanonicalUrl,
  { robots, politeness }: CrawlContext,
  signal: AbortSignal,
): Promise<Milliseconds> {
  const verdict = await robots.verdict(file, signal);
  return milliseconds(politeness.delayOf(hostKeyOf(file), 'crawlDelay' in verdict ? verdict.crawlDelay : null));
}

/** Are so many pages enough? The crawl would read no further sitemap, or have ended by now. */
function enoughFor({ plan, context }: Survey): (pages: number) => boolean {
  const { limit = Infinity, timeLimit = Infinity } = plan.options;
  const until = context.clock.monotonic() + timeLimit;
  return (pages) => pages >= limit * URLS_FOR_A_PAGE || context.clock.monotonic() >= until;
}

function startOf({ plan, seeds, announced }: Survey): readonly CanonicalUrl[] {
  const given = plan.options.sitemaps.flatMap((place) =>
    place.startsWith('/') ? seeds.map((seed) => hostKeyOf(seed) + place) : [place],
  );
  return [...announced, ...given].flatMap((place) => {
    const read = canonicalise(place, seeds[0], plan.urlPolicy);
    return read.kind === 'canonical' ? [read.url] : [];
  });
}

async function isAllowed(url: CanonicalUrl, { robots }: CrawlContext, signal: AbortSignal): Promise<boolean> {
  return (await robots.verdict(url, signal)).kind === 'allowed';
}

interface Entry {
  readonly url: CanonicalUrl;
  readonly isFile: boolean;
}

async function entriesOf(
  file: CanonicalUrl,
  { plan, context }: Survey,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const { egress, identity, httpAuth } = context;
  const answer = await fetchBytes(
    {
      url: file,
      userAgent: identity.userAgent,
      headers: httpAuth,
      byteLimit: SITEMAP_BYTE_LIMIT,
      timeout: TIMEOUT,
      redirects: 'follow-up-to-5',
    },
    egress,
    signal,
  );
  if (answer.kind !== 'answer' || answer.status !== 200) return [];
  const { body } = answer;
  const read = await context.offload.run(SITEMAP, { body, url: file }, { url: file, size: body.byteLength }, signal);
  if (read.kind === 'gave-up') return [];
  const { kind, entries } = read.value;
  return entries.flatMap(({ loc }) => {
    const read = canonicalise(loc, file, plan.urlPolicy);
    return read.kind === 'canonical' ? [{ url: read.url, isFile: kind === 'index' }] : [];
  });
}

/** Counts pages in scope that robots.txt allows where the host was asked for it; a forecast asks no other host. */
async function countVisitable(
  urls: readonly CanonicalUrl[],
  { context, asked }: { readonly context: CrawlContext; readonly asked: ReadonlySet<HostKey> },
  signal: AbortSignal,
): Promise<number> {
  const { scope } = context;
  let count = 0;
  for (const url of urls) {
    if (!isAccepted(url, scope)) continue;
    if (!asked.has(hostKeyOf(url)) || (await isAllowed(url, context, signal))) count += 1;
  }
  return count;
}
