/** Distinguishes a whole page from a fragment of one: scripts fetch both as HTML. Pure. */

/** Characters in which a document has its title; later text is not its head. */
const HEAD = 8192;
const BEGINNING = /<(?:!doctype\s|(?:html|head)[\s>])/iy;

/** Does it begin like a document, or at least have a title? The title of an SVG picture does not count. */
export function isWholeDocument(html: string): boolean {
  const head = html.slice(0, HEAD);
  BEGINNING.lastIndex = afterComments(head);
  if (BEGINNING.test(head)) return true;
  const [first = ''] = head.split(/<(?:svg|body)[\s>]/i, 1);
  return /<title[\s>]/i.test(first);
}

/** Index behind white space, comments and XML declarations at the beginning; the length of the text if one of them does not end. */
function afterComments(head: string): number {
  const space = /[\s\uFEFF]*/y;
  const afterSpace = (from: number): number => {
    space.lastIndex = from;
    space.test(head);
    return space.lastIndex;
  };
  let at = afterSpace(0);
  for (;;) {
    const isComment = head.startsWith('<!--', at);
    if (!isComment && !/^<\?xml/i.test(head.slice(at, at + 5))) return at;
    const end = isComment ? head.indexOf('-->', at + 4) : head.indexOf('>', at);
    if (end === -1) return head.length;
    at = afterSpace(end + (isComment ? 3 : 1));
  }
}
