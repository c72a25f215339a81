import type { RawLinkKind } from '../../model/link-kinds.ts';
import type { RawLink } from '../../model/page-facts.ts';

/** Limits for the fields of a link; render/page/isolated-world.ts applies the same to incoming links. */
export const HREF_LENGTH = 8192;
const CONTEXT_LENGTH = 100;

/** A link without words. */
export function rawLink(
  href: string,
  kind: RawLinkKind,
  context: string,
  confidence: 'high' | 'low' = 'high',
): RawLink {
  const link = { href: href.slice(0, HREF_LENGTH), kind, context: context.slice(0, CONTEXT_LENGTH), text: '', rel: '' };
  return confidence === 'low' ? { ...link, confidence } : link;
}
