import type { StorageState } from '../../../browsers/protocol/storage-state.ts';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { SessionItems } from '../../model/page-actions.ts';
import { SOURCE } from '../generated/fill-session-storage.ts';

/** The session storage that pages of a signed-in domain begin with; null where they begin without. */
export function sessionItemsOf(state: StorageState | null): SessionItems | null {
  const filled = (state?.origins ?? []).filter(({ sessionStorage = [] }) => sessionStorage.length > 0);
  const entries = filled.map(({ origin, sessionStorage = [] }) => {
    return [origin, sessionStorage.map(({ name, value }) => [name, value] as const)] as const;
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Called before anything is loaded into the page: every tab has a session storage of its own, so that no context can hold it. */
export async function beginWithSession(
  session: DevToolsSession,
  items: SessionItems,
  worldName: string,
): Promise<void> {
  const source = `(${SOURCE})(${JSON.stringify(items)})`;
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName });
}
