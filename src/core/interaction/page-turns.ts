/**
 * Finds the clicks that turn the pages of a list whose rows have no addresses: rows of one kind bring links, some of them revealed by the
 * click and some there without it. Pure.
 */
export class PageTurns<Action> {
  /** Kinds of elements that brought links, and what had revealed the first of each; null for what was there at first. */
  readonly #kinds = new Map<string, Action | null>();
  /** Clicks that brought nothing but elements, and what follows if these are the next page of a list. */
  readonly #onward = new Map<Action, Action>();

  revealed(click: Action, onward: Action): void {
    this.#onward.set(click, onward);
  }

  /**
   * An element of that kind has brought links.
   * @param by the action that had revealed it; null where it was there at first
   * @returns the clicks that turn pages, as far as this shows, each with what follows
   */
  learn(kind: string, by: Action | null): readonly (readonly [Action, Action])[] {
    const first = this.#kinds.get(kind);
    if (first === undefined) this.#kinds.set(kind, by);
    if (first === undefined || first === by) return [];
    return [first, by].flatMap((click) => {
      const onward = click === null ? undefined : this.#onward.get(click);
      if (click === null || onward === undefined) return [];
      this.#onward.delete(click);
      return [[click, onward] as const];
    });
  }
}
