import type { SettledLink } from '../model/settlement.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';

/** The links of a page whose links are not followed. @param skip says what becomes of one that would be */
export function unfollowedLinks(
  links: readonly SettledLink[],
  skip: (url: CanonicalUrl) => SettledLink['target'],
): readonly SettledLink[] {
  return links.map((link) =>
    link.target.kind === 'candidate' ? { ...link, target: skip(link.target.candidate.url) } : link,
  );
}
