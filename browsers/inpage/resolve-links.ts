/**
 * References as the browser resolves them. It writes the characters of a query in the encoding of the document, `new URL`
 * and Node always in UTF-8: on a page in windows-1251 `?q=й` leads to `?q=%E9`, not to `?q=%D0%B9`.
 */
import { baseUriOf, characterSetOf, hrefThrough, looseAnchor } from './safe-dom.ts';

const URL_LENGTH = 8192;

/** Encodings whose pages have their queries in UTF-8 (URL Standard, "get an output encoding"). */
const UNICODE = /^utf-/i;

/** Answers for one document. The URL where it differs from what `new URL` makes of reference and base, else null. */
export function resolver(): (href: string) => string | null {
  if (UNICODE.test(characterSetOf(document))) return () => null;
  const anchor = looseAnchor();
  const base = baseUriOf(document);
  return (href) => {
    if (!/[\u0080-\uffff]/.test(href)) return null;
    const resolved = hrefThrough(anchor, href)?.slice(0, URL_LENGTH) ?? null;
    return resolved === null || !URL.canParse(href, base) || new URL(href, base).href === resolved ? null : resolved;
  };
}
