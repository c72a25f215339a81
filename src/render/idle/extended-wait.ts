/** Extended waits, beyond a page's time budget: for work that runs on the real clock, and for a page that is still blank. */
import { leadsToPage } from '../../core/links/page-link.ts';
import { joined } from '../extract/capture.ts';
import { collect, type Collected } from '../extract/collect.ts';
import { ASKED_ROUNDS } from '../limits/idle-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { awaitContent, lacksContent } from './blank-page.ts';
import { waitInRealTime, type RealTimeWaitOptions } from './real-time-wait.ts';

export interface ExtendedWait {
  readonly collected: Collected;
  /** Has real time passed? */
  readonly longer: boolean;
}

/** @param read the page as it was read first */
export async function waitLonger(
  page: WarmPage,
  read: Collected,
  options: RealTimeWaitOptions,
  signal: AbortSignal,
): Promise<ExtendedWait> {
  const { idleWait, learnedWaits } = options;
  const first = await awaitAsked(page, read, options, signal);
  const tried = await waitInRealTime(page, first.main.facts, options, signal);
  let collected = first;
  if (tried.length > 0 && !idleWait.spoiled) {
    collected = await again(page, first, signal);
    const gained = pagesOf(collected) > pagesOf(first);
    for (const waitKind of tried) learnedWaits.learn(waitKind, gained);
  }
  const longer = tried.includes('real-time');
  if (idleWait.spoiled || !lacksContent(collected)) return { collected, longer };
  // drawing its frames may have brought content
  if (!options.drawn) collected = await again(page, collected, signal);
  if (!lacksContent(collected) || !learnedWaits.isWorth('blank-page')) return { collected, longer };
  if (await awaitContent(page, options, signal)) collected = await again(page, collected, signal);
  learnedWaits.learn('blank-page', !lacksContent(collected));
  return { collected, longer: true };
}

/** Waits for what the last frame made the page ask for, or what it asked for while it was read, and for what follows from that. */
async function awaitAsked(
  page: WarmPage,
  first: Collected,
  { idleWait, clock, until }: RealTimeWaitOptions,
  signal: AbortSignal,
): Promise<Collected> {
  let collected = first;
  for (let round = 0; round < ASKED_ROUNDS && idleWait.asks && clock.monotonic() < until; round++) {
    await idleWait.draw(signal);
    if (idleWait.spoiled) break;
    collected = await again(page, collected, signal);
  }
  return collected;
}

/** Links that lead to pages. Only these make a wait worth while: a page that polls requests something new at any time. */
function pagesOf({ foundLinks }: Collected): number {
  return foundLinks.filter(leadsToPage).length;
}

async function again(page: WarmPage, before: Collected, signal: AbortSignal): Promise<Collected> {
  return joined(before, await collect(page, 'load', signal));
}
