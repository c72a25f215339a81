/** Links of a comment: speculative, as its author has taken them out. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { actsByName } from '../texts/reference-text.ts';
import { isAssetName } from '../texts/url-text.ts';
import { commentUrls } from '../texts/written-urls.ts';

/** A script or a sheet for old browsers is no page, and what acts is not tried: they are edges. */
export function commentLinks(comment: string): readonly RawLink[] {
  return commentUrls(comment).map((href) =>
    rawLink(href, isAssetName(href) || actsByName(href) ? 'resource' : 'text', 'comment', 'low'),
  );
}
