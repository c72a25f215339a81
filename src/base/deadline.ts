import { setTimeout as wait } from 'node:timers/promises';
import type { Milliseconds } from './units.ts';

/** Thrown by {@link withDeadline}; `what` names the call that did not answer. */
export class DeadlineExceeded extends Error {
  readonly what: string;

  constructor(what: string, limit: Milliseconds) {
    super(`${what} did not answer within ${limit} ms`);
    this.name = 'DeadlineExceeded';
    this.what = what;
  }
}

/**
 * Waits for a call that may never answer (a hung renderer, a dead socket). The call itself cannot be cancelled; its late
 * result or error is dropped, and the caller must replace what it talked to.
 * @throws {DeadlineExceeded} after the limit; the signal's reason when that comes first.
 */
export async function withDeadline<Result>(
  call: Promise<Result>,
  what: string,
  limit: Milliseconds,
  signal: AbortSignal,
): Promise<Result> {
  const timer = new AbortController();
  const expiry = wait(limit, undefined, { signal: AbortSignal.any([timer.signal, signal]) }).then(
    () => {
      throw new DeadlineExceeded(what, limit);
    },
    () => {
      signal.throwIfAborted();
      throw new DeadlineExceeded(what, limit);
    },
  );
  expiry.catch(() => {}); // the loser of the race: its rejection is nobody's business any more
  call.catch(() => {});
  try {
    return await Promise.race([call, expiry]);
  } finally {
    timer.abort();
  }
}
