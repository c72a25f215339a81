/** The links of a commit as its script takes them: each URL once, in groups; the others are lines of links.jsonl only. */
import type { CommittedLink, FoldedUrl } from '../model/visit-commit.ts';
import { distinct, groupUrls, type DiscoveredUrl, type KnownUrls } from './url-groups.ts';

interface Sendable {
  /** One link for each URL that the script gets, in the order of the script. */
  readonly sent: readonly CommittedLink[];
  readonly fields: readonly string[];
  /** Lines of links.jsonl only: subresources of a page, and links to a URL that another one named. */
  readonly unsent: readonly CommittedLink[];
}

/** Parts the links of a commit: what the script judges, and what only becomes a line. */
export function sendable(links: readonly CommittedLink[], known?: KnownUrls): Sendable {
  const firsts = new Map<string, CommittedLink>();
  const unsent: CommittedLink[] = [];
  const foundUrls: DiscoveredUrl[] = [];
  for (const link of links) {
    const found = foundUrlOf(link);
    if (found !== null) foundUrls.push(found);
    if (found === null || firsts.has(found.url)) unsent.push(link);
    else firsts.set(found.url, link);
  }
  const { fields, order } = groupUrls(distinct(foundUrls), known);
  return { sent: order.flatMap(({ url }) => firsts.get(url) ?? []), fields, unsent };
}

/** The URL that a link names; null where it names a part of its page. */
export function foundUrlOf({ target }: CommittedLink): DiscoveredUrl | null {
  switch (target.kind) {
    case 'candidate':
      return target.candidate;
    case 'skipped':
      return { ...target.record, ...(target.soFar === true ? { soFar: true } : {}), ...foldOf(target.fold) };
    case 'subresource':
      return null;
  }
}

function foldOf(fold: FoldedUrl | undefined): { readonly fold?: FoldedUrl } {
  return fold === undefined ? {} : { fold };
}
