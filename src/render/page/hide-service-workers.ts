import type { DevToolsSession } from '../../../browsers/protocol/session.ts';

/** Sites ask for it (`'serviceWorker' in navigator`), as plain http: has none. */
const SCRIPT = { source: 'delete Navigator.prototype.serviceWorker', runImmediately: true };

/**
 * Takes service workers from the documents of a page: ours are ended before they run, and a registration that is neither accepted nor
 * refused would hold back what a page shows after it. Called before anything is loaded into the page, or for a frame in a process of its
 * own.
 */
export async function hideServiceWorkers(session: DevToolsSession): Promise<void> {
  await session.send('Page.addScriptToEvaluateOnNewDocument', SCRIPT);
}
