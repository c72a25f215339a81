/** The URL spaces that a crawl left alone: patterns over their budget, and infinite spaces. */
import type { SkippedRecord, SkipReason, SuspectedTrap } from '../../model/record.ts';
import type { CrawlContext } from '../crawl-context.ts';

/** Counts URLs that are held back, by rule. A resumed crawl counts what it holds back itself. */
export interface HeldCounts {
  add(skipped: readonly SkippedRecord[]): void;
  count(rule: string): number;
  /** The count of all rules with this ending. */
  countOfEnd(end: string): number;
}

const IS_HELD: ReadonlySet<SkipReason> = new Set(['trap', 'duplicate-query']);

/** Rules whose skipped URLs are counted; each names a pattern. */
const MOST_RULES = 10_000;

export function createHeldCounts(): HeldCounts {
  const held = new Map<string, number>();
  return {
    add: (skipped) => {
      for (const { reason, rule } of skipped) {
        if (!IS_HELD.has(reason) || (held.size >= MOST_RULES && !held.has(rule))) continue;
        held.set(rule, (held.get(rule) ?? 0) + 1);
      }
    },
    count: (rule) => held.get(rule) ?? 0,
    countOfEnd: (end) => [...held].reduce((sum, [rule, count]) => (rule.endsWith(end) ? sum + count : sum), 0),
  };
}

/** Call it when all URLs that are held back have gone to the journal. */
export async function suspectedTraps(
  { frontier, trapMemory }: Pick<CrawlContext, 'frontier' | 'trapMemory'>,
  held: HeldCounts,
): Promise<readonly SuspectedTrap[]> {
  const spaces = await trapMemory.infiniteSpaces();
  const infinite = spaces.map(({ pattern, rule, visited, asked }) => ({
    pattern,
    rule,
    fetched: visited,
    held: held.count(rule),
    why: `${visited} said nothing new, nor did ${asked}, which nobody had named`,
  }));
  return mergedByPattern([...(await frontier.suspectedTraps()), ...infinite]);
}

/** Merges the finds of a pattern that was found out in two ways. */
function mergedByPattern(traps: readonly SuspectedTrap[]): readonly SuspectedTrap[] {
  const byPattern = new Map<string, SuspectedTrap>();
  for (const trap of traps) {
    const first = byPattern.get(trap.pattern);
    const fetched = Math.max(trap.fetched, first?.fetched ?? 0);
    byPattern.set(trap.pattern, { ...(first ?? trap), fetched, held: trap.held + (first?.held ?? 0) });
  }
  return [...byPattern.values()];
}
