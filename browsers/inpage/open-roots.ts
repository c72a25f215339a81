/**
 * The trees whose elements show whether a page grows: the document, and the open shadow trees that were met when its links were read. A search
 * for them at each look would cost more than the look.
 */
import { isConnectedOf } from './safe-dom.ts';

/** Shadow trees remembered (arbitrary). */
const ROOTS = 2000;

declare global {
  /** In the isolated world's global object only. */
  var orbweaverRoots: Set<ShadowRoot> | undefined;
  /** Roots of closed trees, and of those within them, that the renderer has found (render/extract/closed-texts.ts). */
  var orbweaverClosed: readonly ShadowRoot[] | undefined;
}

export function noteRoot(root: ShadowRoot): void {
  const roots = (globalThis.orbweaverRoots ??= new Set());
  if (roots.size < ROOTS) roots.add(root);
}

export function openRoots(): readonly (Document | ShadowRoot)[] {
  const roots = globalThis.orbweaverRoots;
  if (roots === undefined) return [document];
  for (const root of roots) if (!isConnectedOf(root)) roots.delete(root);
  return [document, ...roots];
}

/** The closed trees of the document that are known. */
export function closedRoots(): readonly ShadowRoot[] {
  return (globalThis.orbweaverClosed ?? []).filter(isConnectedOf);
}
