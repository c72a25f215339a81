/** Hands the roots of closed shadow trees to our world, whose scripts read their text then as that of open ones. */
import { worldOf } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';

const GROUP = 'orbweaver-closed';

/** Keeps them where browsers/inpage/open-roots.ts finds them. */
const HAND_OVER = `function(...nodes){
  const roots=new Set(nodes.map((node)=>Node.prototype.getRootNode.call(node)));
  globalThis.orbweaverClosed=[...roots].filter((root)=>root instanceof ShadowRoot);
}`;

/**
 * @param inside backend ids of nodes in the trees, of the main document
 * @throws where the page has gone, or does not answer
 */
export async function handOverTrees(page: WarmPage, inside: readonly number[], signal: AbortSignal): Promise<void> {
  const { session } = page;
  const world = page.world ?? (await worldOf(page, { session, frameId: page.frameId, url: null }, signal));
  const resolve = async (backendNodeId: number): Promise<readonly { readonly objectId: string }[]> => {
    try {
      const place = { executionContextId: world, objectGroup: GROUP };
      const { object } = await session.send('DOM.resolveNode', { backendNodeId, ...place });
      return object.objectId === undefined ? [] : [{ objectId: object.objectId }];
    } catch {
      return []; // it has gone since
    }
  };
  const work = async (): Promise<void> => {
    const found = (await Promise.all(inside.map(resolve))).flat();
    const how = { functionDeclaration: HAND_OVER, executionContextId: world };
    await session.send('Runtime.callFunctionOn', { ...how, arguments: found });
    await session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  };
  await page.within(work(), 'handing over closed trees', signal);
}
