/**
 * A set of texts that stays what it is: adding to it makes another one, which shares its texts, so that it costs what is added. Lists have
 * thousands of seeds, and the redirect of each makes a wider scope.
 */
export class SharedSet {
  readonly #layers: readonly ReadonlySet<string>[];
  readonly size: number;

  private constructor(layers: readonly ReadonlySet<string>[]) {
    this.#layers = layers;
    this.size = layers.reduce((sum, layer) => sum + layer.size, 0);
  }

  static of(values: Iterable<string>): SharedSet {
    return new SharedSet([new Set(values)]);
  }

  /** The one that was added first; null where there is none. */
  get first(): string | null {
    for (const layer of this.#layers) for (const value of layer) return value;
    return null;
  }

  has(value: string): boolean {
    return this.#layers.some((layer) => layer.has(value));
  }

  /** Each layer is larger than the next one: so there are few, and a text is copied few times. */
  with(values: Iterable<string>): SharedSet {
    let last = new Set<string>();
    for (const value of values) if (!this.has(value)) last.add(value);
    if (last.size === 0) return this;
    const layers = [...this.#layers];
    for (let before = layers.at(-1); before !== undefined && before.size <= last.size; before = layers.at(-1)) {
      last = new Set([...before, ...last]);
      layers.pop();
    }
    return new SharedSet([...layers, last]);
  }
}
