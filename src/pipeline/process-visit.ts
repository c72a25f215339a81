/**
 * Converts the outcome of a finished visit to a commit. Every outcome ends here in a state with a reason; the table of
 * core/politeness/backoff.ts says which failures are tried again, and when.
 */
import { assertNever } from '../base/assert-never.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { after, type Milliseconds } from '../base/units.ts';
import { afterOutcome, type HostBackoff } from '../core/politeness/backoff.ts';
import { failureEvidence } from '../core/politeness/failure-evidence.ts';
import { askedWait, cutWords } from '../core/politeness/retry-after.ts';
import type { Page } from '../model/page.ts';
import type { PageRecord, SkippedRecord } from '../model/record.ts';
import type { RobotsNames } from '../model/robots-names.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { Disposition, VisitCommit } from '../model/visit-commit.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { asksForSitemap, isSitemap, noSitemapRecord } from './asked-sitemap.ts';
import { linksOfNotice } from './notice.ts';
import { answerRecord, failureRecord, missingBodyRecord } from './page-record.ts';
import { processFile } from './process-file.ts';
import { probeRecord } from './probe-answer.ts';
import { countLinks, processPage, type PageProcessing } from './process-page.ts';
import { processRedirect } from './process-redirect.ts';
import { askUsualPlace, robotsLinks, type RobotsNaming } from './robots-names.ts';
import { withNewSeeds } from './seed-visit.ts';

export interface CommitOptions extends PageProcessing, RobotsNaming {
  readonly clock: Clock;
  readonly random: Random;
  /** Number of further tries after the first. */
  readonly retries: number;
  /** Longest Retry-After that is obeyed; default one hour. */
  readonly maxRetryAfter?: Milliseconds;
  /** The host's pause between two visits and its number of concurrent ones, with its Crawl-delay taken into account. */
  readonly politeness: (host: HostKey, crawlDelay: Milliseconds | null) => Pick<VisitCommit, 'hostDelay' | 'hostSlots'>;
}

/** A finished visit of a dispatcher: see dispatch/visit-loop.ts. */
interface Finished {
  readonly visit: Visit;
  readonly outcome: VisitOutcome;
  readonly crawlDelay: Milliseconds | null;
  /** Names in the host's robots.txt, if that was read for this visit. */
  readonly names?: RobotsNames;
  /** Rule of robots.txt, if it was asked for and allowed the visit. */
  readonly robotsRule?: string | null;
  /** As in {@link VisitCommit}, as far as it is known without the outcome. */
  readonly unasked?: true;
}

type Change = Pick<
  VisitCommit,
  'disposition' | 'links' | 'newSeeds' | 'hostBackoff' | 'hostBackoffMost' | 'novelty' | 'details'
>;

/** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE where a snapshot cannot be stored */
export async function visitCommitOf(
  finished: Finished,
  options: CommitOptions,
  signal: AbortSignal,
): Promise<VisitCommit> {
  const change = await changeOf(finished, options, signal);
  const naming = withNewSeeds(options, change.newSeeds);
  // whatever the outcome of the visit: they are the host's, not the page's
  const named = finished.names === undefined ? [] : await robotsLinks(finished.visit, finished.names, naming);
  if (finished.names?.lacksSitemap === true && answersWell(finished.outcome, change))
    await askUsualPlace(finished.visit, naming);
  const links = [...change.links, ...named];
  const serverTime = serverTimeOf(finished.outcome);
  const withRule = withRobotsRule(change.disposition, finished.robotsRule ?? null);
  const disposition = await withArchived(withRule, finished, options, signal);
  return {
    ...change,
    disposition,
    links,
    serverTime,
    ...(isUnasked(finished) ? { unasked: true } : {}),
    ...failureEvidence(finished.outcome, finished.visit.attempt),
    ...options.politeness(finished.visit.host, finished.crawlDelay),
  };
}

function isUnasked({ outcome, unasked }: Finished): boolean {
  return unasked === true || (outcome.kind === 'signs-out' && outcome.unasked === true);
}

/** Does the host answer well? Otherwise no probe is queued, because the crawl would wait for a failing or forbidding host. */
function answersWell({ kind }: VisitOutcome, { hostBackoff }: Change): boolean {
  const isAnswer = kind === 'captured' || kind === 'not-html' || kind === 'redirected' || kind === 'http-error';
  return isAnswer && hostBackoff === null;
}

function withRobotsRule(disposition: Disposition, robotsRule: string | null): Disposition {
  if (disposition.kind !== 'visited' && disposition.kind !== 'failed') return disposition;
  return { ...disposition, record: { ...disposition.record, robotsRule } };
}

/** Adds the place in the archive of an answer that is no page; pages and files get theirs from their writer. */
async function withArchived(
  disposition: Disposition,
  { visit, outcome }: Finished,
  { snapshots }: CommitOptions,
  signal: AbortSignal,
): Promise<Disposition> {
  const isAnswer = outcome.kind === 'redirected' || outcome.kind === 'http-error' || outcome.kind === 'throttled';
  if (!isAnswer || (disposition.kind !== 'visited' && disposition.kind !== 'failed')) return disposition;
  const warc = (await snapshots.archived?.({ url: visit.url, startedAt: visit.leasedAt }, signal)) ?? null;
  return warc === null
    ? disposition
    : { ...disposition, record: { ...disposition.record, snapshot: { ...disposition.record.snapshot, warc } } };
}

function serverTimeOf(outcome: VisitOutcome): Milliseconds | null {
  if ('answer' in outcome) return outcome.answer.timing.ttfb;
  return outcome.kind === 'captured' ? outcome.page.timing.ttfb : null;
}

async function changeOf(finished: Finished, options: CommitOptions, signal: AbortSignal): Promise<Change> {
  if (finished.visit.again === true) return secondVisit(finished, options, signal);
  if (finished.visit.kind !== 'probe') return pageChange(finished, options, signal);
  return (await asksForSitemap(finished.visit, options))
    ? askedSitemap(finished, options, signal)
    : probed(finished, options, (visit, outcome) => probeRecord(visit, outcome, options));
}

/** Commit of a second visit. Only a page rendered by a browser adds to the first visit's record; after any other outcome the record stands. */
async function secondVisit(finished: Finished, options: CommitOptions, signal: AbortSignal): Promise<Change> {
  const { visit, outcome } = finished;
  const { disposition, host } = afterFailure(finished, options);
  if (disposition === null && outcome.kind === 'captured' && outcome.page.firstRead !== undefined)
    return pageChange(finished, options, signal);
  const record = failureRecord(visit, 'unreachable', `the second visit ended as ${outcome.kind}`);
  return {
    ...final(disposition ?? { kind: 'failed', record }),
    hostBackoff: host?.wait ?? null,
    hostBackoffMost: host?.most ?? null,
  };
}

/** Commit of a probe for a sitemap. It is not retried, because a missing sitemap is no failure of the site. */
async function askedSitemap(finished: Finished, options: CommitOptions, signal: AbortSignal): Promise<Change> {
  if (await isSitemap(finished.visit, finished.outcome, options, signal)) return pageChange(finished, options, signal);
  return probed(finished, { ...options, retries: 0 }, (visit, outcome) => noSitemapRecord(visit, outcome, options));
}

/** Commit of a probe. Like a page it is retried and blames its host; unlike a page it ends as skipped. */
async function probed(
  finished: Finished,
  options: CommitOptions,
  recordOf: (visit: Visit, outcome: VisitOutcome) => Promise<SkippedRecord>,
): Promise<Change> {
  const { visit, outcome } = finished;
  if (outcome.kind === 'disallowed') return skipped(visit, 'disallowed-by-robots', outcome.line);
  if (outcome.kind === 'blocked-address') return skipped(visit, 'blocked-address', outcome.detail);
  const { disposition, host } = afterFailure(finished, options);
  return {
    ...final(disposition ?? { kind: 'skipped', record: await recordOf(visit, outcome) }),
    hostBackoff: host?.wait ?? null,
    hostBackoffMost: host?.most ?? null,
  };
}

async function pageChange(finished: Finished, options: CommitOptions, signal: AbortSignal): Promise<Change> {
  const { visit, outcome } = finished;
  switch (outcome.kind) {
    case 'captured': {
      const again = retryOf(finished, options);
      if (again !== null) return again;
      if (isBodyMissing(outcome.page)) return final({ kind: 'failed', record: missingBodyRecord(visit, outcome.page) });
      const { record, ...change } = await processPage(visit, outcome.page, options, signal);
      return visited(record, change);
    }
    case 'redirected': {
      const { record, ...change } = await processRedirect(visit, outcome, options);
      return visited(record, change);
    }
    case 'not-html': {
      const again = retryOf(finished, options);
      if (again !== null) return again;
      const { record, links } = await processFile(visit, outcome, options, signal);
      return visited(record, { links });
    }
    case 'http-error':
      return withNotice(
        failed(finished, options, answerRecord(visit, 'http-error', outcome.answer)),
        finished,
        options,
      );
    case 'throttled':
      return failed(finished, options, answerRecord(visit, 'http-error', outcome.answer));
    case 'unreachable':
      return unreachable(finished, outcome, options);
    case 'crashed':
      return failed(finished, options, failureRecord(visit, 'crashed', `quarantined: ${outcome.detail}`));
    case 'timed-out':
    case 'too-large':
      return failed(finished, options, failureRecord(visit, outcome.kind, outcome.detail));
    case 'disallowed':
      return skipped(visit, 'disallowed-by-robots', outcome.line);
    case 'blocked-address':
      return skipped(visit, 'blocked-address', outcome.detail);
    case 'signs-out':
      return skipped(visit, 'signs-out', outcome.rule);
    default:
      return assertNever(outcome);
  }
}

function final(disposition: Disposition): Change {
  return { disposition, links: [], newSeeds: [], hostBackoff: null, hostBackoffMost: null, novelty: null };
}

function visited(
  record: PageRecord,
  more: Partial<Pick<Change, 'links' | 'newSeeds' | 'novelty' | 'details'>> = {},
): Change {
  return { ...final({ kind: 'visited', record }), ...more };
}

function skipped(visit: Visit, reason: 'disallowed-by-robots' | 'blocked-address' | 'signs-out', rule: string): Change {
  return final({ kind: 'skipped', record: { url: visit.url, reason, rule, referrer: visit.referrer } });
}

function unreachable(
  finished: Finished,
  { failure, detail }: Extract<VisitOutcome, { kind: 'unreachable' }>,
  options: CommitOptions,
): Change {
  const { visit } = finished;
  const change = failed(finished, options, failureRecord(visit, 'unreachable', detail));
  const cut = cutOf(finished, options);
  const rule = cut === null ? detail : `${detail}; ${cut}`;
  if (failure !== 'robots' || change.disposition.kind !== 'failed') return change;
  // a host without readable robots.txt stays forbidden (RFC 9309 section 2.3.1.4): the page itself did not fail
  const { hostBackoff, hostBackoffMost } = change;
  return { ...skipped(visit, 'disallowed-by-robots', rule), hostBackoff, hostBackoffMost };
}

/** Commit of a failure: it is retried according to its row in the table, and ends the URL after its last try. */
function failed(finished: Finished, options: CommitOptions, record: PageRecord): Change {
  const { disposition, host } = afterFailure(finished, options);
  return {
    ...final(disposition ?? { kind: 'failed', record: withCut(record, cutOf(finished, options)) }),
    hostBackoff: host?.wait ?? null,
    hostBackoffMost: host?.most ?? null,
  };
}

/** Adds the links of a final error's document, which may say where to go instead. */
async function withNotice(change: Change, { visit, outcome }: Finished, options: CommitOptions): Promise<Change> {
  const { disposition } = change;
  if (disposition.kind !== 'failed' || outcome.kind !== 'http-error') return change;
  const links = await linksOfNotice(visit, outcome, 'error', options);
  const record = { ...disposition.record, links: { ...countLinks(links), new: 0 } };
  return { ...change, disposition: { ...disposition, record }, links };
}

/** Another try for an answer whose body broke off; null where the body is whole, or after the last try. */
function retryOf(finished: Finished, options: CommitOptions): Change | null {
  const { disposition } = afterFailure(finished, options);
  return disposition === null ? null : final(disposition);
}

function afterFailure(
  { visit, outcome }: Finished,
  { clock, random, retries, maxRetryAfter }: CommitOptions,
): { readonly disposition: Disposition | null; readonly host: HostBackoff | null } {
  const context = { random, retries, attempt: visit.attempt };
  const { retry, wait, hostBackoff } = afterOutcome(
    outcome,
    maxRetryAfter === undefined ? context : { ...context, maxRetryAfter },
  );
  return { disposition: retry ? { kind: 'retry', due: after(clock.now(), wait) } : null, host: hostBackoff };
}

/** Did the connection end before the document began? Then there is no page, whatever the status was. */
function isBodyMissing({ truncated, bytes, title, text, foundLinks }: Page): boolean {
  return truncated === 'disconnect' && bytes === 0 && title === '' && text === '' && foundLinks.length === 0;
}

/** The reason for a wait shorter than the host asked for; null if it is not shorter. */
function cutOf({ outcome }: Finished, { maxRetryAfter }: CommitOptions): string | null {
  const asked = askedWait(outcome, maxRetryAfter);
  return asked === null ? null : cutWords(asked);
}

function withCut(record: PageRecord, cut: string | null): PageRecord {
  if (cut === null) return record;
  const before = record.detail ?? (record.status === null ? null : `status ${record.status}`);
  return { ...record, detail: before === null ? cut : `${before}; ${cut}` };
}
