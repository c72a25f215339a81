/** Sections of the summary about what was not crawled to its end: spaces without end, and hosts that were given up. */
import type { HostWait } from '../crawl/crawl.ts';
import type { TruncatedPages } from '../crawl/tally.ts';
import type { GivenUpHost, SuspectedTrap } from '../model/record.ts';
import type { Paint } from './paint.ts';
import { counted, grouped, hostWaitText } from './progress-line.ts';
import { safeText } from './safe-text.ts';
import { quoted } from './shell.ts';
import { TRUNCATION_WORDS } from './truncation-words.ts';

/** More stand in crawl.json. */
const SHOWN = 20;

/** What was held back and why, the largest first; empty where nothing was. */
export function trapsText(traps: readonly SuspectedTrap[], paint: Paint): string {
  const ranked = traps.toSorted((one, other) => other.held - one.held);
  const rows = ranked
    .slice(0, SHOWN)
    .flatMap(({ pattern, rule, fetched, held, why }) => [
      `  ${safeText(pattern)}  ${paint.notable(`${grouped(fetched)} fetched, ${grouped(held)} held back`)}`,
      ...(why === '' ? [] : [`      ${safeText(why)}`]),
      paint.faint(`      rule: ${safeText(rule)}; to follow them all: ${liftingFlag(pattern)}`),
    ]);
  return section('Suspected traps', rows, { all: traps.length, paint });
}

/** Hosts that failed so often in a row that nothing more is asked of them; empty where there are none. */
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

/** Hosts that had asked to wait when the crawl ended; empty where there are none. */
export function hostsWaitingText(hosts: readonly HostWait[], paint: Paint): string {
  const rows = hosts.slice(0, SHOWN).map((wait) => `  ${hostWaitText(wait)}`);
  return section('Hosts that asked to wait', rows, { all: hosts.length, paint });
}

/**
 * The flag that lets a space be followed: `--follow-traps '^https://example\.org/calendar/'`.
 * @param pattern host and path; what stands for many names (`#`, `@`, `*`) ends the part that can be named
 */
function liftingFlag(pattern: string): string {
  const [known = ''] = safeText(pattern).split(/[#@*?]/, 1);
  const source = known.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `--follow-traps ${quoted(`^${source}`)}`;
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
