/** Which names pages had that were read rightly without a browser: of a page with others nothing is known. */

/** Pages with a name, in a row, that were the same before pages with it count as known. An arbitrary number. */
export const COVERING = 3;
/** So many more it takes for a name that was blamed, twice as many each time that it is. Arbitrary, and at the most. */
const OWED = 5;
const MOST_OWED = 1000;
/** Pages with further names are not covered. */
const COVER_LIMIT = 2000;

export class NameCover {
  /** Pages that were the same. */
  #pages = 0;
  /** How many of them had each name; below 0: what a name that was blamed still owes. */
  readonly #counts = new Map<string, number>();
  /** What each name that is blamed the next time will owe. */
  readonly #debts = new Map<string, number>();
  /** Names that each of them had. */
  #common: readonly string[] = [];

  /** Is there nothing on the page that scripts may take for what they saw on too few, and all that they saw on each? */
  holds(names: readonly string[]): boolean {
    if (!names.every((each) => (this.#counts.get(each) ?? 0) >= COVERING)) return false;
    const own = new Set(names);
    return this.#common.every((each) => own.has(each));
  }

  /** A page with these names was the same. @returns whether more is covered than before */
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
   * A page with these names was not the same: its rarest names are taken out of the cover, for they tell it from the others.
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
