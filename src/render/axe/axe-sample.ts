/** Chooses the pages that axe-core checks: all, or the first of each page template that can be checked. */
import type { AxeChoice } from '../../model/accessibility.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf } from '../../model/url/host-key.ts';
import { urlShape } from '../../model/url/url-shape.ts';

/** Templates that are remembered; pages of further ones are not checked. A site with more has no templates. */
const TEMPLATES = 20_000;

export class AxeSample {
  readonly #choice: AxeChoice;
  /** Templates that were checked, or are just being checked. */
  readonly #taken = new Set<string>();

  constructor(choice: AxeChoice) {
    this.#choice = choice;
  }

  /** Is the page to be checked? If so, {@link ended} must follow. */
  takes(url: CanonicalUrl): boolean {
    if (this.#choice === 'all') return true;
    const template = templateOf(url);
    if (this.#taken.has(template) || this.#taken.size >= TEMPLATES) return false;
    this.#taken.add(template);
    return true;
  }

  /** @param done false where the page could not be checked: another one of its template takes its place */
  ended(url: CanonicalUrl, done: boolean): void {
    if (!done) this.#taken.delete(templateOf(url));
  }
}

/** The template by which findings are grouped, too (core/findings/site-address.ts). */
function templateOf(url: CanonicalUrl): string {
  return `${hostKeyOf(url)} ${urlShape(url, 'place')}`;
}
