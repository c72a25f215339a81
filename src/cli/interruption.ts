/** Ctrl-C and SIGTERM: the first asks for an orderly end, the second for one at once. */
import type { Clock } from '../base/clock.ts';
import { milliseconds } from '../base/units.ts';
import type { StopSignal } from './exit-code.ts';

/** The source of signals: the process, or a test. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/**
 * One Ctrl-C arrives twice under `npm run`: from the terminal, which sends it to the whole group, and from npm, which
 * passes it on. Nobody presses twice within this time.
 */
const ONE_PRESS = milliseconds(300);

/**
 * Calls back for the first signal (`drain`) and for the second (`at-once`). Then it stops listening, so that a third one
 * ends the process as if this program did not listen at all.
 */
export function listenForInterruption(
  source: SignalSource,
  clock: Clock,
  onStop: (how: 'drain' | 'at-once', signal: StopSignal) => void,
): Disposable {
  let first: number | null = null;
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ signal, listener: () => receive(signal) }));
  const dispose = () => {
    for (const { signal, listener } of listeners) source.off(signal, listener);
  };
  const receive = (signal: StopSignal) => {
    const now = clock.monotonic();
    if (first === null) {
      first = now;
      onStop('drain', signal);
    } else if (now - first >= ONE_PRESS) {
      dispose();
      onStop('at-once', signal);
    }
  };
  for (const { signal, listener } of listeners) source.on(signal, listener);
  return { [Symbol.dispose]: dispose };
}
