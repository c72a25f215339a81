/** Converts the commit of a visit to the arguments of commit.lua. */
import type { EpochMs } from '../base/units.ts';
import { urlShape } from '../model/url/url-shape.ts';
import { isCountedPage, type Disposition, type VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { fingerprintNumber } from './fingerprint-number.ts';
import type * as scripts from './scripts.ts';

type CommitArguments = Parameters<typeof scripts.COMMIT.run>[2];

/**
 * The named arguments. `lines` are the journal lines of its links, `ended` counts links to URLs that have ended for good, `elsewhere` says what
 * the links have made known in other parts of the crawl.
 */
export function commitArguments(
  visit: Visit,
  commit: VisitCommit,
  {
    lines,
    now,
    ...given
  }: {
    readonly lines: string;
    readonly ended: number;
    readonly elsewhere: '' | 'new' | 'speculative';
    readonly now: EpochMs;
  },
): CommitArguments {
  const { disposition, hostDelay, hostSlots, hostBackoff, newSeeds } = commit;
  const { hostBackoffMost, serverTime, novelty } = commit;
  return {
    now,
    token: visit.token,
    fingerprint: fingerprintNumber(visit.url),
    disposition: disposition.kind,
    counts: isCountedPage(disposition) ? 'yes' : '',
    retryDue: disposition.kind === 'retry' ? disposition.due : '',
    hostDelay,
    hostSlots,
    hostBackoff: hostBackoff ?? '',
    hostBackoffMost: hostBackoffMost ?? '',
    hostThrottled: commit.hostThrottled === true ? 'yes' : '',
    failsAgain: commit.failsAgain === true ? 'yes' : '',
    serverTime: serverTime ?? '',
    novelty: novelty ?? '',
    pattern: urlShape(visit.url, 'program'),
    page: hasPage(visit, disposition) ? JSON.stringify(disposition.record) : 'null',
    answer: answerOf(visit, disposition),
    links: lines,
    skipped: disposition.kind === 'skipped' && visit.again !== true ? JSON.stringify(disposition.record) : '',
    newSeeds: JSON.stringify(newSeeds),
    unasked: commit.unasked === true ? 'yes' : '',
    ...given,
  };
}

/** Does the visit write a line of pages.jsonl? */
function hasPage(
  { again }: Visit,
  disposition: Disposition,
): disposition is Extract<Disposition, { readonly kind: 'visited' | 'failed' }> {
  return disposition.kind === 'visited' || (disposition.kind === 'failed' && again !== true);
}

/** Hexadecimal digits kept of a digest: enough to distinguish the texts of one host. */
const DIGEST_KEPT = 32;

/** The evidence for a speculative link that was visited, see lua/includes/speculative.lua. */
function answerOf({ confidence }: Visit, disposition: Disposition): string {
  if (confidence === 'high' || disposition.kind !== 'visited') return '';
  const { outcome, digest } = disposition.record;
  return outcome === 'redirected' ? 'redirected' : (digest ?? '').slice(-DIGEST_KEPT);
}
