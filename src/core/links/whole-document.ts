/** Tells a page from a piece of one, both of which scripts fetch as HTML. Pure. */

/** Characters in which a document has its title; what follows is no head any more. */
const HEAD = 8192;
const BEGINNING = /^[\s\uFEFF]*(?:<!--[^]*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s|(?:html|head)[\s>])/i;

/** Does it begin as a document does, or at least name itself? The titles of pictures drawn in SVG are none. */
export function isWholeDocument(html: string): boolean {
  const head = html.slice(0, HEAD);
  if (BEGINNING.test(head)) return true;
  const [first = ''] = head.split(/<(?:svg|body)[\s>]/i, 1);
  return /<title[\s>]/i.test(first);
}
