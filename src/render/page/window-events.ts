import type { WarmPage } from './warm-page.ts';

const GROUP = 'orbweaver-window';

/** Events that the window of the page listens for itself, each once. @throws as {@link WarmPage.within} */
export async function windowEvents(page: WarmPage, signal: AbortSignal): Promise<readonly string[]> {
  const { session } = page;
  const asked = session.send('Runtime.evaluate', { expression: 'window', objectGroup: GROUP });
  const { objectId } = (await page.within(asked, 'the window', signal)).result;
  if (objectId === undefined) return [];
  try {
    const listed = session.send('DOMDebugger.getEventListeners', { objectId });
    const { listeners } = await page.within(listed, 'the listeners', signal);
    return [...new Set(listeners.map(({ type }) => type))];
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => {}); // gone with its page
  }
}
