/** Counts the console messages and exceptions of a page; silences a page that floods. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { LARGE_MESSAGE, MESSAGE_BYTES, SILENCED_EVERY } from '../limits/browser-limits.ts';
import { MESSAGE_LIMIT } from '../page-limits.ts';

export class PageMessages {
  readonly #session: DevToolsSession;
  readonly #flooded: () => void;
  #console = 0;
  #exceptions = 0;
  /** Messages of any type; a long one counts as several. */
  #counted = 0;

  /** @param flooded called where messages come without end */
  constructor(session: DevToolsSession, flooded: () => void) {
    this.#session = session;
    this.#flooded = flooded;
    session.on('Runtime.consoleAPICalled', ({ type }) => {
      if (this.#countMessage() && type === 'error') this.#console += 1;
    });
    session.on('Runtime.exceptionThrown', () => {
      if (this.#countMessage()) this.#exceptions += 1;
    });
  }

  /** Number of console messages that report errors. */
  get console(): number {
    return this.#console;
  }

  get exceptions(): number {
    return this.#exceptions;
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#console = 0;
    this.#exceptions = 0;
    if (this.#counted > MESSAGE_LIMIT) {
      // the browser would tell all that it has kept of the document before
      this.#session.send('Runtime.discardConsoleEntries').catch(() => {}); // the page may be gone
      this.#session.send('Runtime.enable').catch(() => {});
    }
    this.#counted = 0;
  }

  /** Counts a message; false where there were so many, or such long ones, that no more are counted. */
  #countMessage(): boolean {
    const counted = this.#counted;
    const size = this.#session.eventSize ?? 0;
    const first = size > LARGE_MESSAGE && counted <= MESSAGE_LIMIT ? MESSAGE_LIMIT : 0;
    this.#counted += first + 1 + Math.floor(size / MESSAGE_BYTES);
    const before = Math.max(0, counted - MESSAGE_LIMIT);
    const excess = Math.max(0, this.#counted - MESSAGE_LIMIT);
    const passes = (step: number): boolean => Math.floor(before / step) < Math.floor(excess / step);
    const ask = (method: 'Runtime.disable' | 'Runtime.terminateExecution'): void => {
      this.#session.send(method).catch(() => {}); // the page may be gone
    };
    if (before === 0 && excess > 0) ask('Runtime.disable');
    // Runtime.disable does not stop a script that never ends
    else if (passes(SILENCED_EVERY)) ask('Runtime.terminateExecution');
    if (passes(MESSAGE_LIMIT * 2)) this.#flooded();
    return counted < MESSAGE_LIMIT;
  }
}
