/** The facets of links and of files: references that pages gained or lost. One difference for all pages with the same change. */
import type { Observation } from '../../model/audit-rule.ts';
import { differenceRule, type DifferenceRule } from './facet.ts';

/** URLs of addresses that pages refer to: of those that are gone, and of those that have come. */
export interface ReferenceUrls {
  readonly gone: (address: string) => string;
  readonly come: (address: string) => string;
}

export const LINKS_RULE: DifferenceRule = differenceRule({
  id: 'changed-links',
  severity: 'warning',
  category: 'links',
  about: 'element',
  title: 'Link that came, went, or leads elsewhere',
  why: 'Readers and search engines find pages by links.',
});

export const FILES_RULE: DifferenceRule = differenceRule({
  id: 'changed-files',
  severity: 'notice',
  category: 'weight',
  about: 'element',
  title: 'File that pages load, or load no more',
  why: 'A script, a sheet, a picture or another host changes what pages look like, weigh and do.',
});

/** References of a page that are reported one by one. */
const MOST = 200;
const LISTED = 20;
/** Most different changes that are kept; a site with more was made anew. */
const MOST_CHANGES = 20_000;

/** Addresses that a page no longer refers to, and those that it newly refers to. */
export interface ReferenceChanges {
  readonly gone: readonly string[];
  readonly come: readonly string[];
  /** There is one of each, and the new one stands in the place of the old one. */
  readonly isReplaced: boolean;
}

interface Change {
  readonly gone: string | null;
  readonly come: string | null;
  count: number;
  readonly first: { readonly url: string }[];
}

export class ReferenceBook {
  readonly #noun: 'link' | 'file';
  readonly #changes = new Map<string, Change>();
  #dropped = 0;

  constructor(noun: 'link' | 'file') {
    this.#noun = noun;
  }

  add(url: string, { gone, come, isReplaced }: ReferenceChanges): void {
    if (isReplaced && gone.length === 1 && come.length === 1) this.#change(url, gone[0] ?? null, come[0] ?? null);
    else {
      for (const address of gone.slice(0, MOST)) this.#change(url, address, null);
      for (const address of come.slice(0, MOST)) this.#change(url, null, address);
    }
  }

  *observations(urls: ReferenceUrls): Generator<Observation & { readonly url: string }> {
    for (const { gone, come, count, first } of this.#changes.values()) {
      const lost = gone === null ? null : { address: gone, url: urls.gone(gone) };
      const found = come === null ? null : { address: come, url: urls.come(come) };
      const target = found ?? lost;
      yield {
        url: first[0]?.url ?? '',
        message: this.#sentence(shown(lost), shown(found)),
        thing: `${gone ?? ''}\n${come ?? ''}`,
        ...(target === null ? {} : { target: target.url }),
        sources: { count, first },
      };
    }
  }

  notes(): readonly string[] {
    return this.#dropped === 0
      ? []
      : [`${this.#dropped} further changes of ${this.#noun}s are left out: the first ${MOST_CHANGES} are told`];
  }

  #sentence(gone: string | null, come: string | null): string {
    const noun = this.#noun === 'link' ? 'link to' : 'file';
    if (gone === null)
      return this.#noun === 'link' ? `A new link to ${come}` : `A file that was not loaded before: ${come}`;
    if (come === null)
      return this.#noun === 'link' ? `The link to ${gone} is gone` : `A file is not loaded any more: ${gone}`;
    return `In place of the ${noun} ${gone} there is the ${noun} ${come}`;
  }

  #change(url: string, gone: string | null, come: string | null): void {
    const key = `${gone ?? ''}\n${come ?? ''}`;
    const known = this.#changes.get(key);
    if (known !== undefined) {
      known.count += 1;
      if (known.first.length < LISTED) known.first.push({ url });
    } else if (this.#changes.size >= MOST_CHANGES) this.#dropped += 1;
    else this.#changes.set(key, { gone, come, count: 1, first: [{ url }] });
  }
}

/** A path of the site; of other hosts the whole URL, since `//host/path` looks like a path. */
function shown(reference: { readonly address: string; readonly url: string } | null): string | null {
  if (reference === null) return null;
  return reference.address.startsWith('//') ? reference.url : reference.address;
}
