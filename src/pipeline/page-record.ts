/** The line of pages.jsonl for a visit, whatever the outcome. */
import { grouped } from '../base/count-words.ts';
import { valueOf } from '../core/answers/judge-answer.ts';
import { lastModified } from '../core/answers/last-modified.ts';
import { UNUSED_CONTROLS, type UnusedControls } from '../model/page-actions.ts';
import type { Page } from '../model/page.ts';
import type { PageRecord, RecordOutcome } from '../model/record.ts';
import type { Answer } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';

/** Fields that only the frontier can fill in, at the commit. */
const NOT_WAITED = { credit: { cash: 0, history: 0, importance: 0 }, links: { found: 0, new: 0, parts: 0 } } as const;
const NO_SNAPSHOT: PageRecord['snapshot'] = { html: null, text: null, screenshot: null, warc: null };

/** The pipeline's findings about a captured page. */
interface PageFindings {
  readonly facts: PageRecord['facts'];
  readonly words: number | null;
  readonly digest: string | null;
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  readonly links: Omit<PageRecord['links'], 'new'>;
  readonly snapshot: PageRecord['snapshot'];
  readonly robots: readonly string[];
  /** Parts that could not be read completely, and why. */
  readonly unread: readonly string[];
  /** The same of answers that were read for links alone: an audit judges the page all the same. */
  readonly unreadAnswers: readonly string[];
  readonly unusedControls: UnusedControls | null;
  /** Links that were found, where not all of them were kept; null where they were: likewise. */
  readonly cutLinks: { readonly kept: number; readonly found: number } | null;
}

/** A line with only the facts of the visit. */
function bareRecord(visit: Visit, outcome: RecordOutcome): PageRecord {
  return {
    url: visit.url,
    finalUrl: visit.url,
    outcome,
    status: null,
    redirects: [],
    contentType: null,
    bytes: null,
    truncated: null,
    depth: visit.depth,
    referrer: visit.referrer,
    attempt: visit.attempt,
    confidence: visit.confidence,
    startedAt: new Date(visit.leasedAt).toISOString(),
    rendered: false,
    timing: null,
    settle: { reason: 'not-rendered', pending: [] },
    empty: false,
    consent: null,
    title: null,
    description: null,
    canonical: null,
    lang: null,
    h1: [],
    facts: {},
    words: null,
    robots: [],
    robotsRule: null,
    lastModified: null,
    digest: null,
    duplicateOf: null,
    similarity: null,
    ...NOT_WAITED,
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
    snapshot: NO_SNAPSHOT,
    detail: null,
  };
}

export function capturedRecord(visit: Visit, page: Page, findings: PageFindings): PageRecord {
  return {
    ...bareRecord(visit, 'captured'),
    finalUrl: page.finalUrl,
    status: page.status,
    contentType: page.contentType,
    // the browser does not report the size of a truncated document
    bytes: page.truncated !== null && page.bytes === 0 ? null : page.bytes,
    truncated: page.truncated,
    startedAt: new Date(page.startedAt).toISOString(),
    rendered: page.rendered,
    ...(visit.again === true ? { again: true } : {}),
    timing: page.timing,
    settle: page.settle,
    empty: page.empty,
    consent: page.consent ?? null,
    title: page.title,
    description: page.description,
    canonical: page.canonical,
    lang: page.lang,
    h1: page.h1,
    facts: findings.facts,
    words: findings.words,
    robots: findings.robots,
    digest: findings.digest,
    duplicateOf: findings.duplicateOf,
    similarity: findings.similarity,
    links: { ...findings.links, new: 0 },
    lastModified: lastModified(page.headers, page.startedAt),
    problems: page.problems,
    snapshot: findings.snapshot,
    ...(page.signedIn === undefined ? {} : { signedIn: page.signedIn }),
    detail: missingWords(findings),
  };
}

export function redirectRecord(
  visit: Visit,
  answer: Answer,
  target: string,
  links: Omit<PageRecord['links'], 'new'>,
): PageRecord {
  return {
    ...answerRecord(visit, 'redirected', answer),
    finalUrl: target,
    redirects: [{ url: visit.url, status: answer.status }],
    links: { ...links, new: 0 },
  };
}

export function answerRecord(visit: Visit, outcome: RecordOutcome, answer: Answer): PageRecord {
  return {
    ...bareRecord(visit, outcome),
    status: answer.status,
    contentType: answer.contentType === '' ? null : answer.contentType,
    timing: answer.timing,
  };
}

/** The pipeline's findings about a file. */
type FileEntry = Pick<
  PageRecord,
  'bytes' | 'truncated' | 'title' | 'description' | 'lang' | 'facts' | 'words' | 'digest' | 'snapshot'
> & { readonly links: Omit<PageRecord['links'], 'new'>; readonly unread: readonly string[] };

export function fileRecord(visit: Visit, answer: Answer, { unread, ...entry }: FileEntry): PageRecord {
  const links = { ...entry.links, new: 0 };
  return { ...answerRecord(visit, 'not-html', answer), ...entry, links, detail: missingWords({ unread }) };
}

/** Most unread parts listed: a page may load fifty unreadable answers. */
const UNREAD_SHOWN = 5;

/** What a page may still have that the record lacks, in words; null where there is nothing. */
function missingWords({
  unread,
  unreadAnswers = [],
  cutLinks = null,
  unusedControls = null,
}: Pick<PageFindings, 'unread'> & Partial<PageFindings>): string | null {
  const words = [
    ...listed('not read to its end', unread),
    ...listed('answers not read for links', unreadAnswers),
    ...(cutLinks === null ? [] : [`${grouped(cutLinks.kept)} of ${grouped(cutLinks.found)} links kept`]),
    ...(unusedControls === null ? [] : [unusedWords(unusedControls)]),
  ];
  return words.length === 0 ? null : words.join('; ');
}

const CAUSES: Readonly<Record<UnusedControls['limit'], string>> = {
  time: 'the time for a page was used up',
  actions: 'the number of actions for a page was used up',
  hangs: 'scripts of the page hung',
};

function unusedWords({ count, limit, names }: UnusedControls): string {
  const named = names.map((name) => JSON.stringify(name)).join(', ');
  const more = count > names.length && names.length > 0 ? ', …' : '';
  const which = names.length === 0 ? '' : ` (${named}${more})`;
  return `${UNUSED_CONTROLS}: ${count}${which}, as ${CAUSES[limit]}`;
}

function listed(what: string, parts: readonly string[]): readonly string[] {
  if (parts.length === 0) return [];
  const more = parts.length > UNREAD_SHOWN ? `, and ${parts.length - UNREAD_SHOWN} more` : '';
  return [`${what}: ${parts.slice(0, UNREAD_SHOWN).join(', ')}${more}`];
}

/** The line of a visit whose answer broke off before anything of its body could be read. */
export function missingBodyRecord(visit: Visit, { status, headers, contentType, truncated, timing }: Page): PageRecord {
  return {
    ...failureRecord(visit, 'unreachable', missingBodyWords(headers)),
    status,
    contentType: contentType === '' ? null : contentType,
    truncated,
    timing,
  };
}

/** A browser says the same of a body that cannot be decoded as of one that breaks off. */
function missingBodyWords(headers: Page['headers']): string {
  const coding = valueOf(headers, 'content-encoding')?.trim() ?? '';
  return coding === '' || coding.toLowerCase() === 'identity'
    ? 'the connection ended before any of the body came'
    : `the body is not in its content encoding (${coding.slice(0, 40)}), or broke off before any of it could be decoded`;
}

/** The line of a visit without an answer; `detail` says why. */
export function failureRecord(
  visit: Visit,
  outcome: Extract<RecordOutcome, 'unreachable' | 'timed-out' | 'crashed' | 'too-large'>,
  detail: string,
): PageRecord {
  return { ...bareRecord(visit, outcome), detail };
}
