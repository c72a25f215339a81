/** Samples of activity that is driven by neither timers nor requests: animation frames, idle callbacks, animations. */
import type { ActivityCounters, ActivitySample } from '../../src/model/page-facts.ts';
import { openRoots } from './open-roots.ts';
import { attribute, select } from './safe-dom.ts';
import './own-frames.ts'; // for the global that it declares
import { skipTransition } from './view-transition.ts';

declare global {
  /** How often we asked for a frame and an idle callback; in the isolated world's global object only. */
  var orbweaverAsked: number | undefined;
  /** In the isolated world's global object only. */
  var orbweaverIdle: IdleProbe | undefined;
}

/** Tracks the page's idle callbacks through our own: all of them run in the order in which they were requested. */
interface IdleProbe {
  /** Our idle callbacks. */
  asked: number;
  /** The page's idle callbacks: those requested before our last one (`before`), and before our last one that has run (`done`). */
  before: number;
  done: number;
}

/** Animations looked at. */
const ANIMATIONS = 200;

/**
 * Counts the page's callbacks. A document numbers frame and idle callbacks in order, for all its worlds, so our own number shows how
 * many the page has asked for. Nothing of the page is replaced, and our own callbacks do nothing.
 */
export function activityCountersOf(): ActivityCounters {
  const before = globalThis.orbweaverAsked ?? 0;
  globalThis.orbweaverAsked = before + 1;
  const frame = requestAnimationFrame(() => {});
  cancelAnimationFrame(frame);
  const idle = requestIdleCallback(() => {});
  cancelIdleCallback(idle);
  const animations = Document.prototype.getAnimations.call(document).slice(0, ANIMATIONS).filter(willEnd).length;
  return {
    frames: Math.max(0, frame - before - 1 - (globalThis.orbweaverFrames ?? 0)),
    idles: Math.max(0, idle - before - 1 - (globalThis.orbweaverIdle?.asked ?? 0)),
    animations: animations + (skipTransition() ? 1 : 0),
  };
}

/** False for an endless animation, such as a spinner: its end cannot be waited for. */
function willEnd(animation: Animation): boolean {
  if (animation.playState !== 'running') return false;
  const end = animation.effect?.getComputedTiming().endTime;
  return typeof end === 'number' && Number.isFinite(end);
}

/** The present activity of the page, cheap enough to be sampled again and again. */
export function activitySampleOf(): ActivitySample {
  let [nodes, links, letters] = [0, 0, 0];
  for (const root of openRoots()) {
    nodes += select(root, '*').length;
    const found = select(root, 'a[href],area[href],iframe[src],form[action]');
    links += found.length;
    for (const link of found) letters += attribute(link, 'href')?.length ?? 1;
  }
  const lively = activityCountersOf();
  return { ...lively, idling: isIdling(lively), nodes, links, letters };
}

/** Is an idle callback of the page still pending? */
function isIdling({ idles }: ActivityCounters): boolean {
  const probe = (globalThis.orbweaverIdle ??= { asked: 0, before: 0, done: 0 });
  if (idles > probe.before) {
    probe.before = idles;
    probe.asked += 1;
    requestIdleCallback(() => {
      probe.done = Math.max(probe.done, idles);
    });
  }
  return probe.done < probe.before;
}
