/** Links that come of a control that seems harmful are listed and never visited: a visit might do the harm. Pure. */
import type { LinkKind } from '../../model/link-kinds.ts';
import type { FoundLink } from '../../model/link.ts';
import { destructionOf } from './destructive-action.ts';

/** Marks in `context` a link that did not leave the browser. */
export const HELD = '(held)';

/** Kinds of link by which a script navigates itself. */
const DONE_BY_SCRIPT: ReadonlySet<LinkKind> = new Set<LinkKind>([
  'history',
  'navigation',
  'window-open',
  'click',
  'form',
]);

/** Turns a link of such a control into a held request, unless a reader may follow it and it promises no harm. */
export function asHeldRequest(link: FoundLink): FoundLink {
  const { kind, context, text, href } = link;
  if (kind === 'request' || kind === 'resource' || kind === 'css') return link;
  if (!DONE_BY_SCRIPT.has(kind) && destructionOf({ words: text, marks: href }) === null) return link;
  return { ...link, kind: 'request', confidence: 'high', context: `${context} ${HELD}` };
}
