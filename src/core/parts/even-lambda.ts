/** Keeps the lambda page of a crawl one page, although each of its parts holds some of its credit. */

/** A part's share of the lambda page. */
interface LambdaShare {
  /** Credit. */
  readonly lambda: number;
  /** Registrable domains that it pays. */
  readonly domains: number;
}

interface LambdaTransfer {
  readonly from: number;
  readonly to: number;
  /** Credit; 1 or more. */
  readonly amount: number;
}

/** Tolerated surplus or lack of a part, as a share of all (arbitrary: dividends differ by no more than that). */
const TOLERANCE = 1 / 64;

/**
 * Lambda pays each domain the same, so a part needs as much of it as it has domains.
 * @returns the transfers from parts with too much to parts with too little; none where they differ little or no domain is paid
 */
export function evenLambda(parts: readonly LambdaShare[]): readonly LambdaTransfer[] {
  const all = parts.reduce((sum, { lambda }) => sum + lambda, 0);
  const domains = parts.reduce((sum, part) => sum + part.domains, 0);
  if (domains === 0) return [];
  // a double is near enough: a transfer is a whole number, and all of it arrives
  const surplus = parts.map((part) => part.lambda - Math.floor(all * (part.domains / domains)));
  if (surplus.every((each) => Math.abs(each) <= all * TOLERANCE)) return [];
  const transfers: LambdaTransfer[] = [];
  for (const from of parts.keys()) {
    for (const to of parts.keys()) {
      const amount = Math.min(surplus[from] ?? 0, -(surplus[to] ?? 0));
      if (amount < 1) continue;
      transfers.push({ from, to, amount });
      surplus[from] = (surplus[from] ?? 0) - amount;
      surplus[to] = (surplus[to] ?? 0) + amount;
    }
  }
  return transfers;
}
