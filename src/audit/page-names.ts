/**
 * What a crawl's links say of its pages: a document that only a frame shows, or that only a script or a guess asked for, may be a
 * piece of a page; Link headers and sitemaps name canonical addresses and alternates as markup does.
 */
import { hasClass } from '../core/graph/edge-label.ts';
import { SITEMAP_ALTERNATE } from '../core/links/markup/markup-references.ts';
import { linkLines } from '../crawl-folder/graph-lines.ts';
import type { Unread } from '../crawl-folder/stored-lines.ts';
import { labelOfLink } from '../inspect/link-label.ts';

export interface PageNames {
  /** Do only frames of other pages lead there? */
  isFramed(url: string): boolean;
  /** Do only attributes that scripts read lead there, such as `hx-get`? Many name what is put into a page. */
  isScripted(url: string): boolean;
  /** Do only guesses lead there? */
  isGuessed(url: string): boolean;
  /** Did a guess name it, and nothing else? */
  isMereGuess(url: string): boolean;
  /** Canonical addresses and alternates that the page's Link headers name, without the languages of alternates. */
  inHeaders(url: string): HeaderNames;
  /** Does a sitemap name it as an alternate of a page? */
  isSitemapAlternate(url: string): boolean;
}

interface HeaderNames {
  readonly canonicals: readonly string[];
  readonly alternates: readonly string[];
}

const NOTHING: HeaderNames = { canonicals: [], alternates: [] };
/** Addresses of each sort that are kept of a page; a group of alternates has one for each language. Arbitrary. */
const MOST_NAMED = 200;

const RELATIONS = [
  ['canonicals', 'canonical'],
  ['alternates', 'alternate'],
] as const;

/** A way in which links name an address. */
type Naming = 'framed' | 'scripted' | 'named';

/** Links among guessed pages that are held until it is known whether their pages count; those beyond count at once. Arbitrary. */
const MOST_HELD = 1_000_000;

/**
 * @param isPage is it a page of its own? An anchor to such a route (`#notes`) is no guess, as for the questions about links
 * @param isGuess did the crawl visit it as a guess? Links of such pages to one another name nothing, where only guesses lead to the pages
 * @param unread another reader counts the same lines, which are reported once
 */
export async function readPageNames(
  folder: string,
  seeds: readonly string[],
  { isPage, isGuess }: { isPage(url: string): boolean; isGuess(url: string): boolean },
  unread: Unread = { torn: () => {}, damaged: () => {} },
): Promise<PageNames> {
  const ways = { framed: new Set<string>(), scripted: new Set<string>(), named: new Set<string>(seeds) };
  const { framed, scripted, named } = ways;
  const held = new Map<string, (readonly [Naming, string])[]>();
  let heldCount = 0;
  const guessed = new Set<string>();
  const headers = new Map<string, Record<keyof HeaderNames, string[]>>();
  const alternates = new Set<string>();
  for await (const lines of linkLines(folder, unread)) {
    for (const line of lines) {
      const { from, to, kind, rel, context, confidence } = line;
      if (kind === 'sitemap' && context === SITEMAP_ALTERNATE) alternates.add(to);
      if (kind === 'header') {
        for (const [name, relation] of RELATIONS) {
          if (!rel.includes(relation)) continue;
          const known = headers.get(from) ?? { canonicals: [], alternates: [] };
          headers.set(from, known);
          if (known[name].length < MOST_NAMED) known[name].push(to);
        }
      }
      if (named.has(to) || from === to) continue; // its own canonical link is no link of another page
      const label = labelOfLink(line, isPage);
      if (confidence === 'low' && !hasClass(label, 'link')) {
        guessed.add(to);
        continue;
      }
      if (hasClass(label, 'subresource') || hasClass(label, 'foreign')) continue;
      const way: Naming = kind === 'frame' ? 'framed' : kind === 'attribute' ? 'scripted' : 'named';
      if (heldCount < MOST_HELD && isGuess(to) && isGuess(from)) {
        const links = held.get(from);
        if (links === undefined) held.set(from, [[way, to]]);
        else links.push([way, to]);
        heldCount += 1;
      } else ways[way].add(to);
    }
  }
  countHeld(held, ways);
  const isGuessed = (url: string): boolean => !framed.has(url) && !scripted.has(url) && !named.has(url);
  return {
    isFramed: (url) => framed.has(url) && !scripted.has(url) && !named.has(url),
    isScripted: (url) => scripted.has(url) && !named.has(url),
    isGuessed,
    isMereGuess: (url) => guessed.has(url) && isGuessed(url),
    inHeaders: (url) => headers.get(url) ?? NOTHING,
    isSitemapAlternate: (url) => alternates.has(url),
  };
}

/** Counts the links of guessed pages that something else names after all, and of those that they name in turn. */
function countHeld(
  held: ReadonlyMap<string, readonly (readonly [Naming, string])[]>,
  ways: Readonly<Record<Naming, Set<string>>>,
): void {
  const all = Object.values(ways);
  const waiting = new Map(held);
  const reached = [...held.keys()].filter((page) => all.some((urls) => urls.has(page)));
  for (let page = reached.pop(); page !== undefined; page = reached.pop()) {
    const links = waiting.get(page) ?? [];
    waiting.delete(page);
    for (const [way, to] of links) {
      ways[way].add(to);
      if (waiting.has(to)) reached.push(to);
    }
  }
}
