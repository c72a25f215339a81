/** The keys that were seen last, so many of them. */
export class RecentKeys {
  readonly #keys = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes a key. @returns whether it was not known */
  add(key: string): boolean {
    const fresh = !this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > this.#limit) for (const oldest of this.#keys) return this.#keys.delete(oldest) && fresh;
    return fresh;
  }
}
