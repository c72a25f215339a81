import { setMaxListeners } from 'node:events';

/** An abort that its owner can cause, and that a signal of longer life causes, too, until it is disposed of. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  /** @param reason for the rejection of waiting calls; without one an error is made for each call */
  abort(reason: unknown): void;
}

/**
 * Links a new signal to others. Replaces `AbortSignal.any` where this is done for every page: that function leaves a trace in
 * each of the others for as long as they live (Node 20), and cannot be undone.
 */
export function linkedAbort(...outer: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const follow = (event: Event): void => {
    if (event.target instanceof AbortSignal) own.abort(event.target.reason);
  };
  for (const signal of outer) {
    setMaxListeners(0, signal); // one listener for each visit, and each is removed
    if (signal.aborted) own.abort(signal.reason);
    signal.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    [Symbol.dispose]: () => {
      for (const signal of outer) signal.removeEventListener('abort', follow);
    },
  };
}
