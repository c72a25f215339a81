/**
 * Gives a server up that does not answer while its crawl is to end at once. Commands wait for a server as long as it is away, and are sent
 * again: a crawl outlives its restart. The end that a user asks for, or that an error brings, would wait for ever, too.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DeadlineExceeded, withDeadline } from '../base/deadline.ts';
import { CrawlError } from '../base/errors.ts';
import { seconds, type Milliseconds } from '../base/units.ts';
import type { RedisConnection } from './connect.ts';

/** Longest wait for an answer, and pause between two questions; a server that restarts loads its data in less (arbitrary). */
const PATIENCE: Milliseconds = seconds(10);

/** Answers of a server that lets us in no more: no command comes through, and each is sent again. */
const LOCKED_OUT = /^(?:WRONGPASS|NOAUTH) /;

export class SilenceWatch implements AsyncDisposable {
  readonly #connection: Pick<RedisConnection, 'client'>;
  readonly #patience: Milliseconds;
  readonly #over = new AbortController();
  readonly #givenUp = new AbortController();
  #looking = false;

  /** @param patience longest wait for an answer */
  constructor(connection: Pick<RedisConnection, 'client'>, patience: Milliseconds = PATIENCE) {
    this.#connection = connection;
    this.#patience = patience;
  }

  /** Aborted when the server is given up, with the error for the crawl. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** Resolves with the error when the server is given up; otherwise never. */
  lost(): Promise<Error> {
    const { signal } = this.#givenUp;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
    });
  }

  /** Looks from now on whether it answers. */
  begin(): void {
    if (this.#looking) return;
    this.#looking = true;
    void this.#look(); // never rejects
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
  }

  async #look(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- looks at intervals
      const fault = await withDeadline(this.#connection.client.ping(), 'Redis', this.#patience, signal).then(
        () => null,
        (error: unknown) => error,
      );
      if (!signal.aborted && isSilence(fault)) return this.#givenUp.abort(silent(fault));
      await wait(this.#patience, undefined, { signal, ref: false }).catch(() => {}); // oxlint-disable-line no-await-in-loop -- as above
    }
  }
}

/** Other errors are answers, such as that it takes no writes now. */
function isSilence(fault: unknown): boolean {
  return fault instanceof DeadlineExceeded || (fault instanceof Error && LOCKED_OUT.test(fault.message));
}

function silent(cause: unknown): CrawlError {
  const why = cause instanceof DeadlineExceeded ? 'does not answer' : 'refuses the password';
  const words = `The Redis server ${why}, and the crawl was to end at once\nResume it when the server is there again: what it was told is in it.`;
  return new CrawlError('REDIS_UNREACHABLE', words, { cause });
}
