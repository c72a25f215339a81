/**
 * The visit of a probe for a sitemap, that is, a URL without links. A sitemap is processed as if it had been named; anything else ends as
 * skipped, because no page links to it and its absence is no failure of the site.
 */
import type { SkippedRecord } from '../model/record.ts';
import { canonicalise } from '../model/url/canonical-url.ts';
import { hostWithPortOf } from '../model/url/host-key.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { Offload } from '../offload/offload.ts';
import type { TrapMemory } from '../traps/trap-memory.ts';
import { SITEMAP } from './packed-sitemap.ts';
import { askForSitemap, type RobotsNaming } from './robots-names.ts';

interface AskedSitemap extends RobotsNaming {
  readonly offload: Offload;
  readonly trapMemory: Pick<TrapMemory, 'questionOf'>;
}

/** Form of a sitemap's path. */
const PATH = /sitemap[^?#]*\.(?:xml|xml\.gz|txt)$/i;

/** Is it a probe for a sitemap, and not one for the site's answer to missing pages? */
export async function asksForSitemap({ kind, url }: Visit, { trapMemory }: AskedSitemap): Promise<boolean> {
  return kind === 'probe' && PATH.test(url) && (await trapMemory.questionOf(url)) === null;
}

/**
 * Is the answer a sitemap? Then it counts as named by robots.txt. A redirect to a possible sitemap is followed by another
 * probe.
 */
export async function isSitemap(
  { url }: Visit,
  outcome: VisitOutcome,
  { offload, sitemaps }: AskedSitemap,
  signal: AbortSignal,
): Promise<boolean> {
  const body = bodyOf(outcome);
  if (body === null) return false;
  const read = await offload.run(SITEMAP, { body, url }, { url, size: body.length }, signal);
  if (read.kind === 'gave-up' || (read.value.kind !== 'urlset' && read.value.kind !== 'index')) return false;
  sitemaps.note(url, { depth: 1, hosts: [hostWithPortOf(url)] });
  return true;
}

/** The text of an answer that may be a sitemap: servers call some a page. */
function bodyOf(outcome: VisitOutcome): Uint8Array | string | null {
  if (outcome.kind === 'captured') return outcome.page.html;
  return outcome.kind === 'not-html' ? (outcome.body?.bytes ?? null) : null;
}

/** The record of a visit that found no sitemap. */
export async function noSitemapRecord(
  visit: Visit,
  outcome: VisitOutcome,
  asked: AskedSitemap,
): Promise<SkippedRecord> {
  const { url, referrer } = visit;
  const rule = `robots.txt names no sitemap, and there is none at the usual place: ${await wordsOf(visit, outcome, asked)}`;
  return { url, reason: 'probe', rule, referrer };
}

async function wordsOf(visit: Visit, outcome: VisitOutcome, asked: AskedSitemap): Promise<string> {
  switch (outcome.kind) {
    case 'redirected': {
      const target = canonicalise(outcome.location, visit.url, asked.urlPolicy);
      if (target.kind !== 'canonical' || !PATH.test(target.url)) return 'it leads elsewhere';
      const place = { url: target.url, depth: visit.depth, redirects: visit.redirects + 1, hops: visit.hops };
      return (await askForSitemap({ ...place, referrer: visit.url }, asked))
        ? `it leads to ${target.url}`
        : 'it leads to what must not be visited';
    }
    case 'http-error':
    case 'throttled':
      return `status ${outcome.answer.status}`;
    case 'captured':
    case 'not-html':
      return 'what is there is not a sitemap';
    case 'unreachable':
    case 'timed-out':
    case 'too-large':
    case 'crashed':
    case 'disallowed':
    case 'blocked-address':
    case 'signs-out':
      return outcome.kind;
  }
}
