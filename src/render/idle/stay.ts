/** What a page gets beyond its budget: time for what goes by the real clock, and patience where it shows nothing. */
import { leadsToPage } from '../../core/links/page-link.ts';
import { joined } from '../extract/capture.ts';
import { collect, type Collected } from '../extract/collect.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { awaitContent, isEmptyShell } from './empty-shell.ts';
import { linger, type LingerOptions } from './linger.ts';

export interface Stay {
  readonly collected: Collected;
  /** Was there real time in it? */
  readonly longer: boolean;
}

/** @param first what was read so far */
export async function stayOn(
  page: WarmPage,
  first: Collected,
  options: LingerOptions,
  signal: AbortSignal,
): Promise<Stay> {
  const { settling, hints } = options;
  const tried = await linger(page, first.main.facts.liveliness, options, signal);
  let collected = first;
  if (tried.length > 0 && !settling.spoiled) {
    collected = await again(page, first, signal);
    const gained = pagesOf(collected) > pagesOf(first);
    for (const effort of tried) hints.learn(effort, gained);
  }
  const longer = tried.includes('real-time');
  if (settling.spoiled || !isEmptyShell(collected)) return { collected, longer };
  // its frames may have brought what it shows
  if (!options.drawn) collected = await again(page, collected, signal);
  if (!isEmptyShell(collected) || !hints.isWorth('patience')) return { collected, longer };
  if (await awaitContent(page, options, signal)) collected = await again(page, collected, signal);
  hints.learn('patience', !isEmptyShell(collected));
  return { collected, longer: true };
}

/** A page that polls asks for something new at any time; only what leads to pages makes a wait worth while. */
function pagesOf({ foundLinks }: Collected): number {
  return foundLinks.filter(leadsToPage).length;
}

async function again(page: WarmPage, before: Collected, signal: AbortSignal): Promise<Collected> {
  return joined(before, await collect(page, 'load', signal));
}
