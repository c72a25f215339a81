/** The coverage of an audit in words: every report begins with it. */
import { counted, grouped } from '../base/count-words.ts';
import { judgedShare } from '../core/gates/verdict.ts';
import type { AuditCoverage, AuditResult, NotJudgedReason } from '../model/finding.ts';
import { accessibilitySentences } from './accessibility-words.ts';
import { paintSentence } from './paint-words.ts';
import { shownText } from './shown-text.ts';

/** More verdicts than there are. */
const MOST_VERDICTS = 10;

/** Words for one page that was not judged, and for several. */
const REASON_WORDS: Readonly<Record<NotJudgedReason, readonly [string, string]>> = {
  'log-in-page': ['page that asks to sign in', 'pages that ask to sign in'],
  challenge: ['challenge of a bot protection', 'challenges of a bot protection'],
  'consent-wall': ['page behind a consent wall', 'pages behind a consent wall'],
  'error-page': ['error page', 'error pages'],
  'soft-404': ['missing page that is answered with 200', 'missing pages that are answered with 200'],
  'empty-application': ['application that showed nothing', 'applications that showed nothing'],
  canvas: [
    'page drawn on a canvas, where no text or link can be found',
    'pages drawn on a canvas, where no text or link can be found',
  ],
  'not-rendered-to-the-end': ['page that was not rendered to its end', 'pages that were not rendered to their end'],
  cut: ['page that was cut', 'pages that were cut'],
  'signed-out': ['page that was seen signed out', 'pages that were seen signed out'],
  forwarding: ['page that sends its readers on at once', 'pages that send their readers on at once'],
  part: ['piece of a page', 'pieces of pages'],
  'not-stored': ['page of which no HTML was kept', 'pages of which no HTML was kept'],
};

/** `External links: 40 ok, 2 broken, 5 blocked.`, the most frequent first; empty where none was asked for. */
export function externalSentence({ external = [] }: Pick<AuditResult, 'external'>): string {
  const counts = new Map<string, number>();
  for (const { verdict } of external) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const words = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_VERDICTS)
    .map(([verdict, count]) => `${grouped(count)} ${shownText(verdict, 30)}`);
  return words.length === 0 ? '' : `External links: ${words.join(', ')}.`;
}

/** `18 error pages`. */
export function reasonWords(reason: NotJudgedReason, count: number): string {
  const [one, several] = REASON_WORDS[reason];
  return `${grouped(count)} ${count === 1 ? one : several}`;
}

/** The reasons why pages were not judged, the most frequent first. */
export function notJudgedReasons({
  notJudged,
}: Pick<AuditCoverage, 'notJudged'>): readonly (readonly [NotJudgedReason, number])[] {
  return reasonNames()
    .map((reason) => [reason, notJudged[reason] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
}

function reasonNames(): readonly NotJudgedReason[] {
  return Object.keys(REASON_WORDS).filter((name): name is NotJudgedReason => Object.hasOwn(REASON_WORDS, name));
}

/** `95.2 %`; 100 % only for all, 0 % only for nothing. */
export function shareWords(share: number): string {
  if (share > 0 && share < 0.001) return 'below 0.1 %';
  if (share < 1 && share > 0.999) return '99.9 %';
  return `${Number((share * 100).toFixed(1))} %`;
}

/** The expected and seen addresses without those that redirect and files, so that the judged pages and those not judged are all that were seen. */
export function pagesOnly({
  expected,
  seen,
  redirected = 0,
  files = 0,
}: AuditCoverage): Readonly<Record<'expected' | 'seen', number>> {
  const [all, visited] = [expected, seen].map((count) => Math.max(0, count - redirected - files));
  return { expected: all ?? 0, seen: visited ?? 0 };
}

/** Sentences: how many pages were judged, which were not and why, and why not all were seen. */
export function coverageSentences(coverage: AuditCoverage): readonly string[] {
  if (coverage.compared !== undefined) return comparedSentences(coverage, coverage.compared);
  const { expected, seen, judged, limits, redirected = 0, files = 0, accessibility, paint } = coverage;
  const others = [
    ...(redirected === 0
      ? []
      : [
          `${grouped(redirected)} ${redirected === 1 ? 'address' : 'addresses'} that redirect${redirected === 1 ? 's' : ''}`,
        ]),
    ...(files === 0 ? [] : [`${counted(files, 'file')} that ${files === 1 ? 'is no page' : 'are no pages'}`]),
  ];
  const reasons = notJudgedReasons(coverage).map(([reason, count]) => reasonWords(reason, count));
  const unseen = Math.max(0, expected - seen);
  const pages = pagesOnly(coverage);
  const they = redirected + files === 1 ? 'it counts as no page' : 'they count as no pages';
  return [
    `${counted(pages.expected, 'page')} expected, ${grouped(pages.seen)} seen, ${grouped(judged)} judged (${shareWords(judgedShare(coverage))} of the expected).`,
    ...(others.length === 0 ? [] : [`Seen as well: ${others.join(', ')}; ${they}.`]),
    ...(reasons.length === 0 ? [] : [`Not judged: ${reasons.join(', ')}.`]),
    ...(unseen === 0 && limits.length === 0 ? [] : [`Not seen: ${unseenWords(unseen, limits)}.`]),
    ...(accessibility === undefined ? [] : accessibilitySentences(accessibility)),
    ...(paint === undefined ? [] : [paintSentence(paint)]),
  ];
}

/** The counts of a comparison. */
function comparedSentences(
  { expected, judged, limits }: AuditCoverage,
  { before, now, both, changed, others = 0, isExpectation = false }: NonNullable<AuditCoverage['compared']>,
): readonly string[] {
  const unknown = expected - judged;
  const besides =
    others === 0
      ? ''
      : `, and ${grouped(others)} ${others === 1 ? 'address that is no page' : 'addresses that are no pages'}`;
  if (isExpectation) return [`${counted(before, 'page')} expected, ${grouped(now)} found.`];
  return [
    `${counted(before, 'page')} before, ${grouped(now)} now: ${grouped(both)} of both compared, ${grouped(changed)} of all differ${besides}.`,
    ...(unknown === 0
      ? []
      : [`Nothing is said of ${counted(unknown, 'page')} that one of both crawls did not see, or that failed.`]),
    ...(limits.length === 0 ? [] : [`Not seen: ${limits.map((limit) => shownText(limit)).join('; ')}.`]),
  ];
}

function unseenWords(unseen: number, limits: readonly string[]): string {
  const why = limits.map((limit) => shownText(limit)).join('; ');
  if (unseen === 0) return why;
  return why === '' ? counted(unseen, 'page') : `${counted(unseen, 'page')} (${why})`;
}
