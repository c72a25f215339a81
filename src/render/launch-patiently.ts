import type { Browser } from '../../browsers/protocol/browser.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Milliseconds } from '../base/units.ts';

/**
 * Starts a browser in several attempts: what keeps it from starting may pass, such as an endpoint that restarts, or a lack of processes.
 * @param pauses before further attempts
 * @throws what the last attempt throws; the signal's reason where it ends a pause
 */
export async function launchPatiently(
  launch: () => Promise<Browser>,
  pauses: readonly Milliseconds[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Promise<Browser> {
  for (const pause of pauses) {
    try {
      return await launch();
    } catch (error) {
      log.warn('browser does not start', { error: String(error), pause });
      await clock.sleep(pause, signal);
    }
  }
  return launch();
}
