/** The result of a crawl as text for people. */
import { counted, grouped } from '../../base/count-words.ts';
import type { CrawlEnd, CrawlReport } from '../../crawl/crawl.ts';
import type { RecordOutcome, SkipReason } from '../../model/record.ts';
import type { Paint } from '../terminal/paint.ts';
import { durationWords } from '../terminal/quantity.ts';
import { raisingFlag } from '../flags/raising-flag.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import {
  blankText,
  foldedParametersText,
  hostsGivenUpText,
  hostsWaitingText,
  partlyUsedText,
  queuedHostsText,
  trapsText,
  truncatedText,
  unansweredText,
} from './summary-sections.ts';

interface SummaryFrame {
  readonly paint: Paint;
  /** The crawl folder as the user would type it. */
  readonly folder: string;
  /** The whole command that goes on with the crawl; null where its folder was moved or removed meanwhile. */
  readonly resumeCommand: string | null;
}

const END_WORDS: Readonly<Record<CrawlEnd, string>> = {
  'all-visited': 'Finished',
  'page-limit': 'Finished at the page limit',
  'time-limit': 'Finished at the time limit',
  'size-limit': 'Finished at the size limit',
  interrupted: 'Interrupted',
  'signed-out': 'Paused: signed out',
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
  limit: 'in sitemaps, beyond their limits or --limit',
  'host-limit': 'beyond --host-limit',
  trap: 'looks like a trap (endless URLs)',
  nofollow: 'linked with nofollow only',
  duplicate: 'linked from duplicates only',
  'duplicate-query': 'differs from a visited page in parameters that change nothing',
  'unsupported-scheme': 'no http(s) URL',
  'blocked-address': 'at a blocked address',
  'too-long': 'URL too long',
  probe: 'linked by no page: asked for only to see how the host answers',
  'low-confidence': "a speculative link beyond the host's budget, or to no page",
  'signs-out': 'signs out, and the crawl is signed in',
  acts: 'would delete or change something, and the crawl is signed in',
};

const SKIPPED_WORDS = { ...SKIP_WORDS, 'so-far': 'so far: skipped.jsonl has the reasons when the crawl has ended' };

/** The summary, without a line feed at its end. */
export function summaryText(report: CrawlReport, frame: SummaryFrame): string {
  return [
    headText(report, frame),
    tableText('Pages', report.outcomes, OUTCOME_WORDS, report.wrongGuesses),
    tableText('Skipped', skippedOf(report), SKIPPED_WORDS, {}),
    trapsText(report.suspectedTraps, frame.paint),
    foldedParametersText(report.foldedParameters, frame.paint),
    hostsGivenUpText(report.hostsGivenUp, frame.paint),
    hostsWaitingText(report.hostsWaiting, frame.paint),
    queuedHostsText(report, frame.paint),
    failuresText(report, frame.paint),
    truncatedText(report.truncated, frame.paint),
    unansweredText(report.unanswered),
    partlyUsedText(report.partlyUsed),
    blankText(report.blank),
    notesText(report, frame.paint),
    endText(report, frame),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * An early end where there is no summary. A failed seed is not visited again: without anything queued, `resume` would tell the same once more.
 * A crawl that broke off may have lines left to write.
 */
export function earlyEndText({ end, state, cause, totals, goesOn }: CrawlReport, resumeCommand: string | null): string {
  const leadsOn = state === 'interrupted' || (end === 'broken' ? goesOn !== null : totals.queued > 0);
  const why = `${END_WORDS[end]}: ${causeText(end, cause ?? 'the state is saved')}`;
  return leadsOn && resumeCommand !== null ? `${why}\n${resumeCommand}` : why;
}

/** An error of our own has its cure in a line below, as where it stops the program; other causes may quote a site. */
function causeText(end: CrawlEnd, cause: string): string {
  return end === 'broken' ? safeLines(cause).replaceAll('\n', '\n       ') : safeText(cause);
}

function headText(report: CrawlReport, { paint }: SummaryFrame): string {
  const { end, state, cause, totals, outcomes, linksFound } = report;
  const ended = END_WORDS[end];
  const good = state === 'finished';
  const captured = outcomes.captured ?? 0;
  const others = captured === totals.visited ? '' : `, ${counted(totals.visited, 'URL')} visited`;
  const found = `${counted(captured, 'page')} captured${others}, ${counted(linksFound, 'link')} found`;
  const why = cause === null ? '' : `\nCause: ${causeText(end, cause)}`;
  return `${good ? paint.good(ended) : paint.bad(ended)}: ${found} in ${timeText(report)}.${why}\n${balanceText(report)}`;
}

/** A resumed crawl's time is that of its last run, and so is its pace. */
function timeText({ elapsed, totals, visitsOfRun }: CrawlReport): string {
  const rate = elapsed >= 1000 && visitsOfRun > 0 ? ` (${rateText((visitsOfRun * 1000) / elapsed)} pages/s)` : '';
  const time = `${durationWords(elapsed)}${rate}`;
  // the totals of a crawl whose Redis is gone may be older than its visits
  return visitsOfRun >= totals.visited + totals.failed
    ? time
    : `all; this run made ${counted(visitsOfRun, 'visit')} in ${time}`;
}

/** Two figures, or all before the point: `toPrecision` alone writes 120 as 1.2e+2. */
function rateText(rate: number): string {
  return rate < 99.5 ? rate.toPrecision(2) : grouped(Math.round(rate));
}

/** Every URL that the crawl knows of is in one of these states. */
function balanceText(report: CrawlReport): string {
  const { discovered, visited, failed, skipped, queued } = report.totals;
  const guesses = wrongGuesses(report);
  const states = [
    `${grouped(visited)} visited`,
    `${grouped(failed - guesses)} failed`,
    ...(guesses === 0 ? [] : [`${guessWords(guesses)} (not the site's)`]),
    `${grouped(skipped)} skipped`,
    `${grouped(queued)} still queued`,
  ];
  return `${counted(discovered, 'URL')} known: ${states.join(', ')}.`;
}

/** The reasons of URLs that are skipped so far are told when the crawl ends. */
function skippedOf({ skipped, state, totals }: CrawlReport): Readonly<Partial<Record<SkipReason | 'so-far', number>>> {
  const told = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return state === 'finished' ? skipped : { ...skipped, 'so-far': totals.skipped - told };
}

function tableText<Name extends string>(
  title: string,
  counts: Readonly<Partial<Record<Name, number>>>,
  words: Readonly<Record<Name, string>>,
  guesses: Readonly<Partial<Record<string, number>>>,
): string {
  const rows = Object.entries<number | undefined>(counts)
    .map(([name, count = 0]) => ({ label: wordsOf(words, name) + ofThem(guesses[name] ?? 0, count), count }))
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

/** Failures of speculative links, which are counted as failed and named nowhere. */
function wrongGuesses({ wrongGuesses: counts }: CrawlReport): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function guessWords(count: number): string {
  return count === 1 ? '1 wrong guess' : `${grouped(count)} wrong guesses`;
}

/** How many of the pages of a row are wrong guesses. */
function ofThem(guesses: number, count: number): string {
  if (guesses === 0) return '';
  return guesses === count ? ` (${guesses === 1 ? 'a wrong guess' : 'wrong guesses'})` : ` (${guessWords(guesses)})`;
}

function failuresText(report: CrawlReport, paint: Paint): string {
  const { failures, totals } = report;
  const guesses = wrongGuesses(report);
  const all = totals.failed - guesses;
  if (failures.length === 0) return '';
  const shown = all > failures.length ? [`${failures.length} of ${grouped(all)}`] : [];
  const hidden = guesses === 0 ? [] : [`${guessWords(guesses)} not shown`];
  const about = [...shown, ...hidden].join('; ');
  const title = about === '' ? 'Failures' : `Failures (${about})`;
  const rows = failures.flatMap(({ url, why, referrer }) => [
    `  ${safeText(url)}  ${paint.bad(safeText(why))}`,
    ...(referrer === null ? [] : [paint.faint(`      linked from ${safeText(referrer)}`)]),
  ]);
  return [title, ...rows].join('\n');
}

function notesText({ notes }: CrawlReport, paint: Paint): string {
  return notes.map((note) => `${paint.notable('note')}  ${safeText(note)}`).join('\n');
}

function endText(report: CrawlReport, { folder, resumeCommand, paint }: SummaryFrame): string {
  const { state, end, totals, goesOn } = report;
  const shown = `Folder:  ${paint.strong(safeText(folder))}`;
  if (resumeCommand === null) return `${shown}, which is not there any more`;
  const lines = [shown];
  // a crawl that broke off because another process leads it goes on there
  const isLeft = end === 'hosts-given-up' || (end === 'broken' && goesOn !== null);
  if (state === 'interrupted' || (isLeft && totals.queued > 0)) lines.push(`Resume:  ${paint.strong(resumeCommand)}`);
  else if (state === 'finished' && goesOn !== null)
    lines.push(`Go on:   ${paint.strong(`${resumeCommand}${raisingFlag(goesOn)}`)}`);
  return lines.join('\n');
}
