/** Reads pages that may begin to hang at any moment: their scripts are ended then, once. */
import { DeadlineExceeded } from '../../base/deadline.ts';
import { stopScripts } from '../page/stop-scripts.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { collect, type Collected } from './collect.ts';

export class HangGuard {
  readonly #page: WarmPage;
  #stopped = false;

  constructor(page: WarmPage) {
    this.#page = page;
  }

  /** Did scripts have to be ended for the page to be read? */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Reads the page; where it hangs, once more with its scripts ended. */
  async collect(signal: AbortSignal): Promise<Collected> {
    const read = (): Promise<Collected> => collect(this.#page, 'load', signal);
    return (await this.orStop(null, signal, read)) ?? read();
  }

  /** The earlier reading, where the page hangs by now; its scripts are ended. */
  async orStop<Result>(before: Result, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || this.#stopped) throw error;
      this.#stopped = true;
      await stopScripts(this.#page, signal);
      return before;
    }
  }
}
