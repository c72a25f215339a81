/**
 * Resolves references as the browser does. The browser writes the characters of a query in the encoding of the document, `new URL`
 * and Node always in UTF-8: on a page in windows-1251 `?q=й` leads to `?q=%E9`, not to `?q=%D0%B9`.
 */
import { baseUriOf, characterSetOf, hrefThrough, looseAnchor } from './safe-dom.ts';

const URL_LENGTH = 8192;

/** Encodings whose pages have their queries in UTF-8 (URL Standard, "get an output encoding"). */
const UNICODE = /^utf-/i;

/** Resolves for one document, by its base or by another one. Returns the URL where it differs from `new URL(reference, base)`, else null. */
export function resolver(): (href: string, base?: string) => string | null {
  if (UNICODE.test(characterSetOf(document))) return () => null;
  const anchor = looseAnchor();
  const base = baseUriOf(document);
  return (href, from = base) => {
    if (!/[\u0080-\uffff]/.test(href)) return null;
    const resolved = hrefThrough(anchor, from === base ? href : joined(href, from))?.slice(0, URL_LENGTH) ?? null;
    return resolved === null || !URL.canParse(href, from) || new URL(href, from).href === resolved ? null : resolved;
  };
}

/** Makes a reference absolute, except for the characters of its query: the document encodes these. */
function joined(href: string, base: string): string {
  const [path = ''] = href.split(/[?#]/, 1);
  if (path === '') return (base.split(/[?#]/, 1)[0] ?? '') + href;
  return URL.canParse(path, base) ? new URL(path, base).href + href.slice(path.length) : href;
}
