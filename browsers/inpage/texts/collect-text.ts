import { composedText, hasSkippedParts } from './composed-text.ts';
import { bodyOf, documentElementOf, doctypeOf, innerTextOf, outerHtmlOf } from '../safe-dom.ts';

/** Visible text of the page, that of its shadow trees included, cut to a number of characters. */
export function collectText(shadowRoots: readonly ShadowRoot[], limit: number): string {
  const body = bodyOf(document);
  if (!(body instanceof HTMLElement)) return '';
  const skips = hasSkippedParts(body);
  const text = skips || shadowRoots.length > 0 ? composedText(body, { shadowRoots, skips }, limit) : innerTextOf(body);
  return text.slice(0, limit);
}

/** The document as HTML, open shadow trees as declarative ones, cut to a number of characters. */
export function collectHtml(shadowRoots: readonly ShadowRoot[], limit: number): string {
  const root = documentElementOf(document);
  if (root === null) return '';
  return (doctype() + (shadowRoots.length === 0 ? outerHtmlOf(root) : withShadow(root, shadowRoots))).slice(0, limit);
}

/** `getHTML` gives what is inside an element; the element's own tags come from a shallow copy of it. */
function withShadow(root: Element, shadowRoots: readonly ShadowRoot[]): string {
  const read: unknown = Reflect.get(Element.prototype, 'getHTML');
  if (typeof read !== 'function') return outerHtmlOf(root);
  const inner = String(Reflect.apply(read, root, [{ serializableShadowRoots: true, shadowRoots }]));
  const shell = outerHtmlOf(Node.prototype.cloneNode.call(root, false));
  const end = shell.lastIndexOf('</');
  return end < 0 ? shell : shell.slice(0, end) + inner + shell.slice(end);
}

function doctype(): string {
  const type = doctypeOf(document);
  if (type === null) return '';
  const { name, publicId, systemId } = type;
  const ids = publicId
    ? ` PUBLIC "${publicId}"${systemId ? ` "${systemId}"` : ''}`
    : systemId
      ? ` SYSTEM "${systemId}"`
      : '';
  return `<!DOCTYPE ${name}${ids}>\n`;
}
