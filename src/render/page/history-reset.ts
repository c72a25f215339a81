import { setTimeout as sleep } from 'node:timers/promises';
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { HISTORY_PAUSE, HISTORY_TRIES } from '../limits/browser-limits.ts';
import type { WarmPage } from './warm-page.ts';

/**
 * Makes a page forget what it showed before as soon as it shows the next document. A script of that document that goes back in history would
 * show an empty page in its place, or lead to the page of the visit before. To be made before the navigation begins.
 */
export class HistoryReset implements Disposable {
  /** Resolves when the document is shown and its history is that of a new window. */
  readonly done: Promise<void>;
  readonly #session: DevToolsSession;
  readonly #shown: (event: EventOf<'Page.frameNavigated'>) => void;

  constructor({ session, frameId }: Pick<WarmPage, 'session' | 'frameId'>) {
    this.#session = session;
    const before = entryOf(session);
    let shown: () => void = () => {};
    const isShown = new Promise<void>((resolve) => (shown = resolve));
    this.#shown = ({ frame }) => {
      if (frame.id === frameId) shown();
    };
    session.on('Page.frameNavigated', this.#shown);
    this.done = isShown.then(async () => reset(session, await before));
  }

  [Symbol.dispose](): void {
    this.#session.off('Page.frameNavigated', this.#shown);
  }
}

/** The page says that it shows a document some moments before the browser has entered it in the history. */
async function reset(session: DevToolsSession, before: number | null): Promise<void> {
  for (let time = 0; time < HISTORY_TRIES; time++) {
    if (time > 0) await sleep(HISTORY_PAUSE);
    if ((await entryOf(session)) === before) continue;
    session.send('Page.resetNavigationHistory').catch(() => {}); // a page that has gone says so itself
    return;
  }
}

/** Id of the entry that is shown; null where the page has gone. */
async function entryOf(session: DevToolsSession): Promise<number | null> {
  try {
    const { entries, currentIndex } = await session.send('Page.getNavigationHistory');
    return entries[currentIndex]?.id ?? null;
  } catch {
    return null;
  }
}
