/**
 * Notices the end of the process that sends all requests of a browser. Chromium starts another one, which has lost the cookies of every context
 * and the credential for the proxy: pages that are open get 407 from then on, or wait without end.
 */
import type { Browser } from '../../browsers/protocol/browser.ts';
import { isAlive } from '../base/process/process-identity.ts';
import type { Clock } from '../base/clock.ts';
import { NETWORK_INTERVAL } from './limits/browser-limits.ts';

/** Resolves with true when the process has ended, and with false by the signal, or at once where no process of ours is known. Never rejects. */
export async function networkEnded(
  browser: Pick<Browser, 'pid' | 'networkProcess'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  let pid: number | null = null;
  while (browser.pid !== null && !signal.aborted) {
    if (pid === null) pid = await firstSeen(browser); // oxlint-disable-line no-await-in-loop -- it may not have been started yet
    else if (!(await lives(pid))) return !signal.aborted; // oxlint-disable-line no-await-in-loop -- looks at intervals
    await clock.sleep(NETWORK_INTERVAL, signal).catch(() => {}); // oxlint-disable-line no-await-in-loop -- it is over
  }
  return false;
}

/** Null where it has no number yet, or one that means nothing here. */
async function firstSeen(browser: Pick<Browser, 'networkProcess'>): Promise<number | null> {
  const pid = await browser.networkProcess().catch(() => null);
  return pid !== null && (await lives(pid)) ? pid : null;
}

const lives = (pid: number): Promise<boolean> => isAlive({ pid, started: '' });
