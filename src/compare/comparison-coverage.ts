/** The coverage of a comparison, and why it did not see the rest. */
import { counted } from '../base/count-words.ts';
import { unseenWords } from '../core/diff/pages.ts';
import { isPage, type Unseen } from '../core/diff/standings.ts';
import type { AuditCoverage } from '../model/finding.ts';
import type { ComparedSite } from './compared-site.ts';
import type { Standings } from './site-moves.ts';

interface CoverageSources {
  readonly old: ComparedSite;
  readonly now: ComparedSite;
  readonly standings: Standings;
  /** Addresses with a difference. */
  readonly changed: ReadonlySet<string>;
  /** Pairs of pages that were compared. */
  readonly both: number;
}

export function comparisonCoverage({ old, now, standings, changed, both }: CoverageSources): AuditCoverage {
  const { unseenNow, unseenBefore, failed } = standings;
  const pagesOf = ({ pages }: ComparedSite): number => [...pages.values()].filter(isPage).length;
  const addresses = new Set(
    [...old.pages.values(), ...now.pages.values()].filter(isPage).map(({ address }) => address),
  );
  const pages = [...changed].filter((address) => addresses.has(address)).length;
  const others = changed.size - pages;
  const known = addresses.size - unseenNow.size - unseenBefore.size - failed.length;
  return {
    expected: addresses.size,
    seen: addresses.size - unseenNow.size - unseenBefore.size,
    judged: Math.max(0, known),
    notJudged: {},
    notJudgedPages: [],
    compared: { before: pagesOf(old), now: pagesOf(now), both, changed: pages, ...(others === 0 ? {} : { others }) },
    limits: [...reasonsOf(unseenNow, 'of before'), ...reasonsOf(unseenBefore, 'of now')],
  };
}

/** `12 pages of before such as /two: beyond --depth`; a single one is named: `1 page of before, /two: beyond --depth`. */
function reasonsOf(unseen: ReadonlyMap<string, Unseen>, whose: string): readonly string[] {
  const byReason = new Map<Unseen, string[]>();
  for (const [address, reason] of unseen) byReason.set(reason, [...(byReason.get(reason) ?? []), address]);
  return [...byReason].map(([reason, addresses]) => {
    const named = addresses.length === 1 ? ',' : ' such as';
    return `${counted(addresses.length, 'page')} ${whose}${named} ${addresses[0] ?? ''}: ${unseenWords(reason)}`;
  });
}
