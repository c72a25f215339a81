/** What a crawl came to, as text for people. */
import type { CrawlEnd, CrawlReport } from '../crawl/crawl.ts';
import type { RecordOutcome, SkipReason } from '../model/record.ts';
import type { Paint } from './paint.ts';
import { counted, grouped } from './progress-line.ts';
import { durationWords } from './quantity.ts';
import { safeText } from './safe-text.ts';
import { hostsGivenUpText, hostsWaitingText, trapsText, truncatedText } from './summary-sections.ts';

interface SummaryFrame {
  readonly paint: Paint;
  /** The crawl folder as the user would type it. */
  readonly folder: string;
  /** The whole command that goes on with the crawl. */
  readonly resumeCommand: string;
}

const END_WORDS: Readonly<Record<CrawlEnd, string>> = {
  'all-visited': 'Finished',
  'page-limit': 'Finished at the page limit',
  'time-limit': 'Finished at the time limit',
  'size-limit': 'Finished at the size limit',
  interrupted: 'Interrupted',
  'seeds-failed': 'Failed: no seed could be visited',
  'hosts-given-up': 'Given up: every host that was left failed too often',
  broken: 'Broken off',
};

const OUTCOME_WORDS: Readonly<Record<RecordOutcome, string>> = {
  captured: 'captured',
  redirected: 'redirected to another page',
  'not-html': 'no HTML page',
  'http-error': 'answered with an error',
  unreachable: 'unreachable',
  'timed-out': 'timed out',
  crashed: 'crashed the browser page',
  'too-large': 'too large',
};

const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  'out-of-scope': 'outside the scope',
  'disallowed-by-robots': 'forbidden by robots.txt',
  depth: 'deeper than --depth',
  limit: 'beyond --limit',
  'host-limit': 'beyond --host-limit',
  trap: 'looks like a trap (endless URLs)',
  nofollow: 'linked with nofollow only',
  duplicate: 'linked from duplicates only',
  'unsupported-scheme': 'no http(s) URL',
  'blocked-address': 'at a blocked address',
  'too-long': 'URL too long',
  probe: 'a soft-404 probe: nobody named it',
  'low-confidence': "a speculative link beyond the host's budget",
};

/** The summary, without a line feed at its end. */
export function summaryText(report: CrawlReport, frame: SummaryFrame): string {
  return [
    headText(report, frame),
    tableText('Pages', report.outcomes, OUTCOME_WORDS),
    tableText('Skipped', report.skipped, SKIP_WORDS),
    trapsText(report.suspectedTraps, frame.paint),
    hostsGivenUpText(report.hostsGivenUp, frame.paint),
    hostsWaitingText(report.hostsWaiting, frame.paint),
    failuresText(report, frame.paint),
    truncatedText(report.truncated, frame.paint),
    notesText(report, frame.paint),
    endText(report, frame),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headText(report: CrawlReport, { paint }: SummaryFrame): string {
  const { end, state, cause, totals, outcomes, linksFound } = report;
  const ended = END_WORDS[end];
  const good = state === 'finished';
  const captured = outcomes.captured ?? 0;
  const others = captured === totals.visited ? '' : `, ${counted(totals.visited, 'URL')} visited`;
  const found = `${counted(captured, 'page')} captured${others}, ${counted(linksFound, 'link')} found`;
  const why = cause === null ? '' : `\nCause: ${safeText(cause)}`;
  return `${good ? paint.good(ended) : paint.bad(ended)}: ${found} in ${timeText(report)}.${why}\n${balanceText(totals)}`;
}

/** A resumed crawl's time is that of its last run, and so is its pace. */
function timeText({ elapsed, totals, visitsOfRun }: CrawlReport): string {
  const rate =
    elapsed >= 1000 && visitsOfRun > 0 ? ` (${((visitsOfRun * 1000) / elapsed).toPrecision(2)} pages/s)` : '';
  const time = `${durationWords(elapsed)}${rate}`;
  return visitsOfRun === totals.visited + totals.failed ? time : `all, ${grouped(visitsOfRun)} of them now in ${time}`;
}

/** Every URL that the crawl knows of is in one of these states. */
function balanceText({ discovered, visited, failed, skipped, queued }: CrawlReport['totals']): string {
  const states = [
    `${grouped(visited)} visited`,
    `${grouped(failed)} failed`,
    `${grouped(skipped)} skipped`,
    `${grouped(queued)} still queued`,
  ];
  return `${counted(discovered, 'URL')} known: ${states.join(', ')}.`;
}

function tableText<Name extends string>(
  title: string,
  counts: Readonly<Partial<Record<Name, number>>>,
  words: Readonly<Record<Name, string>>,
): string {
  const rows = Object.entries<number | undefined>(counts)
    .map(([name, count = 0]) => ({ label: wordsOf(words, name), count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(({ count }) => grouped(count).length));
  return [title, ...rows.map(({ label, count }) => `  ${grouped(count).padStart(width)}  ${label}`)].join('\n');
}

/** A name that this table does not know (a folder written by a later version) stands for itself. */
function wordsOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? '') : safeText(name);
}

function failuresText({ failures, totals }: CrawlReport, paint: Paint): string {
  if (failures.length === 0) return '';
  const title =
    totals.failed > failures.length ? `Failures (${failures.length} of ${grouped(totals.failed)})` : 'Failures';
  const rows = failures.flatMap(({ url, why, referrer }) => [
    `  ${safeText(url)}  ${paint.bad(safeText(why))}`,
    ...(referrer === null ? [] : [paint.faint(`      linked from ${safeText(referrer)}`)]),
  ]);
  return [title, ...rows].join('\n');
}

function notesText({ notes }: CrawlReport, paint: Paint): string {
  return notes.map((note) => `${paint.notable('note')}  ${safeText(note)}`).join('\n');
}

function endText({ state, end, totals }: CrawlReport, { folder, resumeCommand, paint }: SummaryFrame): string {
  const lines = [`Folder:  ${paint.strong(safeText(folder))}`];
  if (state === 'interrupted' || ((end === 'broken' || end === 'hosts-given-up') && totals.queued > 0))
    lines.push(`Resume:  ${paint.strong(resumeCommand)}`);
  return lines.join('\n');
}
