/**
 * A page that has run its scripts and shows nothing at all: no text, no link, no picture; or only that it is loading. Either it waits for
 * something that takes longer than usual, or it is broken; it gets one longer wait, and if that brings nothing the record says so.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import { MARKS } from '../../core/page-verdict/verdict-words.ts';
import type { LinkKind } from '../../model/link-kinds.ts';
import type { Collected } from '../extract/collect.ts';
import { SOURCE as ACTIVITY_SAMPLE } from '../generated/activity-sample.ts';
import { CONTENT_ROUNDS, CONTENT_STEP, CONTENT_STEPS, CONTENT_WAIT, REAL_ROUND } from '../limits/idle-limits.ts';
import { parseActivitySample, runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { IdleWait } from './idle-wait.ts';

/** Is there nothing to see, on a page whose scripts could have made something? */
export function isBlankPage({ main, foundLinks }: Collected): boolean {
  const { facts, text } = main;
  if (!facts.scripted || facts.shows || text === null || text.trim() !== '') return false;
  return !leadsOn(foundLinks);
}

/** Does it say that it is loading, and nothing else? */
function isLoader({ main: { facts, text }, foundLinks }: Collected): boolean {
  return facts.scripted && MARKS.waiting.test(text?.trim() ?? '') && !leadsOn(foundLinks);
}

/** Is there nothing yet of what a reader comes for? */
export function lacksContent(collected: Collected): boolean {
  return isBlankPage(collected) || isLoader(collected);
}

function leadsOn(foundLinks: Collected['foundLinks']): boolean {
  return foundLinks.some(({ kind, confidence }) => confidence === 'high' && LEADING.has(kind));
}

interface ContentWaitOptions {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
}

/** Kinds of links that make a page useful though it shows nothing: it asked for another page. */
const LEADING: ReadonlySet<LinkKind> = new Set<LinkKind>(['navigation', 'meta-refresh', 'window-open']);

/** Waits longer, and ends as soon as something has come. */
export async function awaitContent(page: WarmPage, options: ContentWaitOptions, signal: AbortSignal): Promise<boolean> {
  const { idleWait, clock, until } = options;
  const end = Math.min(until, clock.monotonic() + CONTENT_WAIT);
  const before = await nodes(page, signal);
  const steps = Array.from({ length: CONTENT_STEPS }, () => () => idleWait.more(CONTENT_STEP, signal));
  // other threads and processes of the browser work by the real clock: keys are derived, code is compiled, devices are looked for
  const rounds = Array.from({ length: CONTENT_ROUNDS }, () => () => idleWait.pass(REAL_ROUND, signal));
  for (const act of [...steps, ...rounds]) {
    if (idleWait.spoiled || clock.monotonic() >= end) return false;
    await act();
    if (idleWait.spoiled) return false;
    if ((await nodes(page, signal)) !== before) {
      await idleWait.draw(signal);
      return true;
    }
  }
  return false;
}

async function nodes(page: WarmPage, signal: AbortSignal): Promise<number> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const activitySample = await runInWorld(
    page,
    frame,
    { source: ACTIVITY_SAMPLE, input: null, parse: parseActivitySample },
    signal,
  );
  return activitySample.nodes;
}
