import type { Milliseconds } from './units.ts';

/** A deadline that is asked again whenever it seems to be over. */
export interface MovingDeadline {
  /** The limit that the error names. */
  readonly limit: Milliseconds;
  /** Real time to wait before it is asked again; 0 where the deadline has passed. */
  left(): Milliseconds;
  /** Called when nothing is waited for any more. */
  end(): void;
}

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
 * @param limit real time, or whatever else the deadline goes by
 * @throws {DeadlineExceeded} after the limit; the signal's reason when that comes first.
 */
export function withDeadline<Result>(
  call: Promise<Result>,
  what: string,
  limit: Milliseconds | MovingDeadline,
  signal: AbortSignal,
): Promise<Result> {
  // by hand: every call to a page comes through here, and a signal and an error made for each cost more than the call
  return new Promise((resolve, reject) => {
    const moving = typeof limit === 'number' ? null : limit;
    const end = (): void => {
      clearTimeout(timer);
      moving?.end();
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(signal.reason);
    };
    const ring = (): void => {
      const left = moving?.left() ?? 0;
      if (left > 0) {
        timer = setTimeout(ring, left);
        return;
      }
      end();
      reject(new DeadlineExceeded(what, typeof limit === 'number' ? limit : limit.limit));
    };
    let timer = setTimeout(ring, typeof limit === 'number' ? limit : limit.left());
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
