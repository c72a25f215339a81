/**
 * Keeps the styles of the consent engine out of the document. The engine writes its rules into `style` elements that it finds by their ids.
 * A policy of the page may forbid such elements; the browser would then report a violation to the site that is not the site's own. So the
 * engine finds elements of ours outside of every tree, and their rules go into sheets made by a script, which no policy forbids.
 */
import type { HidingStyle } from '../../../src/model/consent.ts';
import { adoptedSheetsOf } from '../safe-dom.ts';

declare global {
  /** By the engine's selector. In the global object of the engine's world only. */
  var orbweaverConsentSheets: Map<string, CSSStyleSheet> | undefined;
}

/** The engine's selectors of its style elements. */
const SELECTORS: Readonly<Record<HidingStyle, string>> = {
  prehide: 'style#autoconsent-prehide',
  rules: 'style#autoconsent-css-rules',
};

const { createElement, querySelector } = Document.prototype;

/** Called in the engine's world, before the engine. The page's own world has other prototypes. */
export function keepStyles(): void {
  const sheets = (globalThis.orbweaverConsentSheets = new Map<string, CSSStyleSheet>());
  const known: ReadonlySet<string> = new Set(Object.values(SELECTORS));
  const styles = new Map<string, Element>();
  const styleOf = (selector: string): Element => {
    const style = styles.get(selector) ?? keptStyle(selector, sheets);
    styles.set(selector, style);
    return style;
  };
  const found = function (this: Document, selector: string): Element | null {
    return known.has(selector) ? styleOf(selector) : Reflect.apply(querySelector, this, [selector]);
  };
  Object.defineProperty(Document.prototype, 'querySelector', { configurable: true, writable: true, value: found });
}

/** The rules of a style so far. */
export function keptRules(which: HidingStyle): readonly CSSRule[] {
  return [...(globalThis.orbweaverConsentSheets?.get(SELECTORS[which])?.cssRules ?? [])];
}

/** A style element whose text becomes a sheet of the document. */
function keptStyle(selector: string, sheets: Map<string, CSSStyleSheet>): Element {
  const style = createElement.call(document, 'style');
  let text = '';
  const write = (next: string): void => {
    text = next;
    sheetOf(selector, sheets).replaceSync(text);
  };
  Object.defineProperty(style, 'innerText', { get: () => text, set: write });
  Object.defineProperty(style, 'remove', { value: () => write('') });
  return style;
}

function sheetOf(selector: string, sheets: Map<string, CSSStyleSheet>): CSSStyleSheet {
  const there = sheets.get(selector);
  if (there !== undefined) return there;
  const sheet = new CSSStyleSheet();
  sheets.set(selector, sheet);
  adoptedSheetsOf(document).push(sheet);
  return sheet;
}
