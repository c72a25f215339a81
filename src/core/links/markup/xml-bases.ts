/**
 * The bases of the references of an XML file (W3C, XML Base): a feed may name one for all its entries, and each entry one of its own.
 * Drawings have none: browsers do not read `xml:base` there any more.
 */
import { parsedUrl } from '../../../base/parsed-url.ts';

export class XmlBases {
  /** Elements that name a base, with their depths; the first is the file itself. */
  readonly #named: { readonly depth: number; readonly base: string }[];
  #depth = 0;
  #isDrawing = false;

  /** @param url of the file */
  constructor(url: string) {
    this.#named = [{ depth: 0, base: url }];
  }

  /** The base of the element that was opened last and is still open. */
  get current(): string {
    return this.#named.at(-1)?.base ?? '';
  }

  /** Opens an element. @param name with its prefix, lower case */
  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth === 1) this.#isDrawing = /^(?:[\w.-]+:)?svg$/.test(name);
    const own = attributes['xml:base'];
    const base = own === undefined || this.#isDrawing ? null : parsedUrl(own, this.current);
    if (base !== null) this.#named.push({ depth: this.#depth, base: base.href });
  }

  /** Closes the element that was opened last. */
  close(): void {
    if (this.#depth > 0 && this.#named.at(-1)?.depth === this.#depth) this.#named.pop();
    this.#depth -= 1;
  }
}
