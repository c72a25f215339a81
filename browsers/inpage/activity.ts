/** Samples of activity that is driven by neither timers nor requests: animation frames, idle callbacks, animations. */
import type { ActivityCounters, ActivitySample } from '../../src/model/page-facts.ts';
import { attribute, select } from './safe-dom.ts';
import './own-frames.ts'; // for what it keeps

declare global {
  /** Our own requests so far; in the isolated world's global object only. */
  var orbweaverAsked: number | undefined;
  /** Likewise. */
  var orbweaverIdle: IdleProbe | undefined;
}

/** Finds out about the page's idle callbacks by some of our own: all run in the order in which they were asked for. */
interface IdleProbe {
  /** Of ours. */
  asked: number;
  /** Of the page's: those asked for before our last one (`before`), and before the last of ours that has run (`done`). */
  before: number;
  done: number;
}

/** Animations looked at. */
const ANIMATIONS = 200;

/**
 * A document numbers frame and idle callbacks in order, for all its worlds: the number that we get shows how many the page has asked
 * for. Nothing of the page's is replaced for it, and our own callbacks do nothing.
 */
export function activityCountersOf(): ActivityCounters {
  const before = globalThis.orbweaverAsked ?? 0;
  globalThis.orbweaverAsked = before + 1;
  const frame = requestAnimationFrame(() => {});
  cancelAnimationFrame(frame);
  const idle = requestIdleCallback(() => {});
  cancelIdleCallback(idle);
  return {
    frames: Math.max(0, frame - before - 1 - (globalThis.orbweaverFrames ?? 0)),
    idles: Math.max(0, idle - before - 1 - (globalThis.orbweaverIdle?.asked ?? 0)),
    animations: Document.prototype.getAnimations.call(document).slice(0, ANIMATIONS).filter(willEnd).length,
  };
}

/** A spinner turns for ever: nobody can wait for its end. */
function willEnd(animation: Animation): boolean {
  if (animation.playState !== 'running') return false;
  const end = animation.effect?.getComputedTiming().endTime;
  return typeof end === 'number' && Number.isFinite(end);
}

/** The present activity of the page, cheap enough to be sampled again and again. */
export function activitySampleOf(): ActivitySample {
  const links = select(document, 'a[href],area[href],iframe[src],form[action]');
  let letters = 0;
  for (const link of links) letters += attribute(link, 'href')?.length ?? 1;
  const lively = activityCountersOf();
  return { ...lively, idling: isIdling(lively), nodes: select(document, '*').length, links: links.length, letters };
}

/** Has idle work that the page asked for not run yet? */
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
