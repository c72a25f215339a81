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
  /** Will the page be looked at from its start? */
  readonly backToStart: boolean;
}

/** @returns whether anything came by it: where nothing did, the page need not be read again */
export async function scrollThrough(page: WarmPage, options: ExploreOptions, signal: AbortSignal): Promise<boolean> {
  const { settling, clock, until, backToStart } = options;
  const steps: ScrollStep[] = [];
  for (let round = 0; round < ROUNDS && clock.monotonic() < until && !settling.spoiled; round++) {
    const step = await scroll(page, 'end', signal);
    const before = steps.at(-1);
    steps.push(step);
    if (!step.scrollable || (before !== undefined && isSame(step, before))) break;
    await settling.more(ROUND_TIME, signal);
  }
  const [first, second] = steps;
  if (first === undefined || !first.scrollable || settling.spoiled) return false;
  const grown = second === undefined || !isSame(first, second);
  if (grown || backToStart) await scroll(page, 'start', signal);
  return grown;
}

function isSame(one: ScrollStep, other: ScrollStep): boolean {
  return one.height === other.height && one.links === other.links && one.nodes === other.nodes;
}

function scroll(page: WarmPage, to: 'start' | 'end', signal: AbortSignal): Promise<ScrollStep> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  return runInWorld(page, frame, { source: SCROLL, input: to, parse: parseScrollStep }, signal);
}
