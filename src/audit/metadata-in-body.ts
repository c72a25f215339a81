/** Elements of the head that a page has in its body. */
import type { HtmlElement } from '../core/html/tree.ts';
import type { MisplacedMetadata } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

/** More are the fault of one template. */
const LISTED = 20;

export function metadataInBody(elements: readonly HtmlElement[]): readonly MisplacedMetadata[] {
  const found: MisplacedMetadata[] = [];
  const inBody = new Set<HtmlElement>();
  for (const element of elements) {
    const { name, namespace, parent } = element;
    if (name === 'body' || (parent !== null && inBody.has(parent))) inBody.add(element);
    const kind = namespace === 'html' && inBody.has(element) && found.length < LISTED ? kindOf(element) : null;
    if (kind !== null) found.push({ kind, ...placeOf(element) });
  }
  return found;
}

function kindOf({ name, attributes }: HtmlElement): MisplacedMetadata['kind'] | null {
  const valueOf = (key: string): string => attributes.get(key)?.trim().toLowerCase() ?? '';
  if (name === 'meta') return /^(?:robots|googlebot)$/.test(valueOf('name')) ? 'robots' : null;
  if (name !== 'link' || valueOf('href') === '') return null;
  const rel = valueOf('rel').split(/\s+/);
  if (rel.includes('canonical')) return 'canonical';
  return rel.includes('alternate') && attributes.has('hreflang') ? 'alternate' : null;
}
