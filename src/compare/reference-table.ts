/** The references of each page of a crawl. A crawl may have millions of links: each address is held once, and a page as numbers. */
import { leadsToPage } from '../core/links/page-link.ts';
import { steadyAddress, steadyLink } from '../model/url/steady-address.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import { linkLines } from '../crawl-folder/graph-lines.ts';
import type { Unread } from '../crawl-folder/stored-lines.ts';
import type { LinkKind } from '../model/link-kinds.ts';
import { steadyLine } from './steady-line.ts';

/** Links that a reader of a page can follow; others are for machines, or guesses. */
const READERS: ReadonlySet<LinkKind> = new Set([
  'anchor',
  'area',
  'frame',
  'form',
  'meta-refresh',
  'click',
  'navigation',
  'window-open',
  'history',
]);
/** Guesses in texts name no pages. */
const GUESSED: ReadonlySet<LinkKind> = new Set(['text', 'script', 'attribute', 'json']);
const PARTS: ReadonlySet<LinkKind> = new Set(['css', 'resource', 'request', 'link-element']);

/** Characters of a link's text, as crawls record it. */
const MOST_TEXT = 200;

type Way = 'links' | 'hints' | 'files';

interface ReferenceTable {
  /** Empty where the page has no such references. */
  of(address: string, way: Way): readonly string[];
  /** The text of the first link that has one; empty where none has. */
  textOf(address: string, link: string): string;
  /** Does any page name it, by a link or a hint? */
  isNamed(address: string): boolean;
  /** Does any page refer to the address of another host by https? Null where none refers to it. */
  isSecure(address: string): boolean | null;
}

class Numbers {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** The number of a text; undefined where it has none. */
  known(text: string): number | undefined {
    return this.#numbers.get(text);
  }
}

/** @throws the error of a file that cannot be read; the signal's reason */
export async function readReferences(
  folder: string,
  addresses: SiteAddresses,
  unread: Unread,
  signal: AbortSignal,
): Promise<ReferenceTable> {
  const numbers = { pages: new Numbers(), files: new Numbers(), texts: new Numbers() };
  const textless = numbers.texts.of('');
  // the number of an address, and that of the link's text
  const held: Readonly<Record<Way, Map<string, Map<number, number>>>> = {
    links: new Map(),
    hints: new Map(),
    files: new Map(),
  };
  const secure = { pages: new Set<number>(), files: new Set<number>() };
  const pageOf = remembered((url) => steadyLink(addresses.relative(url)));
  const fileOf = remembered((url) => steadyAddress(addresses.relative(url)));
  for await (const lines of linkLines(folder, unread)) {
    signal.throwIfAborted();
    for (const { from, to, kind, rel, context, text, confidence } of lines) {
      if (confidence === 'low' || GUESSED.has(kind)) continue;
      const isPage = leadsToPage({ kind, rel, context });
      if (!isPage && !PARTS.has(kind)) continue;
      const way: Way = !isPage ? 'files' : READERS.has(kind) ? 'links' : 'hints';
      const address = isPage ? pageOf(to) : withoutQuestion(fileOf(to), kind);
      const named = isPage ? 'pages' : 'files';
      const number = numbers[named].of(address);
      if (address.startsWith('//') && addresses.mapped(to).startsWith('https:')) secure[named].add(number);
      const source = pageOf(from);
      const known = held[way].get(source);
      const own = way === 'links' ? numbers.texts.of(text.slice(0, MOST_TEXT)) : textless;
      if (known === undefined) held[way].set(source, new Map([[number, own]]));
      else if ((known.get(number) ?? textless) === textless) known.set(number, own);
    }
  }
  return {
    of: (address, way) => {
      const { texts } = way === 'files' ? numbers.files : numbers.pages;
      return [...(held[way].get(steadyLink(address))?.keys() ?? [])].map((number) => texts[number] ?? '');
    },
    textOf: (address, link) => {
      const text = held.links.get(steadyLink(address))?.get(numbers.pages.known(link) ?? -1);
      return text === undefined ? '' : steadyLine(numbers.texts.texts[text] ?? '');
    },
    isSecure: (address) => {
      const [page, file] = [numbers.pages.known(address), numbers.files.known(address)];
      if (page === undefined && file === undefined) return null;
      return secure.pages.has(page ?? -1) || secure.files.has(file ?? -1);
    },
    isNamed: (address) => numbers.pages.known(steadyLink(address)) !== undefined,
  };
}

/** A script's requests for an address are the same, whatever their parameters. */
function withoutQuestion(address: string, kind: LinkKind): string {
  return kind === 'request' ? (address.split('?', 1)[0] ?? '') : address;
}

/** Remembers results: most links of a site are those of its menus. */
function remembered(make: (url: string) => string): (url: string) => string {
  const made = new Map<string, string>();
  return (url) => {
    const known = made.get(url);
    if (known !== undefined) return known;
    const address = make(url);
    if (made.size < 1_000_000) made.set(url, address);
    return address;
  };
}
