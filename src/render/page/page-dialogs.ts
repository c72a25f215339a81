/** Answers the dialogs of a page. */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { DIALOG_LIMIT } from '../page-limits.ts';

export class PageDialogs {
  readonly #session: DevToolsSession;
  readonly #flood: () => void;
  #count = 0;
  #agrees = false;

  /** @param flood called where dialogs come without end */
  constructor(session: DevToolsSession, flood: () => void) {
    this.#session = session;
    this.#flood = flood;
    session.on('Page.javascriptDialogOpening', (dialog) => this.#answer(dialog));
  }

  clear(): void {
    this.#count = 0;
    this.#agrees = false;
  }

  /** Notes an action of ours on the page, which later dialogs answer. */
  onActivity(): void {
    this.#count = 0;
  }

  /** Answers questions ("Are you sure?") with yes from now on, or not any more. */
  agrees(yes: boolean): void {
    this.#agrees = yes;
  }

  #answer({ type }: EventOf<'Page.javascriptDialogOpening'>): void {
    this.#count += 1;
    if (this.#count > DIALOG_LIMIT) this.#flood();
    // a dismissed beforeunload would make every later navigation of the page fail (design/rendering, "Hostile scripts")
    const accept = type === 'beforeunload' || (type === 'confirm' && this.#agrees);
    this.#session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {}); // the page may be gone
  }
}
