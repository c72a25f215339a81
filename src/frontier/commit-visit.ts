/** Sends the commit of a visit, leaving out all about its links that the frontier already knows. */
import type { EpochMs } from '../base/units.ts';
import type { CommittedLink, VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { commitArguments } from './commit-arguments.ts';
import type { CommitReply } from './frontier.ts';
import type { FrontierState } from './frontier-state.ts';
import { detailsText } from './journal-text.ts';
import { packedLines } from './packed-lines.ts';
import * as scripts from './scripts.ts';
import { rememberEnded, rememberStandings, sendable } from './sendable-links.ts';

/** Result for the links that lead to other parts of the crawl. */
export interface Elsewhere {
  /** Groups of lua/includes/exchange.lua. */
  readonly credited: readonly string[];
  /** Number of their targets that have ended for good. */
  readonly ended: number;
  /** Links that only become journal lines. */
  readonly edges: readonly CommittedLink[];
  /** Number of URLs that they made known. */
  readonly newLinks: number;
  /** Value for commit.lua. */
  readonly madeKnown: '' | 'new' | 'speculative';
}

export const NOTHING_ELSEWHERE: Elsewhere = { credited: [], ended: 0, edges: [], newLinks: 0, madeKnown: '' };

/** @param elsewhere results of the links that are not in the commit */
export async function commitVisit(
  state: Pick<FrontierState, 'client' | 'keys' | 'known'>,
  given: { readonly visit: Visit; readonly commit: VisitCommit; readonly elsewhere: Elsewhere },
  now: EpochMs,
): Promise<CommitReply> {
  const { client, keys, known } = state;
  const { visit, elsewhere } = given;
  const commit = whatStands(visit, given.commit);
  const sending = sendable(commit.links, visit.url, known);
  const lines =
    packedLines([...sending.sent, ...sending.unsent, ...elsewhere.edges], known) + detailsText(commit.details);
  const ended = sending.ended + elsewhere.ended;
  const args = commitArguments(visit, commit, { lines, ended, elsewhere: elsewhere.madeKnown, now });
  const rest = [...elsewhere.credited, ...sending.credited.packed, ...sending.fields];
  const answer = await scripts.COMMIT.run(client, keys, args, rest);
  if (answer.kind === 'fenced') return answer;
  if (answer.kind === 'committed') {
    rememberStandings(sending, answer.places, known);
    if (commit.disposition.kind !== 'retry') rememberEnded(visit.url, known);
    return { kind: 'committed', newLinks: answer.newLinks + elsewhere.newLinks };
  }
  known.clear();
  return commitVisit(state, given, now); // now with all links in full
}

/** The part of a commit that takes effect. A second visit that did not end as visited adds nothing: the first one's lines stand. */
export function whatStands({ again }: Visit, commit: VisitCommit): VisitCommit {
  if (again !== true || commit.disposition.kind === 'visited') return commit;
  return { ...commit, links: [], newSeeds: [] };
}
