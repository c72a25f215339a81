/** Hides a frame that holds nothing but a consent dialog, by its element in the page. */
import { SOURCE as CONSENT_FRAME } from '../generated/consent-frame.ts';
import type { WarmPage } from '../page/warm-page.ts';

/**
 * Our script runs in our own world of the page, on the element that the browser names as the frame's owner.
 * @returns false where it does not float over the page, or is no frame of the main document
 */
export async function hideFrame(page: WarmPage, frameId: string, signal: AbortSignal): Promise<boolean> {
  const { session, world } = page;
  if (world === null) return false;
  const work = async (): Promise<boolean> => {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: world });
    if (object.objectId === undefined) return false;
    const { result } = await session.send('Runtime.callFunctionOn', {
      executionContextId: world,
      functionDeclaration: `(element)=>(${CONSENT_FRAME})(element)`,
      arguments: [{ objectId: object.objectId }],
      returnByValue: true,
    });
    session.send('Runtime.releaseObject', { objectId: object.objectId }).catch(() => {}); // it has gone with its page
    return result.value === 'true';
  };
  try {
    return await page.within(work(), 'hiding a frame', signal);
  } catch {
    page.gone.throwIfAborted();
    signal.throwIfAborted();
    return false;
  }
}
