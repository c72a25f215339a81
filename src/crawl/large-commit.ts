/**
 * A sitemap may name 50,000 pages. The scripts of Redis take some thousands of links at a time, and nothing else happens there
 * meanwhile: what is more is admitted before, piece by piece, and the commit of the visit has it as edges only.
 */
import type { EpochMs } from '../base/units.ts';
import type { Frontier, CommitReply } from '../frontier/frontier.ts';
import type { CommittedLink, VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';

/** Links whose targets are judged in one script: some ten milliseconds of Redis. */
export const LINKS_AT_A_TIME = 4000;

/**
 * Commits a commit of any size. A crawl that is killed between the pieces reads the file again, and finds its first pages
 * known. Of an edge beyond the first {@link LINKS_AT_A_TIME} it is not told whether it made its page known.
 */
export async function commitInPieces(
  frontier: Pick<Frontier, 'admit' | 'commit'>,
  visit: Visit,
  commit: VisitCommit,
  now: EpochMs,
): Promise<CommitReply> {
  const { links } = commit;
  if (links.length <= LINKS_AT_A_TIME) return frontier.commit(visit, commit, now);
  const surplus = links.slice(LINKS_AT_A_TIME);
  for (let start = 0; start < surplus.length; start += LINKS_AT_A_TIME) {
    const piece = surplus.slice(start, start + LINKS_AT_A_TIME);
    // oxlint-disable-next-line no-await-in-loop -- in their order, and never two at a time
    await frontier.admit(candidatesOf(piece), skippedOf(piece), now);
  }
  const edges = surplus.map(({ record }): CommittedLink => ({ record, target: { kind: 'subresource' } }));
  return frontier.commit(visit, { ...commit, links: [...links.slice(0, LINKS_AT_A_TIME), ...edges] }, now);
}

function candidatesOf(links: readonly CommittedLink[]) {
  return links.flatMap(({ target }) => (target.kind === 'candidate' ? [target.candidate] : []));
}

function skippedOf(links: readonly CommittedLink[]) {
  return links.flatMap(({ target }) => (target.kind === 'skipped' ? [target.record] : []));
}
