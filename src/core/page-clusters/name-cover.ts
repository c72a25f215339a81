/** The names of pages that were read correctly without a browser: nothing is known of a page with others. */

/** Pages in a row with a name that must be the same before pages with it count as known. An arbitrary number. */
export const COVERING = 3;
/** Pages that a blamed name takes before the COVERING ones, doubled each time that it is blamed, and the most of them. Arbitrary. */
const OWED = 5;
const MOST_OWED = 1000;
/** Pages with further names are not covered. */
const COVER_LIMIT = 2000;

export class NameCover {
  /** Pages that were the same. */
  #pages = 0;
  /** Number of them with each name; below 0: pages that a blamed name still owes. */
  readonly #counts = new Map<string, number>();
  /** Pages that each name will owe when it is blamed next. */
  readonly #debts = new Map<string, number>();
  /** Names that each of them had. */
  #common: readonly string[] = [];

  /** Does the page have every name that each of them had, and only names that enough of them had? */
  holds(names: readonly string[]): boolean {
    if (!names.every((each) => (this.#counts.get(each) ?? 0) >= COVERING)) return false;
    const own = new Set(names);
    return this.#common.every((each) => own.has(each));
  }

  /** Enters a page with these names that was the same. @returns whether more is covered than before */
  enter(names: readonly string[]): boolean {
    const own = new Set(names);
    const common = this.#pages === 0 ? names : this.#common.filter((each) => own.has(each));
    let more = common.length < this.#common.length;
    this.#common = common;
    this.#pages += 1;
    for (const name of own) {
      const count = this.#counts.get(name);
      if (count === undefined && this.#counts.size >= COVER_LIMIT) continue;
      this.#counts.set(name, (count ?? 0) + 1);
      more ||= (count ?? 0) < COVERING;
    }
    return more;
  }

  /**
   * A page with these names was not the same: removes its rarest names from the cover, because they tell it from the others.
   * @returns whether there is such a name; not where most of the others had all of them
   */
  blame(names: readonly string[]): boolean {
    const countOf = (name: string): number => this.#counts.get(name) ?? 0;
    const own = new Set(names);
    const least = Math.min(...names.map(countOf));
    if (least * 2 >= this.#pages) return !this.#common.every((each) => own.has(each));
    for (const name of names) {
      if (countOf(name) > least || (!this.#counts.has(name) && this.#counts.size >= COVER_LIMIT)) continue;
      const debt = this.#debts.get(name) ?? OWED;
      this.#counts.set(name, -debt);
      this.#debts.set(name, Math.min(MOST_OWED, debt * 2));
    }
    return true;
  }

  clear(): void {
    this.#pages = 0;
    this.#counts.clear();
    this.#debts.clear();
    this.#common = [];
  }
}
