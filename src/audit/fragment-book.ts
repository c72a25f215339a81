/** Keeps links to places in pages, until it is known whether the places are there. */
import type { FragmentFacts, PageSummary, PlacedLink } from '../model/audit-facts.ts';
import { inPageOrder } from './crawl-records.ts';
import { hasPlace } from './read-document.ts';

const LISTED = 20;
/** The most places kept that no page read so far has. */
const MOST_OPEN = 200_000;

interface OpenFragment {
  count: number;
  isOwn: boolean;
  readonly first: FragmentFacts['first'][number][];
}

interface FragmentReference {
  /** The URL as linked to. */
  readonly target: string;
  /** The page at that URL, behind redirects. */
  readonly page: string;
  readonly fragment: string;
  readonly from: string;
  readonly place: () => PlacedLink;
}

export class FragmentBook {
  /** Open fragments by page, then by target and fragment. */
  readonly #open = new Map<string, Map<string, OpenFragment>>();
  readonly #ids = new Map<string, Uint32Array>();
  readonly #told = new Set<string>();
  #size = 0;

  /** Links of one page that name the same place count once. */
  addLinks(references: readonly FragmentReference[]): void {
    this.#told.clear();
    for (const reference of references) this.#add(reference);
  }

  addPage(url: string, ids: Uint32Array): void {
    this.#ids.set(url, ids);
    const open = this.#open.get(url);
    if (open === undefined) return;
    for (const key of open.keys()) if (hasPlace(ids, fragmentIn(key))) this.#size -= Number(open.delete(key));
  }

  #add({ target, page, fragment, from, place }: FragmentReference): void {
    const ids = this.#ids.get(page);
    const key = `${target}\n${fragment}`;
    if (this.#told.has(key) || (ids !== undefined && hasPlace(ids, fragment))) return;
    this.#told.add(key);
    const open = this.#open.get(page) ?? new Map<string, OpenFragment>();
    const known = open.get(key);
    if (known === undefined && this.#size >= MOST_OPEN) return;
    const entry = known ?? { count: 0, isOwn: true, first: [] };
    if (known === undefined) this.#size += 1;
    entry.count += 1;
    entry.isOwn &&= from === page;
    if (entry.first.length < LISTED) {
      const { selector, text } = place();
      entry.first.push({ url: from, selector, text });
    }
    open.set(key, entry);
    this.#open.set(page, open);
  }

  /** Fragments of read pages that are nowhere in them, in the order of these pages. @param pageOf null for pages that are not judged */
  broken(pageOf: (url: string) => PageSummary | null): readonly FragmentFacts[] {
    const judged = [...this.#open.keys()].flatMap((url) => {
      const page = this.#ids.has(url) ? pageOf(url) : null;
      return page?.judged === true ? [page] : [];
    });
    return judged.toSorted(inPageOrder).flatMap((page) => {
      const open = this.#open.get(page.url) ?? new Map<string, OpenFragment>();
      return [...open].map(([key, { count, isOwn, first }]): FragmentFacts => {
        return { page, target: key.slice(0, key.indexOf('\n')), fragment: fragmentIn(key), count, isOwn, first };
      });
    });
  }
}

function fragmentIn(key: string): string {
  return key.slice(key.indexOf('\n') + 1);
}
