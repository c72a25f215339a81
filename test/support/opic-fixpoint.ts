/** Importance by power iteration: the limit that AOPIC approaches during a crawl (design/scheduling, "Credit"). */

export interface Importance {
  /** Importance of each page, without lambda; the sum is 1. */
  readonly pages: readonly number[];
  /** Lambda's share of all visits. */
  readonly lambda: number;
}

const ENOUGH = 1e-14;

/**
 * @param links targets of each page by number
 * @param tax share of each page's payment that goes to lambda; null: lambda counts as one more link. A page without
 *   links pays all to lambda, and lambda pays all pages the same.
 */
export function opicFixpoint(links: readonly (readonly number[])[], tax: number | null): Importance {
  let pages = links.map(() => 1 / (links.length + 1));
  let lambda = 1 / (links.length + 1);
  for (let change = 1; change > ENOUGH;) {
    const next = links.map(() => lambda / links.length);
    let income = 0;
    for (const [page, targets] of links.entries()) {
      const cash = pages[page] ?? 0;
      const share = shareOf(cash, targets.length, tax);
      for (const target of targets) next[target] = (next[target] ?? 0) + share;
      income += cash - share * targets.length;
    }
    // half of each step: if cash only circulates, full steps would never converge
    const calm = next.map((value, page) => (value + (pages[page] ?? 0)) / 2);
    change = calm.reduce((sum, value, page) => sum + Math.abs(value - (pages[page] ?? 0)), 0);
    [pages, lambda] = [calm, (income + lambda) / 2];
  }
  const sum = pages.reduce((total, value) => total + value, 0);
  return { pages: pages.map((value) => value / sum), lambda: lambda / (lambda + sum) };
}

function shareOf(cash: number, links: number, tax: number | null): number {
  if (links === 0) return 0;
  return tax === null ? cash / (links + 1) : (cash * (1 - tax)) / links;
}
