/**
 * Notices the end of the process that sends all requests of a browser. Chromium starts another one, which has lost the cookies of every context
 * and the credential for the proxy: pages that are open get 407 from then on, or wait without end.
 */
import type { Browser } from '../../browsers/protocol/browser.ts';
import { isAlive } from '../base/process/process-identity.ts';
import type { Clock } from '../base/clock.ts';
import { NETWORK_INTERVAL } from './limits/browser-limits.ts';

export class NetworkProcess {
  readonly #browser: Pick<Browser, 'pid' | 'networkProcess'>;
  #pid: number | null = null;

  constructor(browser: Pick<Browser, 'pid' | 'networkProcess'>) {
    this.#browser = browser;
  }

  /** Has it ended? False as well where no process of ours is known. Never rejects. */
  async hasEnded(): Promise<boolean> {
    if (this.#browser.pid === null) return false;
    if (this.#pid !== null) return !(await lives(this.#pid));
    const seen = await firstSeen(this.#browser);
    // a look beside this one may have seen it first: it would be forgotten where it has ended since
    this.#pid ??= seen;
    return false;
  }

  /** Resolves with true when it has ended, and with false by the signal, or at once where no process of ours is known. Never rejects. */
  async untilEnded(clock: Clock, signal: AbortSignal): Promise<boolean> {
    while (this.#browser.pid !== null && !signal.aborted) {
      if (await this.hasEnded()) return !signal.aborted; // oxlint-disable-line no-await-in-loop -- looks at intervals
      await clock.sleep(NETWORK_INTERVAL, signal).catch(() => {}); // oxlint-disable-line no-await-in-loop -- it is over
    }
    return false;
  }
}

/** Null where it has no number yet, or one that means nothing here. */
async function firstSeen(browser: Pick<Browser, 'networkProcess'>): Promise<number | null> {
  const pid = await browser.networkProcess().catch(() => null);
  return pid !== null && (await lives(pid)) ? pid : null;
}

const lives = (pid: number): Promise<boolean> => isAlive({ pid, started: '' });
