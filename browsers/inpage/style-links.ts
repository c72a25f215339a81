/**
 * The links of style sheets: in style elements and constructed sheets, of documents and shadow trees. Linked and imported ones
 * are read once for the crawl, as they are sent (render/extract/answer-bodies.ts), and here only where that is not possible.
 */
import { styleLinks } from '../../src/core/links/markup/element-links.ts';
import type { RawLink } from '../../src/model/page-facts.ts';
import { basedOn, keptSheetBase } from './kept-bases.ts';
import { adoptedSheetsOf, sheetsOf, textContentOf } from './safe-dom.ts';

/** Rules read of one document, and references kept. */
const RULES = 5000;
const LIMIT = 1000;
/** Levels of sheets that import each other. */
const DEPTH = 10;
const TEXT_LENGTH = 4_000_000;
const NAMES = /url\(|@import|image-set\(|src\(/i;

/** The links of a sheet, and its size (characters or rules) when they were read. A page is read more than once; its sheets seldom change. */
interface Read {
  readonly size: number;
  readonly links: readonly RawLink[];
}

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverSheets: WeakMap<CSSStyleSheet, Read> | undefined;
}

/** @param linked read the rules of linked and imported sheets, too */
export function styleSheetLinks(roots: readonly (Document | ShadowRoot)[], linked: boolean): readonly RawLink[] {
  const found: RawLink[] = [];
  const reader = new Reader(linked);
  for (const root of roots) {
    for (const sheet of [...sheetsOf(root), ...adoptedSheetsOf(root)]) {
      if (found.length >= LIMIT) return found;
      const base = keptSheetBase(sheet);
      for (const link of reader.read(sheet, 0)) found.push(link.resolved === undefined ? basedOn(link, base) : link);
    }
  }
  return found;
}

class Reader {
  readonly #known = (globalThis.orbweaverSheets ??= new WeakMap());
  readonly #linked: boolean;
  #rules = 0;

  constructor(linked: boolean) {
    this.#linked = linked;
  }

  read(sheet: CSSStyleSheet, depth: number): readonly RawLink[] {
    if (!this.#linked && sheet.href !== null && /^https?:/.test(sheet.href)) return [];
    const owner = sheet.ownerNode;
    const text =
      owner instanceof HTMLStyleElement || owner instanceof SVGStyleElement ? (textContentOf(owner) ?? '') : '';
    // a script that writes rules without text leaves the element empty
    if (text.trim() !== '') {
      return this.#remembered(sheet, text.length, () => [
        ...linksIn(text, null),
        ...this.#imported(sheet, text, depth),
      ]);
    }
    const rules = rulesOf(sheet);
    if (rules === null || depth > DEPTH) return [];
    return this.#remembered(sheet, rules.length, () => this.#ofRules(rules, sheet.href, depth));
  }

  /** Links of imported sheets of other addresses; such rules stand before all others. */
  #imported(sheet: CSSStyleSheet, text: string, depth: number): readonly RawLink[] {
    const found: RawLink[] = [];
    if (!/@import/i.test(text) || depth > DEPTH) return found;
    for (const rule of rulesOf(sheet) ?? []) {
      if (rule instanceof CSSImportRule && rule.styleSheet !== null)
        found.push(...this.read(rule.styleSheet, depth + 1));
      else if (rule instanceof CSSStyleRule) break;
    }
    return found;
  }

  #remembered(sheet: CSSStyleSheet, size: number, read: () => readonly RawLink[]): readonly RawLink[] {
    const known = this.#known.get(sheet);
    if (known?.size === size) return known.links;
    const links = read();
    this.#known.set(sheet, { size, links });
    return links;
  }

  #ofRules(rules: CSSRuleList, base: string | null, depth: number): readonly RawLink[] {
    const found: RawLink[] = [];
    for (const rule of rules) {
      this.#rules += 1;
      if (this.#rules > RULES || found.length >= LIMIT) break;
      const text = rule.cssText;
      if (NAMES.test(text)) found.push(...linksIn(text, base));
      if (rule instanceof CSSImportRule && rule.styleSheet !== null)
        found.push(...this.read(rule.styleSheet, depth + 1));
    }
    return found;
  }
}

/** Null where the sheet is another site's: its rules are hidden. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
}

/** @param base URL of the sheet: null where that is the document's */
function linksIn(text: string, base: string | null): readonly RawLink[] {
  if (text.length > TEXT_LENGTH || !NAMES.test(text)) return [];
  const links = styleLinks(text, 'style');
  if (base === null) return links;
  return links.map((link) =>
    URL.canParse(link.href, base) ? { ...link, resolved: new URL(link.href, base).href.slice(0, 8192) } : link,
  );
}
