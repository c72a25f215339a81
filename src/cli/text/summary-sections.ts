/** Sections of the summary about parts that were not crawled to their end: spaces without end, and hosts that were given up. */
import { counted, grouped } from '../../base/count-words.ts';
import type { CrawlReport, HostWait } from '../../crawl/crawl.ts';
import type { BlankPages, PartlyUsedPages, TruncatedPages, UnansweredPages } from '../../crawl/summary/tally.ts';
import type { FoldedParameters, GivenUpHost, SuspectedTrap } from '../../model/record.ts';
import { patternSource } from '../../model/url/pattern-source.ts';
import type { Paint } from '../terminal/paint.ts';
import { hostWaitText } from './progress-line.ts';
import { durationWords } from '../terminal/quantity.ts';
import { safeText } from '../terminal/safe-text.ts';
import { quoted } from '../shell.ts';
import { TRUNCATION_WORDS } from './truncation-words.ts';

/** More stand in crawl.json. */
const SHOWN = 20;

/** The traps whose URLs were skipped and why, the largest first; empty where there were none. */
export function trapsText(traps: readonly SuspectedTrap[], paint: Paint): string {
  const ranked = traps.toSorted((one, other) => other.held - one.held);
  const rows = ranked
    .slice(0, SHOWN)
    .flatMap(({ pattern, rule, fetched, held, why }) => [
      `  ${safeText(pattern)}  ${paint.notable(`${grouped(fetched)} fetched, ${grouped(held)} held back`)}`,
      ...(why === '' ? [] : [`      ${safeText(why)}`]),
      paint.faint(`      rule: ${safeText(rule)}; ${liftingWords(pattern)}`),
    ]);
  return section('Suspected traps', rows, { all: traps.length, paint });
}

/** URLs that were not fetched because their parameters change nothing, the most first; empty where there are none. */
export function foldedParametersText(folded: readonly FoldedParameters[], paint: Paint): string {
  const ranked = folded.toSorted((one, other) => other.held - one.held);
  const rows = ranked.slice(0, SHOWN).flatMap(({ pattern, parameters, hasPlaces, compared, held }) => {
    const what = [...parameters, ...(hasPlaces ? ['places in pages'] : [])].join(', ');
    const names =
      hasPlaces || parameters.length === 0 ? '*' : parameters.map((name) => name.replace(/^#/, '')).join(',');
    return [
      `  ${safeText(pattern)}  ${safeText(what)}: ${paint.notable(`${counted(held, 'URL')} not fetched`)}`,
      paint.faint(
        `      ${counted(compared, 'visit')} compared; to fetch them all: --keep-query-params ${quoted(safeText(names))}`,
      ),
    ];
  });
  return section('Parameters that change nothing', rows, { all: folded.length, paint });
}

/** Hosts that failed so often in a row that they get no more requests; empty where there were none. */
export function hostsGivenUpText(hosts: readonly GivenUpHost[], paint: Paint): string {
  const ranked = hosts.toSorted((one, other) => other.queued - one.queued);
  const rows = ranked
    .slice(0, SHOWN)
    .flatMap(({ host, failures, queued, why }) => [
      `  ${safeText(host)}  ${paint.bad(`${counted(failures, 'failure')} in a row`)}, ${counted(queued, 'URL')} left`,
      ...(why === '' ? [] : [`      ${safeText(why)}`]),
    ]);
  return section('Hosts given up', rows, { all: hosts.length, paint });
}

/** Pages and files whose body broke off before its end; empty where there were none. */
export function truncatedText({ count, first }: TruncatedPages, paint: Paint): string {
  const rows = first.map(({ url, cause }) => `  ${safeText(url)}  ${paint.bad(TRUNCATION_WORDS[cause])}`);
  const shown = count > first.length ? `${first.length} of ${grouped(count)}` : `${count}`;
  return rows.length === 0 ? '' : [`Bodies that broke off (${shown})`, ...rows].join('\n');
}

/** Pages that the settle timeout ended before they had their answers; empty where there were none. */
export function unansweredText({ count, longest }: UnansweredPages): string {
  if (longest === null) return '';
  const request = safeText(longest.request.replace(/^https?:\/\/[^/]*(?=\/)/, '').split('?', 1)[0] ?? '');
  const what = `${counted(count, 'page')} ended while waiting, longest for ${request} (${durationWords(longest.time)})`;
  return [what, `  on ${safeText(longest.url)}; --settle-timeout lets pages wait longer`].join('\n');
}

/** Pages that `--explore` left before all of their controls were used; empty where there were none. */
export function partlyUsedText({ count, first }: PartlyUsedPages): string {
  if (first === null) return '';
  const what = `${counted(count, 'page')} had controls left when the limits of their use were reached, first ${safeText(first)}`;
  const how = '  detail in pages.jsonl says which; where their time was used up, a longer --page-timeout gives more';
  return [what, how].join('\n');
}

/** Pages that showed nothing in the browser: applications that did not start, mostly; empty where there were none. */
export function blankText({ count, first }: BlankPages): string {
  if (first === null) return '';
  return `${counted(count, 'page')} showed nothing in the browser, first ${safeText(first)}`;
}

/** Hosts that had asked to wait when the crawl ended; empty where there are none. */
export function hostsWaitingText(hosts: readonly HostWait[], paint: Paint): string {
  const rows = hosts.slice(0, SHOWN).map((wait) => `  ${hostWaitText(wait)}`);
  return section('Hosts that asked to wait', rows, { all: hosts.length, paint });
}

/** The hosts of the URLs that a crawl left queued when it ended at a limit; empty where they are of one host. */
export function queuedHostsText({ queuedHosts, state }: CrawlReport, paint: Paint): string {
  if (state !== 'finished' || queuedHosts.length < 2) return '';
  const width = Math.max(...queuedHosts.map(({ queued }) => grouped(queued).length));
  const rows = queuedHosts.map(({ host, queued }) => `  ${grouped(queued).padStart(width)}  ${safeText(host)}`);
  return section('Still queued', rows, { all: queuedHosts.length, paint });
}

/** How to follow a space after all: it alone, never its host. @param pattern host and shape, see model/url/pattern-source.ts */
function liftingWords(pattern: string): string {
  const source = patternSource(safeText(pattern));
  if (source === null) return 'they are all over the host: to follow some, name them with --follow-traps';
  return `to follow them all: --follow-traps ${quoted(source)}`;
}

function section(
  title: string,
  rows: readonly string[],
  { all, paint }: { readonly all: number; readonly paint: Paint },
): string {
  if (rows.length === 0) return '';
  const more = all > SHOWN ? [paint.faint(`  and ${grouped(all - SHOWN)} more in crawl.json`)] : [];
  return [title, ...rows, ...more].join('\n');
}
