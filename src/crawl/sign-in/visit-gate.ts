/** Lets visits through side by side, or one alone: no page is loaded during a sign-in. */
import { Mutex } from '../../base/mutex.ts';
import { untilAborted } from '../../base/until-aborted.ts';

export class VisitGate {
  readonly #running = new Set<Promise<unknown>>();
  readonly #alone = new Mutex();
  /** Resolves when the lone work has ended; null where there is none. */
  #closed: Promise<void> | null = null;

  /** @throws what the work throws; the signal's reason while it waits */
  async shared<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    while (this.#closed !== null) await untilAborted(this.#closed, signal);
    const running = work();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Waits for running work, and keeps other work out until this one has ended. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#alone.run(async () => {
      let open = (): void => {};
      this.#closed = new Promise((resolve) => (open = resolve));
      try {
        await Promise.allSettled(this.#running);
        return await work();
      } finally {
        this.#closed = null;
        open();
      }
    });
  }
}
