/**
 * The clocks of frames in processes of their own, as a full browser has for frames of other sites: each gets a grant of its own,
 * after the page's (design/rendering, "Without frame control"). Until its first grant it runs in real time.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { REMOTE_ADVANCE, REMOTE_ANSWER, REMOTE_WAIT, STARVATION } from '../limits/idle-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';

const NOW = milliseconds(0);

export class RemoteClocks {
  readonly #page: WarmPage;
  readonly #clock: Clock;

  constructor(page: WarmPage, clock: Clock) {
    this.#page = page;
    this.#clock = clock;
  }

  /** @returns whether there are such frames: their messages reach the page when its own clock runs again */
  async grant(budget: Milliseconds, signal: AbortSignal): Promise<boolean> {
    if (this.#page.watch.frameCount < 2) return false;
    const sessions = await this.#page.remoteFrames();
    await Promise.all(sessions.map((session) => this.#grant(session, budget, signal)));
    return sessions.length > 0;
  }

  /** Grants a budget and waits until it is used up. An answer or stream that does not come is waited for up to a limit, then no longer. */
  async #grant(session: DevToolsSession, budget: Milliseconds, signal: AbortSignal): Promise<void> {
    let used = (): void => {};
    const expired = new Promise<void>((resolve) => (used = resolve));
    session.once('Emulation.virtualTimeBudgetExpired', used);
    const policy = (
      name: 'pauseIfNetworkFetchesPending' | 'pause' | 'advance',
      grant: { readonly budget?: number },
    ): Promise<void> => {
      const parameters = { policy: name, ...grant, maxVirtualTimeTaskStarvationCount: STARVATION };
      return session.send('Emulation.setVirtualTimePolicy', parameters).then(() => {}, used); // the frame has gone
    };
    const limited = new AbortController();
    const either = AbortSignal.any([signal, limited.signal, this.#page.gone]);
    const within = (event: Promise<void>, limit: Milliseconds): Promise<boolean> =>
      Promise.race([event.then(() => true), this.#clock.sleep(limit, either).then(() => false)]);
    try {
      // a frame that is on its way out, with its document, does not answer
      if (!(await within(policy('pauseIfNetworkFetchesPending', { budget }), REMOTE_ANSWER))) return;
      if (await within(expired, REMOTE_WAIT)) return;
      // a clock that is let go after its budget has expired would never stop; and a script may begin to run without end
      if (!(await within(policy('pause', {}), REMOTE_ANSWER)) || (await within(expired, NOW))) return;
      if (!(await within(policy('advance', {}), REMOTE_ANSWER))) return;
      await within(expired, REMOTE_ADVANCE);
    } finally {
      limited.abort();
      session.off('Emulation.virtualTimeBudgetExpired', used);
    }
  }
}
