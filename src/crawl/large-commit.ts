/**
 * Splits commits with very many links: a sitemap may name 50,000 pages, the scripts of Redis take some thousands of links at a time, and
 * Redis does nothing else meanwhile. The links beyond that are admitted before, piece by piece, and are only edges in the commit.
 */
import type { EpochMs } from '../base/units.ts';
import type { Frontier, CommitReply } from '../frontier/frontier.ts';
import type { CommittedLink, VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';

/** Links whose targets are judged in one script: some ten milliseconds of Redis. */
export const LINKS_AT_A_TIME = 4000;

/**
 * Commits a commit of any size. The first edge to each page that became known is the one that is new, in whichever piece it is. A crawl
 * that is killed between the pieces reads the file again, and finds its first pages known: their edges are not new then.
 */
export async function commitInPieces(
  frontier: Pick<Frontier, 'admitLinks' | 'commit'>,
  visit: Visit,
  commit: VisitCommit,
  now: EpochMs,
): Promise<CommitReply> {
  const { links } = commit;
  if (links.length <= LINKS_AT_A_TIME) return frontier.commit(visit, commit, now);
  const surplus = links.slice(LINKS_AT_A_TIME);
  const admitted = new Set<string>();
  for (let start = 0; start < surplus.length; start += LINKS_AT_A_TIME) {
    const piece = surplus.slice(start, start + LINKS_AT_A_TIME);
    // oxlint-disable-next-line no-await-in-loop -- in their order, and never two at a time
    for (const url of await frontier.admitLinks(piece, now)) admitted.add(url);
  }
  const marked = firstsMarked([...links.slice(0, LINKS_AT_A_TIME), ...surplus.map(asEdge)], links, admitted);
  const reply = await frontier.commit(visit, { ...commit, links: marked }, now);
  return reply.kind === 'fenced' ? reply : { ...reply, newLinks: reply.newLinks + admitted.size };
}

function asEdge({ record }: CommittedLink): CommittedLink {
  return { record, target: { kind: 'subresource' } };
}

/** @param links the same with their targets; @param admitted of these targets */
function firstsMarked(
  edges: readonly CommittedLink[],
  links: readonly CommittedLink[],
  admitted: ReadonlySet<string>,
): readonly CommittedLink[] {
  const left = new Set(admitted);
  return edges.map((edge, index) => {
    const target = links[index]?.target;
    const url =
      target?.kind === 'candidate' ? target.candidate.url : target?.kind === 'skipped' ? target.record.url : null;
    return url !== null && left.delete(url) ? { ...edge, isNew: true } : edge;
  });
}
