/** The history of a URL as text for people. */
import { join } from 'node:path';
import { counted, grouped } from '../../base/count-words.ts';
import { TOTAL_CREDIT } from '../../base/units.ts';
import { unansweredOf } from '../../core/requests/unanswered.ts';
import type { StoredEvent, StoredPage } from '../../crawl-folder/stored-lines.ts';
import type { UrlHistory, UrlStanding } from '../../inspect/url-history.ts';
import type { LinkRecord } from '../../model/record.ts';
import type { Paint } from '../terminal/paint.ts';
import { durationWords } from '../terminal/quantity.ts';
import { rowsText, type Row } from '../terminal/rows.ts';
import { cutForTerminal, safeText } from '../terminal/safe-text.ts';
import { TRUNCATION_WORDS } from './truncation-words.ts';

interface HistoryFrame {
  readonly paint: Paint;
  /** Columns; longer lines are folded. */
  readonly width: number;
  /** The crawl folder as the user would type it. */
  readonly folder: string;
  /** The whole command that goes on with the crawl. */
  readonly resumeCommand: string;
}

/** The history, without a line feed at its end. */
export function historyText(history: UrlHistory, frame: HistoryFrame): string {
  const { paint, width } = frame;
  const asked = history.asked === history.url ? [] : [paint.faint(`asked for as ${safeText(history.asked)}`)];
  const rows: readonly Row[] = [
    { title: 'State', lines: standingLines(history, frame) },
    { title: 'Like it', lines: history.near.map(safeText) },
    { title: 'Linked', lines: linkLines(history, paint) },
    { title: 'Scope', lines: scopeLines(history) },
    { title: 'Robots', lines: history.scope === null ? [] : [robotsWords(history)] },
    ...(history.page === null ? [] : visitRows(history.page, frame)),
    { title: 'Trap', lines: trapLines(history) },
    { title: 'Log', lines: history.events.map(eventWords) },
  ];
  const notes = history.notes.map((note) => `${paint.notable('note')}  ${safeText(note)}`);
  const head = [paint.strong(safeText(history.url)), ...asked].join('\n');
  const body = rowsText(rows, { paint, width });
  return [head, body, ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n');
}

const UNVISITED: Readonly<Record<Exclude<UrlStanding, 'visited' | 'failed' | 'skipped' | 'queued'>, string>> = {
  held: 'not visited: what led to it kept it from being visited',
  subresource: 'not visited: it is a part of pages that load it, and no page',
  unknown: 'unknown: nothing that the crawl has seen names it',
};

/** The target of forms alone; those that send by GET lead to pages. */
const POSTED_TO = 'not visited: only forms that send data lead to it';

const NOFOLLOW_CURE = '--follow-nofollow follows such links; robots.txt stays obeyed';

function standingLines(history: UrlHistory, { paint, resumeCommand }: HistoryFrame): readonly string[] {
  const { standing, page, skipped } = history;
  switch (standing) {
    case 'visited':
    case 'failed':
      return page === null ? [] : outcomeLines(page, history.isSeed, standing === 'failed' ? paint.bad : paint.good);
    case 'skipped':
      return [
        `${paint.notable('skipped')}: ${skipped?.reason ?? ''}`,
        ...(skipped === null ? [] : [safeText(skipped.rule)]),
        ...(skipped?.reason === 'nofollow' ? [NOFOLLOW_CURE] : []),
        ...(skipped?.referrer ? [`seen on ${safeText(skipped.referrer)}`] : []),
      ];
    case 'queued':
      return queuedLines(history, resumeCommand);
    case 'subresource':
      return [Object.keys(history.inLinks.byKind).every((kind) => kind === 'form') ? POSTED_TO : UNVISITED[standing]];
    case 'held':
    case 'unknown':
      return [UNVISITED[standing]];
  }
}

/** @param isSeed a sitemap that the robots.txt of a seed's host names has no link behind it, either */
function outcomeLines(page: StoredPage, isSeed: boolean, colour: (text: string) => string): readonly string[] {
  const status = page.status === null ? '' : `, status ${page.status}`;
  const tries = page.attempt === 1 ? 'at the first try' : `at try ${page.attempt}`;
  return [
    `${colour(page.outcome)}${status}, ${tries}, ${isSeed ? 'as a seed' : `${counted(page.depth, 'link')} from a seed`}`,
    ...(page.detail === null ? [] : [safeText(page.detail)]),
    ...(page.truncated === null ? [] : [`its body broke off: ${TRUNCATION_WORDS[page.truncated]}`]),
    ...(page.finalUrl === page.url ? [] : [`led to ${safeText(page.finalUrl)}`]),
    ...(page.confidence === 'low'
      ? ['visited as a speculative link: only guesses, or pages that were guesses, named it by then']
      : []),
  ];
}

function queuedLines({ crawl, inLinks }: UrlHistory, resumeCommand: string): readonly string[] {
  const speculative = inLinks.total > 0 && inLinks.first.every(({ confidence }) => confidence === 'low');
  const what = speculative
    ? 'a speculative link that waits for its turn'
    : 'queued: it is in scope and was not visited yet';
  switch (crawl.state) {
    case 'running':
      return [what, `the crawl is running, or was killed; then it goes on with: ${resumeCommand}`];
    case 'interrupted':
      return [what, `the crawl was interrupted; it goes on with: ${resumeCommand}`];
    case 'finished':
    case 'failed':
      return [what, `it was still queued when the crawl ended (${safeText(crawl.end ?? crawl.state)})`];
  }
}

function linkLines({ inLinks, isSeed }: UrlHistory, paint: Paint): readonly string[] {
  const { total, pages, byKind, first } = inLinks;
  if (total === 0) return [isSeed ? 'by nobody; it is a seed' : 'by nobody'];
  const kinds = Object.entries(byKind)
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${grouped(count)} ${kind}`);
  const head = `${counted(total, 'time')} on ${counted(pages, 'page')}: ${kinds.join(', ')}`;
  const more =
    total > first.length && first.length > 0 ? [paint.faint(`and ${grouped(total - first.length)} more`)] : [];
  return [head, ...first.flatMap((link) => linkWords(link, paint)), ...more];
}

function linkWords(link: LinkRecord, paint: Paint): readonly string[] {
  return [`  ${safeText(link.from)}`, paint.faint(`    ${linkAbout(link)}`)];
}

/** How and where a link was found, and its text as a reader sees it; one line, safe for a terminal. */
export function linkAbout(link: LinkRecord): string {
  const about = [
    link.kind,
    safeText(link.context),
    ...(link.stage === 'load' ? [] : [`at ${link.stage}`]),
    ...(link.confidence === 'low' ? ['a speculative link'] : []),
    ...(link.rel.length === 0 ? [] : [`rel=${safeText(link.rel.join(','))}`]),
    ...(link.frame === null ? [] : [`in the frame ${safeText(link.frame)}`]),
    ...(link.text === '' ? [] : [`"${cutForTerminal(safeText(link.text), 60)}"`]),
    ...(link.new ? ['made it known'] : []),
  ];
  return about.join(', ');
}

function scopeLines({ scope, isSeed, standing }: UrlHistory): readonly string[] {
  if (scope === null) return [];
  const way = scope.depth !== null || isSeed ? '' : standing === 'unknown' ? ' (if a page in scope linked to it)' : '';
  return [`${scope.accepted ? 'accepted' : 'refused'}: ${safeText(scope.rule)}${way}`];
}

function robotsWords({ robots, standing }: UrlHistory): string {
  if (robots !== null) return safeText(robots);
  return standing === 'visited' || standing === 'failed'
    ? 'what robots.txt said was not recorded'
    : 'not asked: that is done right before a visit';
}

function visitRows(page: StoredPage, { folder, paint }: HistoryFrame): readonly Row[] {
  return [
    { title: 'Visit', lines: timingLines(page) },
    { title: 'Content', lines: contentLines(page) },
    {
      title: 'Links',
      lines: [
        `${grouped(page.links.found)} found, ${grouped(page.links.new)} of them new; ${counted(page.links.parts, 'part')}`,
      ],
    },
    { title: 'Credit', lines: [creditWords(page)] },
    { title: 'Duplicate', lines: [duplicateWords(page)] },
    { title: 'Snapshot', lines: snapshotLines(page, folder, paint) },
  ];
}

function timingLines({ startedAt, timing, settle, rendered }: StoredPage): readonly string[] {
  const begun = `${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}, ${rendered ? 'rendered' : 'not rendered'}`;
  if (timing === null) return [begun];
  const parts = [
    `waited ${durationWords(timing.wait)}`,
    `first byte ${durationWords(timing.ttfb)}`,
    `load ${durationWords(timing.load)}`,
    `settling ${durationWords(timing.settle)}`,
    `${durationWords(timing.total)} in all`,
  ];
  return [begun, parts.join(', '), ...(rendered ? [settleWords(settle)] : [])];
}

/** Why the page counted as done, and which answers it was waiting for. */
function settleWords(settle: StoredPage['settle']): string {
  const unanswered = unansweredOf(settle);
  if (unanswered.length > 0) return `ended while waiting for ${safeText(unanswered.join(', '))} (--settle-timeout)`;
  const pending = settle.pending.length === 0 ? '' : `; still pending: ${safeText(settle.pending.join(', '))}`;
  return `settled: ${safeText(settle.reason)}${pending}`;
}

function contentLines({ contentType, bytes, words, title }: StoredPage): readonly string[] {
  const parts = [
    ...(contentType === null ? [] : [safeText(contentType)]),
    ...(bytes === null ? [] : [`${grouped(bytes)} bytes`]),
    ...(words === null ? [] : [counted(words, 'word')]),
  ];
  return [
    ...(title === null ? [] : [`"${cutForTerminal(safeText(title), 120)}"`]),
    ...(parts.length === 0 ? [] : [parts.join(', ')]),
  ];
}

function creditWords({ credit }: StoredPage): string {
  const { cash, history, importance } = credit;
  return `${shareWords(cash / TOTAL_CREDIT)} of all when it was visited, ${shareWords(history / TOTAL_CREDIT)} given on; importance ${shareWords(importance)}`;
}

function shareWords(share: number): string {
  return share === 0 ? '0 %' : share < 1e-6 ? 'less than 0.0001 %' : `${Number((share * 100).toPrecision(3))} %`;
}

function duplicateWords({ duplicateOf, similarity }: StoredPage): string {
  if (duplicateOf === null) return 'none known';
  return `of ${safeText(duplicateOf)}${similarity === null ? '' : ` (similarity ${similarity.toFixed(2)})`}`;
}

function snapshotLines({ snapshot }: StoredPage, folder: string, paint: Paint): readonly string[] {
  const { html, text, screenshot, warc } = snapshot;
  const files = [html, text, screenshot].filter((file) => file !== null).map((file) => shown(folder, file));
  const archived = warc === null ? [] : [`${shown(folder, warc.file)} at ${grouped(warc.offset)}`];
  const lines = [...files, ...archived];
  return lines.length === 0 ? [paint.faint('none')] : lines;
}

function shown(folder: string, file: string): string {
  const path = safeText(join(folder, file));
  return folder.startsWith('./') ? `./${path}` : path;
}

function trapLines({ trap, skipped }: UrlHistory): readonly string[] {
  if (trap === null || skipped === null) return [];
  return [
    `${safeText(trap.pattern)}: ${grouped(trap.fetched)} fetched, ${grouped(trap.held)} held back`,
    safeText(trap.why),
  ];
}

function eventWords({ time, level, event, ...fields }: StoredEvent): string {
  const moment = safeText(time)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
  const { attempt, wait } = fields;
  const texts = Object.entries(fields)
    .filter(([name]) => !['url', 'attempt', 'wait'].includes(name))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const about = [
    event,
    ...(typeof attempt === 'number' ? [`try ${attempt}`] : []),
    ...texts,
    ...(typeof wait === 'number' ? [`next try in ${durationWords(wait)}`] : []),
  ];
  return `${moment}  ${level === 'info' ? '' : `${level}: `}${safeText(about.join(', '))}`;
}
