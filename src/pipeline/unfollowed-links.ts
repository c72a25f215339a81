import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { CommittedLink } from '../model/visit-commit.ts';

/** The links of a page whose links are not followed. @param skip says what becomes of one that would be */
export function unfollowedLinks(
  links: readonly CommittedLink[],
  skip: (url: CanonicalUrl) => CommittedLink['target'],
): readonly CommittedLink[] {
  return links.map((link) =>
    link.target.kind === 'candidate' ? { ...link, target: skip(link.target.candidate.url) } : link,
  );
}
