/** Ends or limits targets that a page may start in a browser of ours: service workers, windows, shared workers. */
import type { DevToolsConnection } from './connection.ts';

/**
 * Ends service workers of our pages before they run: they would answer a later visit in the server's place, and fetch URLs that no page
 * has asked for.
 * @param contexts ids of the contexts of our pages
 */
export function refuseServiceWorkers(connection: DevToolsConnection, contexts: ReadonlySet<string>): void {
  connection.root.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, type, browserContextId } }) => {
    if (type !== 'service_worker') return; // attached by its id
    const ended = browserContextId !== undefined && contexts.has(browserContextId);
    const asked = ended
      ? connection.root.send('Target.closeTarget', { targetId })
      : connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
    asked.catch(() => {}); // it has gone by itself
  });
}

/** Requests that a shared worker may make in its life: as many as a page may make in a visit. */
const SHARED_WORKER_REQUESTS = 500;

/** Limits the requests of shared workers, from before they run: they belong to no page, so no page's limit counts them. */
export function rationSharedWorkers(connection: DevToolsConnection, contexts: ReadonlySet<string>): void {
  connection.root.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger, targetInfo }) => {
    const { type, browserContextId = '' } = targetInfo;
    if (type !== 'shared_worker' || !waitingForDebugger) return;
    const session = connection.session(sessionId);
    const gone = (): void => {}; // it has ended by itself
    if (contexts.has(browserContextId)) {
      let asked = 0;
      session.on('Fetch.requestPaused', ({ requestId }) => {
        asked += 1;
        const call =
          asked <= SHARED_WORKER_REQUESTS
            ? session.send('Fetch.continueRequest', { requestId })
            : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
        call.catch(gone);
      });
      session.send('Fetch.enable').catch(gone);
    }
    session.send('Runtime.runIfWaitingForDebugger').catch(gone);
  });
}

/** A window that a page has opened. It waits, and its opener with it. */
interface OpenedWindow {
  readonly targetId: string;
  readonly contextId: string;
}

/**
 * Closes windows that pages open. A headless shell opens none, by a flag that a full browser ignores. There the window and its opener wait
 * for a debugger: the window is let run with its requests held, then closed. Seldom, a request gets out before (seen in Chromium 156).
 * @param wanted is asked first: a wanted window runs when the promise has resolved to true
 */
export function refuseWindows(
  connection: DevToolsConnection,
  wanted: (window: OpenedWindow) => Promise<boolean> = async () => false,
): void {
  const { root } = connection;
  root.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger, targetInfo }) => {
    const { targetId, type, openerId, browserContextId: contextId = '' } = targetInfo;
    if (type !== 'page' || !waitingForDebugger) return; // attached by its id
    const session = connection.session(sessionId);
    const close = async (): Promise<void> => {
      await session.send('Fetch.enable'); // its requests are never answered
      await session.send('Runtime.runIfWaitingForDebugger');
      await root.send('Target.closeTarget', { targetId });
    };
    const letGo = async (): Promise<void> => {
      await session.send('Runtime.runIfWaitingForDebugger');
      await root.send('Target.detachFromTarget', { sessionId });
    };
    const deal = async (): Promise<void> => {
      if (openerId === undefined || (await wanted({ targetId, contextId }))) await letGo();
      else await close();
    };
    deal().catch(() => {}); // it has gone by itself
  });
}
