/** Reads pages that may begin to hang at any moment; ends the scripts of a page that hangs, once. */
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

  /** Reads the page; where it hangs by now, ends its scripts and returns the earlier reading. */
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
