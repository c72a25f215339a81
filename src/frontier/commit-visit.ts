/** Sends the commit of a visit, with as little of its links as the frontier does not know yet. */
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

/** What became of the links that lead to other parts of the crawl. */
export interface Elsewhere {
  /** Groups of lua/includes/exchange.lua. */
  readonly credited: readonly string[];
  /** How many of their targets have ended for good. */
  readonly ended: number;
  /** They only become lines. */
  readonly edges: readonly CommittedLink[];
  /** How many URLs they have made known. */
  readonly newLinks: number;
  /** As commit.lua takes it. */
  readonly madeKnown: '' | 'new' | 'speculative';
}

export const NOTHING_ELSEWHERE: Elsewhere = { credited: [], ended: 0, edges: [], newLinks: 0, madeKnown: '' };

/** @param elsewhere of those links that are not in the commit */
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
  return commitVisit(state, given, now); // in full
}

/** A second visit that did not end as visited brings nothing: what the first one wrote stands. */
export function whatStands({ again }: Visit, commit: VisitCommit): VisitCommit {
  if (again !== true || commit.disposition.kind === 'visited') return commit;
  return { ...commit, links: [], newSeeds: [] };
}
