import { DeadlineExceeded } from '../../base/deadline.ts';
import { INPUT_LIMIT } from '../limits/interaction-limits.ts';
import { ScriptFailed } from '../page/isolated-world.ts';
import { wasEnded } from '../page/script-limit.ts';
import type { WarmPage } from '../page/warm-page.ts';

/**
 * Did an action fail because a script of the page ran on and on? That script has ended by then. The browser's own limit does not end it on
 * a page with a virtual clock (seen in Chromium 156).
 * @throws {DeadlineExceeded} where it goes on all the same
 */
export async function ranOn(page: WarmPage, error: unknown, signal: AbortSignal): Promise<boolean> {
  if (error instanceof ScriptFailed || wasEnded(error)) return true;
  if (!(error instanceof DeadlineExceeded)) return false;
  const { session } = page;
  session.send('Runtime.terminateExecution').catch(() => {}); // the next call says whether it helped
  await page.within(session.send('Runtime.getHeapUsage'), 'ending an action', signal, INPUT_LIMIT);
  return true;
}
