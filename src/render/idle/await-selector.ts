import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import { REAL_SELECTOR_STEP, SELECTOR_STEP, SELECTOR_STEPS } from '../limits/idle-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { IdleWait } from './idle-wait.ts';

interface SelectorWait {
  readonly selector: string;
  readonly idleWait: IdleWait;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
  readonly clock: Clock;
}

const SOURCE = '(selector)=>{try{return document.querySelector(selector)!==null}catch{return false}}';

/** Lets the page run until an element is there. False where it does not come. */
export async function awaitSelector(page: WarmPage, wait: SelectorWait, signal: AbortSignal): Promise<boolean> {
  const { selector, idleWait, until, clock } = wait;
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const parse = (answer: unknown): boolean | null => (typeof answer === 'boolean' ? answer : null);
  for (let step = 0; ; step++) {
    if (await runInWorld(page, frame, { source: SOURCE, input: selector, parse }, signal)) return true;
    if (clock.monotonic() >= until || idleWait.spoiled) return false;
    await (step < SELECTOR_STEPS ? idleWait.more(SELECTOR_STEP, signal) : idleWait.pass(REAL_SELECTOR_STEP, signal));
  }
}
