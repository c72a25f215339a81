/** Texts in JSON data that may be addresses: speculative links, each of low confidence, the better ones first. */
import { parsedJson } from '../../../base/safe-json.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { fragmentLinks } from '../markup/html-fragment.ts';
import { isAssetName, isUnwiseLink, looksLikePageFile, looksLikeRoute, looksLikeUrl } from '../texts/url-text.ts';

/** Addresses kept of one answer. */
const STRING_LIMIT = 1000;
/** Most values and levels that are read: data may be larger, but its links stand early. */
const NODE_LIMIT = 100_000;
const DEPTH_LIMIT = 100;
/** Strings that are read as HTML: each takes a parser of its own, however short it is. */
const HTML_LIMIT = 5000;
/** Keys that name addresses: `url`, `nextUrl`, `canonical_url`, `permalink`. */
const LINK_KEY =
  /(?:^|[_\-.:@$]|(?<=[a-z\d])(?=[A-Z]))(?:ur[li]s?|href|hrefs|links?|permalink|canonical|slug|path|pathname|route|location|redirect|next|prev|previous|first|last|self|target|page|website|homepage|loc)$/i;
/** Keys of pictures and other subresources of a page. */
const PART_KEY =
  /(?:image|img|icon|avatar|thumb(?:nail)?|photo|logo|picture|poster|src|srcset|css|script|font|sprite)s?(?:_?url|_?src|_?path)?$/i;
/** A guard by which some APIs make their answers useless for script elements. */
const GUARD = /^(?:\)\]\}',?|while\s*\(1\);|for\s*\(;;\);|\{\}&&)\s*/;

/**
 * Strings of a JSON text that parse as URLs or read like routes, and the links of HTML in strings.
 * @param base of the references
 * @returns nothing where the text is not JSON
 */
export function jsonStrings(text: string, base: string): readonly FoundLink[] {
  const found = new Found(base);
  for (const value of valuesOf(text)) walk(value, found);
  return found.links();
}

/** One value, or one for each line; a function's call around it is left out. */
function valuesOf(text: string): readonly unknown[] {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(GUARD, '')
    .trim();
  const whole = parsedJson(plain);
  if (whole !== undefined) return [whole];
  const call = /^(?:\/\*\*\/\s*)?[\w$.]{1,100}\s*\(/.exec(plain);
  if (call !== null) {
    const inner = parsedJson(plain.slice(call[0].length, plain.lastIndexOf(')')));
    if (inner !== undefined) return [inner];
  }
  const lines = plain.split(/\r?\n/, 10_000).filter((line) => line.trim() !== '');
  return parsedJson(lines[0] ?? '') === undefined ? [] : lines.map(parsedJson).filter((value) => value !== undefined);
}

class Found {
  readonly #base: string;
  readonly #good = new Map<string, FoundLink>();
  readonly #other = new Map<string, FoundLink>();
  #nodes = 0;
  #html = 0;

  constructor(base: string) {
    this.#base = base;
  }

  /** False when enough values were read. */
  counts(): boolean {
    this.#nodes += 1;
    return this.#nodes <= NODE_LIMIT && this.#good.size < STRING_LIMIT;
  }

  add(value: string, key: string): void {
    if (value.includes('<')) {
      this.#html += 1;
      if (this.#html > HTML_LIMIT) return;
      for (const link of fragmentLinks(value, this.#base))
        this.#put(this.#good, { ...link, kind: 'json', context: 'json', confidence: 'low' });
      return;
    }
    const isNamed = LINK_KEY.test(key);
    if (PART_KEY.test(key) || isPointer(value, key) || !isAddress(value, isNamed)) return;
    const kind = isUnwiseLink(value) ? 'request' : 'json';
    const link = fileLink(value, this.#base, { kind, context: 'json', confidence: 'low' });
    this.#put(isNamed ? this.#good : this.#other, link);
  }

  links(): readonly FoundLink[] {
    const rest = [...this.#other].filter(([href]) => !this.#good.has(href)).map(([, link]) => link);
    return [...this.#good.values(), ...rest].slice(0, STRING_LIMIT);
  }

  #put(list: Map<string, FoundLink>, link: FoundLink): void {
    if (list.size < STRING_LIMIT && !list.has(link.href)) list.set(link.href, link);
  }
}

function walk(root: unknown, found: Found): void {
  // a stack of our own: data may be nested deeper than calls may be
  const stack: { readonly value: unknown; readonly key: string; readonly depth: number }[] = [
    { value: root, key: '', depth: 0 },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, key, depth } = top;
    if (!found.counts()) return;
    if (typeof value === 'string') found.add(value, key);
    if (typeof value !== 'object' || value === null || depth >= DEPTH_LIMIT) continue;
    const entries = Array.isArray(value) ? value.map((item: unknown) => [key, item] as const) : Object.entries(value);
    for (const [name, item] of entries.toReversed()) {
      stack.push({ value: item, key: name, depth: depth + 1 });
      // routes may be the keys themselves: `{"/about": {…}}`
      if (name !== key && looksLikeRoute(name)) stack.push({ value: name, key: '', depth: DEPTH_LIMIT });
    }
  }
}

/** A JSON pointer into the data themselves, which OpenAPI and JSON Schema are full of: `{"$ref": "#/components/schemas/Pet"}`. It reads like a route. */
function isPointer(value: string, key: string): boolean {
  return key === '$ref' && value.startsWith('#');
}

function isAddress(value: string, isNamed: boolean): boolean {
  if (isAssetName(value)) return false;
  if (looksLikeUrl(value) || looksLikeRoute(value)) return true;
  if (looksLikePageFile(value)) return isNamed;
  // `posts/first-steps`: at least two words of a path, and a key that names an address
  return (
    isNamed &&
    /^(?:\.{1,2}\/)*[\w-]+(?:\/[\w.-]+)+\/?(?:[?#][^\s]*)?$/.test(value) &&
    looksLikeRoute(`/${value.replace(/^[./]+/, '')}`)
  );
}
