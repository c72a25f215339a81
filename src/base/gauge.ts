/** A number that goes up and down, and that others follow. */
export class Gauge {
  #value = 0;
  readonly #listeners: (() => void)[] = [];

  get value(): number {
    return this.#value;
  }

  add(difference: number): void {
    this.#value += difference;
    for (const listener of this.#listeners) listener();
  }

  /** @param listener called after each change */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
