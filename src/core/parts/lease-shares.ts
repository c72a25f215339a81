/**
 * Numbers of visits to lease from each part of a crawl: those of the highest priority, as if all parts were one.
 * @param priorities of the hosts that are due, for each part, the highest first
 * @param count most visits
 * @returns a number for each part; among equal priorities those of earlier parts come first
 */
export function leaseShares(priorities: readonly (readonly number[])[], count: number): readonly number[] {
  const shares = priorities.map(() => 0);
  for (let left = count; left > 0; left -= 1) {
    let best: { readonly part: number; readonly priority: number } | null = null;
    for (const [part, own] of priorities.entries()) {
      const priority = own[shares[part] ?? 0];
      if (priority !== undefined && (best === null || priority > best.priority)) best = { part, priority };
    }
    if (best === null) break;
    shares[best.part] = (shares[best.part] ?? 0) + 1;
  }
  return shares;
}
