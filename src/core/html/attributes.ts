/** The attributes of an element, out of the parser's object and without a table beside it: a document has thousands of elements. */

export interface HtmlAttributes extends Iterable<readonly [name: string, value: string]> {
  /** Names in lower case, in their order. */
  readonly names: readonly string[];
  get(name: string): string | undefined;
  has(name: string): boolean;
}

/** @param written only its own properties count; each is a text */
export function htmlAttributes(written: Readonly<Record<string, string>>): HtmlAttributes {
  const names = Object.keys(written);
  return names.length === 0 ? NO_ATTRIBUTES : new WrittenAttributes(names, written);
}

class WrittenAttributes implements HtmlAttributes {
  readonly names: readonly string[];
  readonly #written: Readonly<Record<string, unknown>>;

  constructor(names: readonly string[], written: Readonly<Record<string, unknown>>) {
    this.names = names;
    this.#written = written;
  }

  /** Properties of every object, such as `constructor`, are no texts. */
  get(name: string): string | undefined {
    const value = this.#written[name];
    return typeof value === 'string' ? value : undefined;
  }

  has(name: string): boolean {
    return typeof this.#written[name] === 'string';
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const name of this.names) yield [name, this.get(name) ?? ''];
  }
}

const NO_ATTRIBUTES: HtmlAttributes = new WrittenAttributes([], {});
