/** Makes a page's record from the results of its visit. Pure but for its inputs. */
import { bytes, type EpochMs } from '../../base/units.ts';
import { headerRobots } from '../../core/answers/answer-outcome.ts';
import type { AnswerHead } from '../../core/answers/judge-answer.ts';
import type { AxeCheck } from '../../model/accessibility.ts';
import type { ConsentState } from '../../model/consent.ts';
import type { Page, PageAnswer, PageProblems, IdleResult, VisitTiming } from '../../model/page.ts';
import type { UnusedControls } from '../../model/page-actions.ts';
import type { PagePicture } from '../../model/page-pictures.ts';
import type { TruncationCause } from '../../model/truncation.ts';
import type { Visit } from '../../model/visit.ts';
import { isBlankPage } from '../idle/blank-page.ts';
import { LINK_LIMIT } from '../page-limits.ts';
import type { PageWatch } from '../page/page-watch.ts';
import type { Collected } from './collect.ts';
import { foundLinkKey } from './found-links.ts';
import { keptLinks } from './kept-links.ts';

interface Haul {
  readonly visit: Visit;
  readonly consent: ConsentState | null;
  readonly head: AnswerHead;
  readonly startedAt: EpochMs;
  readonly timing: VisitTiming;
  readonly settle: IdleResult;
  readonly truncated: TruncationCause | null;
  readonly collected: Collected;
  /** The first is that of the usual window; empty where there is none. */
  readonly pictures: readonly PagePicture[];
  readonly problems: PageProblems;
  /** For audits. */
  readonly observed: Pick<Page, 'behaviour' | 'received'>;
  readonly axe: AxeCheck | null;
  /** Null where that is not known. */
  readonly signedIn: boolean | null;
  /** Answers that were not read for links, and why. */
  readonly unreadAnswers: readonly string[];
  /** Null where all were used, or none was to be. */
  readonly unusedControls: UnusedControls | null;
  /** Answers in JSON; empty where they are not wanted. */
  readonly jsonAnswers: readonly PageAnswer[];
}

export function capturedPage(haul: Haul): Page {
  const { visit, consent, head, collected, settle, truncated, pictures, problems, startedAt, timing } = haul;
  const { facts, html, text } = collected.main;
  return {
    url: visit.url,
    finalUrl: facts.url,
    status: head.status,
    headers: head.headers,
    contentType: head.contentType === '' ? facts.contentType : head.contentType,
    bytes: bytes(Math.floor(facts.bytes)),
    truncated,
    startedAt,
    rendered: true,
    timing,
    settle,
    consent,
    empty: isBlankPage(collected),
    title: facts.title,
    description: facts.description,
    canonical: facts.canonical,
    lang: facts.lang,
    h1: facts.h1,
    robots: [...new Set([...facts.robots, ...headerRobots(head)])],
    html,
    text,
    screenshot: pictures[0]?.picture ?? null,
    ...(isPlain(pictures) ? {} : { pictures }),
    foundLinks: collected.foundLinks,
    foundLinksTotal: collected.total,
    problems,
    ...haul.observed,
    ...(haul.axe === null ? {} : { axe: haul.axe }),
    ...(haul.signedIn === null ? {} : { signedIn: haul.signedIn }),
    ...(haul.unreadAnswers.length === 0 ? {} : { unreadAnswers: haul.unreadAnswers }),
    ...(haul.unusedControls === null ? {} : { unusedControls: haul.unusedControls }),
    ...(haul.jsonAnswers.length === 0 ? {} : { jsonAnswers: haul.jsonAnswers }),
  };
}

/** Is there at most one picture and no box, as for nearly all pages? */
function isPlain(pictures: readonly PagePicture[]): boolean {
  return pictures.length <= 1 && pictures.every(({ boxes }) => boxes.length === 0);
}

/** The cause of a document's truncation, as far as the browser knows it; null where the document came to its end. */
export function breakOf(
  watch: Pick<PageWatch, 'documentFailed' | 'documentPending'>,
  { reason }: IdleResult,
  { main }: Collected,
): TruncationCause | null {
  if (watch.documentFailed) return 'disconnect';
  // a busy browser reports a document's end late, its parser does not
  return reason === 'timeout' && watch.documentPending() && main.facts.parsing ? 'time' : null;
}

/** Is a document of this media type, as the browser took it, a page? */
export function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}

/** Joins two readings: links found before the page was scrolled keep their stage; new ones have the later stage. */
export function joined(before: Collected, after: Collected): Collected {
  const known = new Set(before.foundLinks.map(foundLinkKey));
  const fresh = after.foundLinks.filter((foundLink) => !known.has(foundLinkKey(foundLink)));
  const foundLinks = keptLinks([...before.foundLinks, ...fresh], LINK_LIMIT);
  const isCut = foundLinks.length >= LINK_LIMIT;
  const all = Math.max(before.total, after.total, before.foundLinks.length + fresh.length);
  return { main: after.main, foundLinks, total: isCut ? all : foundLinks.length };
}
