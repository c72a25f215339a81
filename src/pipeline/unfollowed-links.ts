import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { CommittedLink } from '../model/visit-commit.ts';

/** Marks all followed links of a page as not followed. @param skip gives the new target of a link */
export function unfollowedLinks(
  links: readonly CommittedLink[],
  skip: (url: CanonicalUrl) => CommittedLink['target'],
): readonly CommittedLink[] {
  return links.map((link) =>
    link.target.kind === 'candidate' ? { ...link, target: skip(link.target.candidate.url) } : link,
  );
}
