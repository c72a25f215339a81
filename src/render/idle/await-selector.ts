import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
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

/** Time of the page's clock between two looks. */
const STEP: Milliseconds = milliseconds(500);
/** So many steps for what timers bring; what has not come by then comes by the real clock, if at all. */
const STEPS = 24;
const REAL_STEP: Milliseconds = milliseconds(100);
const SOURCE = '(selector)=>{try{return document.querySelector(selector)!==null}catch{return false}}';

/** Lets the page run until an element is there. False where it does not come. */
export async function awaitSelector(page: WarmPage, wait: SelectorWait, signal: AbortSignal): Promise<boolean> {
  const { selector, idleWait, until, clock } = wait;
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const parse = (answer: unknown): boolean | null => (typeof answer === 'boolean' ? answer : null);
  for (let step = 0; ; step++) {
    if (await runInWorld(page, frame, { source: SOURCE, input: selector, parse }, signal)) return true;
    if (clock.monotonic() >= until || idleWait.spoiled) return false;
    await (step < STEPS ? idleWait.more(STEP, signal) : idleWait.pass(REAL_STEP, signal));
  }
}
