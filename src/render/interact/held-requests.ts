/**
 * Requests that could change something do not leave the browser while the crawler interacts with a page; they are recorded.
 * While controls are used that read as if they did harm, only scripts and sheets leave it, known by their file names.
 */
import { isCodeRequest, isSafeRequest } from '../../core/interaction/safe-request.ts';
import { HELD } from '../../core/interaction/held-links.ts';
import type { FoundLink } from '../../model/link.ts';
import { bareLink } from '../extract/found-links.ts';
import { HELD_SHOWN } from '../limits/interaction-limits.ts';
import { orNothing } from '../extract/collect.ts';
import { leave } from '../page/navigate.ts';
import type { WarmPage } from '../page/warm-page.ts';

/** Classes of requests that are recorded; the others stand in the markup. */
const RECORDED = { Ping: 'beacon', Document: 'form', XHR: 'fetch', Fetch: 'fetch', Other: 'fetch' } as const;

export class HeldRequests {
  readonly #page: WarmPage;
  readonly #base: string;
  readonly #letThrough: boolean;
  readonly #held = new Map<string, FoundLink>();
  #strict = false;

  /**
   * @param base of the page
   * @param letThrough is nothing held before {@link beginStrictly}?
   */
  constructor(page: WarmPage, base: string, letThrough: boolean) {
    this.#page = page;
    this.#base = base;
    this.#letThrough = letThrough;
  }

  get foundLinks(): readonly FoundLink[] {
    return [...this.#held.values()];
  }

  async begin(): Promise<void> {
    if (this.#letThrough && !this.#strict) return;
    this.#page.watch.agrees(this.#strict);
    if (this.#strict) await this.#page.watch.refuseSockets(true);
    await this.#page.interceptor.hold(
      ({ method, url, body, resourceType }) => {
        const asked = { method, url, body };
        if (this.#strict ? isCodeRequest(asked) : isSafeRequest(asked)) return true;
        const how = Object.entries(RECORDED).find(([type]) => type === resourceType)?.[1];
        if (how !== undefined) this.#record(`${how} ${method} ${HELD}`, url);
        return false;
      },
      this.#strict ? 'all' : 'scripted',
    );
  }

  /**
   * Lets nothing leave from now on, until the interaction ends.
   * @returns false where that is impossible: with sockets, workers, or frames of other processes
   */
  async beginStrictly(signal: AbortSignal): Promise<boolean> {
    const page = this.#page;
    if (page.watch.workers > 0 || page.watch.socketsOpen) return false;
    if (this.#strict) return true;
    const remote = await orNothing(page.within(page.remoteFrames(), 'its frames', signal), page, signal);
    if (remote === null || remote.length > 0) return false;
    this.#strict = true;
    // null: the browser cannot do it
    const begun = await orNothing(
      page.within(
        this.begin().then(() => true),
        'holding all',
        signal,
      ),
      page,
      signal,
    );
    this.#strict = begun === true;
    return this.#strict;
  }

  /** Lets the next document send what it likes. Requests that this one would still send end with it, those of its unloading included. */
  async end(signal: AbortSignal): Promise<void> {
    const page = this.#page;
    if (this.#letThrough && !this.#strict) return;
    page.watch.agrees(false);
    if (!this.#strict && this.#held.size === 0) return page.interceptor.hold(null);
    // a document may unload in a process of its own, long after the next one is there: it must run nothing then
    await this.#disableScripts(true, signal);
    await leave(page, signal);
    // an answer of the next document shows that the one before sends no more
    await page.within(page.session.send('Page.getFrameTree'), 'about:blank', signal);
    page.interceptor.holdToTheEnd();
    await this.#disableScripts(false, signal);
    if (this.#strict) await page.watch.refuseSockets(false);
  }

  async #disableScripts(value: boolean, signal: AbortSignal): Promise<void> {
    const page = this.#page;
    await page.within(page.session.send('Emulation.setScriptExecutionDisabled', { value }), 'its scripts', signal);
  }

  #record(context: string, url: string): void {
    if (this.#held.size >= HELD_SHOWN) return;
    const where = { frame: null, base: this.#base, stage: 'click' as const };
    this.#held.set(`${context} ${url}`, bareLink(url, { kind: 'request', context }, where));
  }
}
