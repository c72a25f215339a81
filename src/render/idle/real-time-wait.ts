/**
 * Gives time to work that a page's virtual clock does not move: chains of animation frames and idle callbacks, animations, workers,
 * sockets, event streams, media, WebAssembly, databases. A page without such work, as nearly all pages, costs nothing here: that is known already.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { ActivitySample, DocumentFacts } from '../../model/page-facts.ts';
import { SOURCE as ACTIVITY_SAMPLE } from '../generated/activity-sample.ts';
import {
  BUILDING_FRAMES,
  DRAWING_FRAMES,
  FEW_FRAMES,
  FRAME_BATCH,
  IDLE_TIME,
  MEDIA_QUIET,
  REAL_ROUND,
  REAL_ROUNDS_LIMIT,
  SOCKET_QUIET,
  STORAGE_QUIET,
  STORAGE_ROUND,
  WORKER_QUIET,
} from '../limits/idle-limits.ts';
import { parseActivitySample, runInWorld } from '../page/isolated-world.ts';
import type { PageWatch } from '../page/page-watch.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { IdleWait } from './idle-wait.ts';
import { keepsData } from './kept-data.ts';
import type { PatternWaits } from './learned-waits.ts';

export interface RealTimeWaitOptions {
  readonly idleWait: IdleWait;
  readonly learnedWaits: PatternWaits;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
  /** Was the page drawn before its activity was looked at? */
  readonly drawn: boolean;
}

/** What is waited for by the real clock. */
interface RealWork {
  /** Time without a change after which the page is done. */
  readonly quiet: Milliseconds;
  /** Does the page read and write databases or caches? Their work cannot be seen. */
  readonly stored: boolean;
}

/** @returns the waits that were tried; empty where there was no reason for one. The page must be read again to see their effect. */
export async function waitInRealTime(
  page: WarmPage,
  { activity, url }: Pick<DocumentFacts, 'activity' | 'url'>,
  options: RealTimeWaitOptions,
  signal: AbortSignal,
): Promise<readonly ('frames' | 'real-time')[]> {
  const { learnedWaits, idleWait, drawn } = options;
  const tried: ('frames' | 'real-time')[] = [];
  const draws = activity.frames > (drawn ? FEW_FRAMES : 0) || activity.idles > 0 || activity.animations > 0;
  if (draws && learnedWaits.isWorth('frames')) {
    const drew = await drawOn(page, options, signal);
    if (drew || activity.animations > 0) tried.push('frames');
  }
  if (idleWait.spoiled || !learnedWaits.isWorth('real-time')) return tried;
  const work = await realWorkOf(page, url, signal);
  if (work === null) return tried;
  await waitOn(page, work, options, signal);
  tried.push('real-time');
  return tried;
}

async function realWorkOf(page: WarmPage, url: string, signal: AbortSignal): Promise<RealWork | null> {
  const quiet = quietOf(page.watch);
  if (quiet !== null) return { quiet, stored: false };
  return (await keepsData(page, url, signal)) ? { quiet: STORAGE_QUIET, stored: true } : null;
}

/** Classes that may say something at any time, and do not hold the page's clock while they are open. */
const GOING_ON: ReadonlySet<string> = new Set(['websocket', 'eventsource', 'media']);

/** Time for which a page with work on the real clock must be quiet; null for a page without such work. */
export function quietOf({ workers, requests }: Pick<PageWatch, 'workers' | 'requests'>): Milliseconds | null {
  // other threads compile WebAssembly, and the application begins only then
  if (workers > 0 || requests.some(({ contentType }) => contentType === 'application/wasm')) return WORKER_QUIET;
  const goOn = requests.some(({ type, ended }) => !ended && GOING_ON.has(type));
  if (goOn) return SOCKET_QUIET;
  return requests.some(({ type }) => type === 'media') ? MEDIA_QUIET : null;
}

/** Draws as long as the page asks for frames, has idle work or is animated. @returns whether it did more than once */
async function drawOn(
  page: WarmPage,
  { idleWait, clock, until }: RealTimeWaitOptions,
  signal: AbortSignal,
): Promise<boolean> {
  let before = await activitySample(page, signal);
  const first = before;
  for (let frames = FRAME_BATCH; frames <= BUILDING_FRAMES; frames += FRAME_BATCH) {
    if (idleWait.spoiled || clock.monotonic() >= until) break;
    await idleWait.animate(FRAME_BATCH, signal);
    if (before.idling && !idleWait.spoiled) await idleWait.show(IDLE_TIME, signal);
    if (idleWait.spoiled) break;
    const now = await activitySample(page, signal);
    const grows = isGrown(before, now);
    const idles = now.idling || before.idling || now.idles > before.idles;
    const goesOn = now.frames - before.frames >= FRAME_BATCH / 2 || idles || now.animations > 0;
    before = now;
    // the effects of the first batch may take a moment
    if (!grows && !goesOn && frames > FRAME_BATCH) break;
    if (!grows && frames >= DRAWING_FRAMES) break;
  }
  return before.frames > first.frames || hasIdled(first, before) || isGrown(first, before) || first.animations > 0;
}

function hasIdled(first: ActivitySample, last: ActivitySample): boolean {
  return last.idles > first.idles || (first.idling && !last.idling);
}

async function waitOn(
  page: WarmPage,
  { quiet: atFirst, stored }: RealWork,
  { idleWait, clock, until }: RealTimeWaitOptions,
  signal: AbortSignal,
): Promise<void> {
  const end = Math.min(until, clock.monotonic() + REAL_ROUNDS_LIMIT);
  if (page.deterministic) {
    // each round moves the page's clock: the number of rounds must not depend on the speed of the machine
    for (let passed = 0; passed < REAL_ROUNDS_LIMIT && clock.monotonic() < until; passed += REAL_ROUND) {
      await idleWait.pass(REAL_ROUND, signal);
      if (idleWait.spoiled) return;
    }
    return;
  }
  let before = await activitySample(page, signal);
  let changedAt = clock.monotonic();
  let quiet = atFirst;
  let said = page.watch.messages;
  const round = stored ? STORAGE_ROUND : REAL_ROUND;
  while (clock.monotonic() < end && clock.monotonic() - changedAt < quiet) {
    await idleWait.pass(round, signal);
    if (idleWait.spoiled) return;
    const now = await activitySample(page, signal);
    const left = quietOf(page.watch) ?? (stored ? STORAGE_QUIET : null);
    const haveArrived = left === MEDIA_QUIET && quiet !== MEDIA_QUIET;
    if (haveArrived) quiet = MEDIA_QUIET;
    // what a socket says first may only lead to what it says next: a greeting, a confirmation, then the contents
    const isSaid = page.watch.messages > said;
    if (haveArrived || isSaid || isGrown(before, now)) changedAt = clock.monotonic();
    said = page.watch.messages;
    before = now;
    if (left === null && clock.monotonic() - changedAt > REAL_ROUND) return; // all that was waited for has ended
  }
}

/** Did the nodes or links that may lead further change? */
function isGrown(before: ActivitySample, now: ActivitySample): boolean {
  return before.nodes !== now.nodes || before.links !== now.links || before.letters !== now.letters;
}

export function activitySample(page: WarmPage, signal: AbortSignal): Promise<ActivitySample> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  return runInWorld(page, frame, { source: ACTIVITY_SAMPLE, input: null, parse: parseActivitySample }, signal);
}
