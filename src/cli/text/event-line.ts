/** Events of a crawl as lines for people. */
import { counted } from '../../base/count-words.ts';
import { assertNever } from '../../base/assert-never.ts';
import type { CrawlEvent } from '../../crawl/events.ts';
import type { PageRecord } from '../../model/record.ts';
import type { Paint } from '../terminal/paint.ts';
import { durationWords } from '../terminal/quantity.ts';
import { safeText } from '../terminal/safe-text.ts';

export type Loudness = 'quiet' | 'normal' | 'verbose';

/** The lines of an event, or null where this loudness does not show it. */
export function eventLine(event: CrawlEvent, loudness: Loudness, paint: Paint): string | null {
  switch (event.kind) {
    case 'page':
      return loudness === 'verbose' ? pageLine(event.page, paint) : null;
    case 'failed':
      if (event.page.confidence === 'low')
        return loudness === 'verbose' ? wrongSpeculationLine(event.page, paint) : null;
      return loudness === 'quiet' ? null : failureLine(event.page, paint);
    case 'skipped':
      return null; // thousands of them; the summary counts, skipped.jsonl lists
    case 'note':
      return loudness === 'quiet' ? null : noteLine(event.message, paint);
    default:
      return assertNever(event);
  }
}

/** A note, from the crawl or from the command line itself. */
export function noteLine(message: string, paint: Paint): string {
  return `${paint.notable('note')}  ${safeText(message)}`;
}

function pageLine(page: PageRecord, paint: Paint): string {
  const took = page.timing === null ? '' : durationWords(page.timing.total);
  const links = counted(page.links.found, 'link');
  const columns = [
    page.outcome.padEnd(9),
    String(page.status ?? '-').padStart(3),
    took.padStart(8),
    links.padStart(10),
  ];
  const target = page.finalUrl === page.url ? '' : `\n      ${paint.faint(`to ${safeText(page.finalUrl)}`)}`;
  return `${paint.faint(columns.join('  '))}  ${safeText(page.url)}${target}`;
}

function failureLine(page: PageRecord, paint: Paint): string {
  const from = page.referrer === null ? '' : `\n      ${paint.faint(`linked from ${safeText(page.referrer)}`)}`;
  return `${paint.bad('failed')}  ${safeText(page.url)}  ${safeText(whyFailed(page))}${from}`;
}

/** The line of a speculative address where nothing is: no failure of the site. */
function wrongSpeculationLine(page: PageRecord, paint: Paint): string {
  return paint.faint(`spec    ${safeText(page.url)}  ${safeText(whyFailed(page))}`);
}

function whyFailed({ outcome, status, detail }: PageRecord): string {
  if (detail !== null) return detail;
  return status === null ? outcome : `${outcome} ${status}`;
}
