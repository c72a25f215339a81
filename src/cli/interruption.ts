/** Ctrl-C, SIGTERM and SIGHUP: the first asks for an orderly end, the second for one at once. */
import { isatty } from 'node:tty';
import type { Clock } from '../base/clock.ts';
import { milliseconds } from '../base/units.ts';
import type { StopSignal } from './exit-code.ts';

export const STOP_SIGNALS: readonly StopSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** The source of signals: the process, or a test. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/** Standard streams that `nohup` takes from a terminal; that of macOS leaves the input as it is. */
const STREAMS = process.platform === 'linux' ? [0, 1, 2] : [1, 2];

/**
 * The signals of the process, without SIGHUP where it has no terminal to lose: there `nohup` asks to go on. Node.js forgets
 * at its start what nohup has set, and would end.
 */
export function signalsOf(process: NodeJS.Process): SignalSource {
  if (STREAMS.some((stream) => isatty(stream))) return process;
  process.on('SIGHUP', () => {});
  return {
    on: (signal, listener) => signal === 'SIGHUP' || process.on(signal, listener),
    off: (signal, listener) => signal === 'SIGHUP' || process.off(signal, listener),
  };
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
  const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => receive(signal) }));
  const dispose = () => {
    for (const { signal, listener } of listeners) source.off(signal, listener);
  };
  const receive = (signal: StopSignal) => {
    const now = clock.monotonic();
    if (first === null) {
      first = now;
      onStop('drain', signal);
    } else if (signal !== 'SIGHUP' && now - first >= ONE_PRESS) {
      // a terminal that goes away sends several, and asks for nothing more than the first
      dispose();
      onStop('at-once', signal);
    }
  };
  for (const { signal, listener } of listeners) source.on(signal, listener);
  return { [Symbol.dispose]: dispose };
}
