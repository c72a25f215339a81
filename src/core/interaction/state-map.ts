/** Remembers the elements that could be used after each control, to find the way from one state of a page to another. Pure. */

/** Controls remembered. */
const CONTROLS = 300;
/** Elements remembered for each. */
const ELEMENTS = 300;
/** Steps of a way. */
const STEPS = 6;

export class StateMap {
  readonly #after = new Map<string, ReadonlySet<string>>();

  /** @param there keys of elements that could be used after the control of that key */
  learn(key: string, there: Iterable<string>): void {
    if (!this.#after.has(key) && this.#after.size >= CONTROLS) return;
    const kept = new Set<string>();
    for (const one of there) {
      if (kept.size >= ELEMENTS) break;
      kept.add(one);
    }
    this.#after.set(key, kept);
  }

  /**
   * The shortest known way.
   * @param there keys of elements that can be used now
   * @returns the controls to be used in turn, after which the target was there once; null where no way is known
   */
  wayTo(target: string, there: Iterable<string>): readonly string[] | null {
    const cameFrom = new Map<string, string | null>();
    for (const key of there) if (this.#after.has(key)) cameFrom.set(key, null);
    let edge = [...cameFrom.keys()];
    for (let step = 0; step < STEPS && edge.length > 0; step++) {
      const next: string[] = [];
      for (const key of edge) {
        const after = this.#after.get(key);
        if (after?.has(target) === true) return wayOf(key, cameFrom);
        for (const one of after ?? []) {
          if (cameFrom.has(one) || !this.#after.has(one)) continue;
          cameFrom.set(one, key);
          next.push(one);
        }
      }
      edge = next;
    }
    return null;
  }
}

function wayOf(last: string, cameFrom: ReadonlyMap<string, string | null>): readonly string[] {
  const way: string[] = [];
  for (let at: string | null = last; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}
