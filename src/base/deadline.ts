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
export function withDeadline<Result>(
  call: Promise<Result>,
  what: string,
  limit: Milliseconds,
  signal: AbortSignal,
): Promise<Result> {
  // by hand: every call to a page comes through here, and a signal and an error made for each cost more than the call
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      end();
      reject(new DeadlineExceeded(what, limit));
    }, limit);
    signal.addEventListener('abort', stop, { once: true });
    call.then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
    if (signal.aborted) stop();
  });
}
