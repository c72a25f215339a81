/** One line that says how a crawl is getting on. */
import { counted, grouped } from '../../base/count-words.ts';
import type { CrawlProgress, HostWait } from '../../crawl/crawl.ts';
import type { Paint } from '../terminal/paint.ts';
import { durationWords, stopwatch } from '../terminal/quantity.ts';
import { cutForTerminal, safeText } from '../terminal/safe-text.ts';

interface Part {
  readonly text: string;
  readonly paint: (text: string) => string;
  /** The part with the largest number is left out first where room is short. */
  readonly expendable: number;
}

/** Waits longer than this show the day: the time of day alone may be ambiguous. */
const DAY_SHOWN = 12 * 3_600_000;
/** Between parts. */
const GAP = '  ';

/**
 * Draws the line. Parts that do not fit are left out, the least telling first.
 * @param width columns that may be used, 1 or more; the line is never longer
 */
export function progressLine(progress: CrawlProgress, width: number, paint: Paint): string {
  let parts = partsOf(progress, paint);
  while (parts.length > 1 && lengthOf(parts) > width) {
    const least = Math.max(...parts.map(({ expendable }) => expendable));
    parts = parts.filter(({ expendable }) => expendable !== least);
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only.paint(cutForTerminal(only.text, width));
  return parts.map((part) => part.paint(part.text)).join(GAP);
}

function partsOf(progress: CrawlProgress, paint: Paint): readonly Part[] {
  const { totals, elapsed, stopping, visiting, redisSilence } = progress;
  const plain = (text: string) => text;
  const parts: Part[] = [
    { text: stopwatch(elapsed), paint: paint.faint, expendable: 4 },
    { text: counted(totals.visited, 'page'), paint: paint.strong, expendable: 0 },
  ];
  if (stopping) {
    parts.push({
      text: visiting === 0 ? 'stopping' : `stopping, ${visiting} in flight`,
      paint: paint.notable,
      expendable: 1,
    });
  }
  parts.push({ text: `${grouped(totals.queued)} queued`, paint: plain, expendable: 2 });
  if (totals.failed > 0) parts.push({ text: `${grouped(totals.failed)} failed`, paint: paint.bad, expendable: 3 });
  if (redisSilence === null) return [...parts, ...paceParts(progress, paint)];
  const text = `Redis has not answered for ${durationWords(redisSilence)}`;
  return [...parts, { text, paint: paint.notable, expendable: 0.5 }];
}

function paceParts(progress: CrawlProgress, paint: Paint): readonly Part[] {
  const { stopping, timeLeft, pagesPerSecond } = progress;
  const plain = (text: string) => text;
  const parts: Part[] = [{ text: `${rateText(pagesPerSecond)}/s`, paint: plain, expendable: 5 }];
  if (timeLeft !== null && !stopping)
    parts.push({ text: `${durationWords(timeLeft)} left`, paint: plain, expendable: 6 });
  const waiting = stopping ? null : waitingText(progress.hostsWaiting);
  if (waiting !== null) parts.push({ text: waiting, paint: paint.notable, expendable: 3.5 });
  const slowest = stopping ? null : slowestText(progress);
  if (slowest !== null) parts.push({ text: slowest, paint: paint.faint, expendable: 7 });
  return parts;
}

function slowestText({ slowestHost }: CrawlProgress): string | null {
  if (slowestHost === null) return null;
  const { host, queued, delay } = slowestHost;
  const pace = delay === 0 ? '' : `, one each ${durationWords(delay)}`;
  return `slowest ${cutForTerminal(safeText(host.replace(/^https?:\/\//, '')), 40)} (${grouped(queued)} queued${pace})`;
}

function waitingText([first, ...others]: readonly HostWait[]): string | null {
  if (first === undefined) return null;
  return `waiting for ${hostWaitText(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** `example.org until 14:05 (Retry-After, 503)`; with the day where it is another one, perhaps. Local time. */
export function hostWaitText({ host, until, left, why }: HostWait): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = new Date(until);
  const day = left < DAY_SHOWN ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return `${cutForTerminal(safeText(host.replace(/^https?:\/\//, '')), 40)} until ${day}${time} (${safeText(why)})`;
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, GAP.length * (parts.length - 1));
}

/** Two figures are enough to see whether it goes well. */
function rateText(rate: number): string {
  return rate >= 10 ? String(Math.round(rate)) : (Math.round(rate * 10) / 10).toFixed(1);
}
