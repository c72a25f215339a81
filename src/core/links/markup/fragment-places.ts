/**
 * Tells fragments that are places in a document from those that may be routes of an application that listens to them: `#inbox`, where
 * no place has that name.
 */

/** Most names of places that are read; a document with more is a list of them. */
const PLACES = 20_000;
/** Affixes that scripts add to the name of a place: of headings that authors wrote, of tabs and their panels. */
const AROUND = [
  'user-content-',
  'section-',
  'content-',
  'tab-',
  'tabs-',
  'panel-',
  'pane-',
  'anchor-',
  'heading-',
  'page-',
];
const NAME = /^#[\p{L}\d%][\p{L}\d_.~/?=&%-]{0,199}$/u;
/** Places that every document has. */
const TOP = /^#top$/i;

/** Is it a fragment that could be a route? `#`, `#top` and `#!` are none; `#/` and `#!inbox` declare that they are. */
export function mayBeRoute(href: string): boolean {
  return NAME.test(href) && !TOP.test(href);
}

export class FragmentPlaces {
  readonly #names: ReadonlySet<string>;
  readonly #isCut: boolean;

  /** @param names ids of elements, and names of anchors */
  constructor(names: Iterable<string>) {
    const known = new Set<string>();
    for (const name of names) {
      if (known.size >= PLACES) break;
      known.add(name.toLowerCase());
    }
    this.#names = known;
    this.#isCut = known.size >= PLACES;
  }

  /** Does a possible route name no place in the document? */
  lacks(href: string): boolean {
    if (this.#isCut || !mayBeRoute(href)) return false;
    const written = href.slice(1).toLowerCase();
    const name = decoded(written);
    if (this.#names.has(name) || this.#names.has(written)) return false;
    return !AROUND.some((word) => this.#names.has(word + name) || this.#names.has(`${name}-${word.slice(0, -1)}`));
  }
}

/** Fragments of links that name places, from which on a document counts as one with a table of its places (arbitrary). */
const TABLE = 5;
/** How many of them there must be for each that names none (arbitrary). */
const TIMES = 2;

/**
 * May the fragments that name no place be routes? Where most links to fragments lead to places, as in a table of contents, the others
 * are links to places that are gone. Themes of documentation listen to the fragment, too, to mark the heading.
 */
export function mayHaveRoutes(
  links: Iterable<{ readonly href: string; readonly nowhere?: true | undefined }>,
): boolean {
  const [places, others] = [new Set<string>(), new Set<string>()];
  for (const { href, nowhere } of links) if (mayBeRoute(href)) (nowhere === true ? others : places).add(href);
  return others.size > 0 && (places.size < TABLE || places.size <= TIMES * others.size);
}

/** Does a script listen for changes of the fragment? */
export function listensToFragment(source: string): boolean {
  return /\b(?:on)?hashchange\b/.test(source);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
