/** Collects the links that actions brought, each once, and the targets that are new. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { asHeldRequest } from '../../core/interaction/held-links.ts';
import type { FoundLink } from '../../model/link.ts';
import { foundLinkKey } from '../extract/found-links.ts';

/** Files that the page made itself. A button that saves one would bring a new address with each click. */
const OWN_FILE = /^(?:blob|data):/i;

export class TakenLinks {
  readonly #known: Set<string>;
  readonly #targets: Set<string>;
  readonly #found: FoundLink[] = [];
  readonly #yielded = new Set<string>();
  #last: string[] = [];

  /** @param first links that the page had before it was used */
  constructor(first: readonly FoundLink[]) {
    this.#known = new Set(first.map(foundLinkKey));
    // the target of a guess is new: no link has led there yet
    this.#targets = new Set(first.filter(({ confidence }) => confidence === 'high').map(targetOf));
  }

  get found(): readonly FoundLink[] {
    return this.#found;
  }

  /** Targets that no state before had. */
  get yielded(): ReadonlySet<string> {
    return this.#yielded;
  }

  /** Takes the targets of all links that came since it was asked for last, files that the page made itself left out. */
  takeLast(): readonly string[] {
    const last = this.#last;
    this.#last = [];
    return last;
  }

  add(link: FoundLink): void {
    this.#found.push(link);
  }

  /**
   * @param words on the used element: a link that a button made gets the words on the button
   * @param isDestructive was anything used that reads as if it did harm?
   * @returns the number of links to new targets
   */
  takeIn(
    links: readonly FoundLink[],
    { words, isDestructive }: { readonly words: string; readonly isDestructive: boolean },
  ): number {
    let fresh = 0;
    for (const foundLink of links) {
      const key = foundLinkKey(foundLink);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      const named = foundLink.text === '' ? { ...foundLink, text: words.slice(0, 200) } : foundLink;
      const link = isDestructive ? asHeldRequest(named) : named;
      this.#found.push(link);
      const target = targetOf(link);
      const isOwn = OWN_FILE.test(target);
      if (!isOwn) this.#last.push(target);
      const isPart = link.kind === 'request' || link.kind === 'resource' || isOwn;
      if (isPart || this.#targets.has(target)) continue;
      this.#targets.add(target);
      this.#yielded.add(target);
      fresh += 1;
    }
    return fresh;
  }
}

function targetOf({ resolved, href, base }: FoundLink): string {
  return resolved ?? parsedUrl(href, base)?.href ?? href;
}
