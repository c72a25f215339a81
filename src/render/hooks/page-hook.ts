import type { AdoptedPage } from '../../../browsers/protocol/browser.ts';
import type { Log } from '../../base/log.ts';
import type { Visit } from '../../model/visit.ts';

/** A page of Playwright. */
export type HookedPage = AdoptedPage['page'];

/** The argument of a hook. */
export interface PageHookCall {
  /** The page, for the hooks alone until they are over; then Playwright reports it as closed. */
  readonly page: HookedPage;
  readonly context: ReturnType<HookedPage['context']>;
  readonly visit: Pick<Visit, 'url' | 'depth' | 'attempt' | 'referrer'>;
  /**
   * Adds a link to those of the page. It is resolved and judged by the scope like any other.
   * @param url may be relative to the URL of the visit
   * @throws {TypeError} where it is no text, or too long; {RangeError} where there are too many
   */
  addLink(url: string, about?: { readonly text?: string | undefined }): void;
  readonly log: Log;
  /** Aborted when the time of the hook is over, or the visit. */
  readonly signal: AbortSignal;
}

export type HookFunction = (call: PageHookCall) => unknown;

/** Code of a user that works on some pages by means of Playwright. */
export interface PageHook {
  /** Its name in the log, and in the context of its links. */
  readonly name: string;
  matches(url: string): boolean;
  /** Called before the page is navigated. */
  readonly before?: HookFunction | undefined;
  /** Called when the page has become idle, before it is read. */
  readonly settled?: HookFunction | undefined;
}
