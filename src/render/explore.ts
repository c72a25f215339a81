/** Scrolls as a reader would, until the page grows no more; what it then shows has the stage `scroll`. */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { SOURCE as SCROLL } from './generated/scroll.ts';
import { parseScrollStep, runInWorld } from './isolated-world.ts';
import type { ScrollStep } from '../model/page-facts.ts';
import type { Settling } from './settle.ts';
import type { WarmPage } from './warm-page.ts';

/** Rounds of an endless page. */
const ROUNDS = 30;
/** Time of the page's clock for each round's requests and timers (render-recipe 5.5). */
const ROUND_TIME: Milliseconds = milliseconds(300);

export interface ExploreOptions {
  readonly settling: Settling;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
}

/** @returns whether there was anything to scroll */
export async function scrollThrough(page: WarmPage, options: ExploreOptions, signal: AbortSignal): Promise<boolean> {
  const { settling, clock, until } = options;
  let before: ScrollStep | null = null;
  for (let round = 0; round < ROUNDS && clock.monotonic() < until && !settling.spoiled; round++) {
    const step = await scroll(page, 'end', signal);
    if (!step.scrollable || (before !== null && step.height === before.height && step.links === before.links)) break;
    before = step;
    await settling.more(ROUND_TIME, signal);
  }
  if (before !== null) await scroll(page, 'start', signal);
  return before !== null;
}

function scroll(page: WarmPage, to: 'start' | 'end', signal: AbortSignal): Promise<ScrollStep> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  return runInWorld(page, frame, { source: SCROLL, input: to, parse: parseScrollStep }, signal);
}
