/**
 * References in the bytes of a document that stand in no node of it: parsers drop a form within a form, a frame in a body, attributes of an
 * end tag, an attribute's second value, an unfinished last tag. Scripts may have removed others before the document was read.
 */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { decodedAttribute } from './attribute-text.ts';
import { withShownMail } from './hidden-mail.ts';
import { PLACE } from './markup-text.ts';
import { beginsAsReference, isNoReference } from '../texts/reference-text.ts';
import { readTagsOf, type Tag } from './tag-reader.ts';
import { isAssetName, looksLikePageFile } from '../texts/url-text.ts';

/** References of one document that are compared with its links, and those that are kept. */
const REFERENCES = 20_000;
const DROPPED = 200;

/** The attributes that lead to pages, by the names of elements. */
const LEADING: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['frame', 'src'],
  ['iframe', 'src'],
  ['form', 'action'],
  ['button', 'formaction'],
  ['input', 'formaction'],
]);

/** A reference as it stands in the bytes of a document. */
export interface SourceReference {
  readonly href: string;
  /** The attribute as written; '' where its tag has none. */
  readonly rel: string;
}

/** Octets that are not of the document's encoding, or have no sign in it: browsers may read others for them. */
const UNREADABLE = /[\ufffd\ue000-\uf8ff]/;
const LEADERS: ReadonlySet<string> = new Set(LEADING.keys());
const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/**
 * @param source of the document, as it was received
 * @param known references that are left out, so that most tags of a document need no second look
 * @returns references to pages, each once, in their order
 */
export function sourceReferences(
  source: string,
  known: ReadonlySet<string> = NOTHING_KNOWN,
): readonly SourceReference[] {
  const found = new Map<string, SourceReference>();
  for (const { name, isEnd, attributes } of readTagsOf(source, LEADERS, decodedAttribute)) {
    const leading = LEADING.get(name);
    if (leading === undefined || attributes.length === 0 || isSent(name, attributes)) continue;
    for (const [attribute, value] of attributes) {
      if (attribute !== leading && !(isEnd && attribute === 'href')) continue;
      const href = value.trim();
      if (!known.has(href) && !found.has(href) && isReference(href)) found.set(href, { href, rel: relOf(attributes) });
    }
    if (found.size >= REFERENCES) break;
  }
  return [...found.values()];
}

/** The references of a document, to leave out in a search of its source. */
export function writtenReferences(links: readonly { readonly href: string }[]): ReadonlySet<string> {
  return new Set(links.map(({ href }) => href.trim()));
}

/**
 * References of the source that were not found in the document.
 * @param known references as they were found, of the same document @param base of the document
 */
export function droppedReferences(
  references: readonly SourceReference[],
  known: readonly { readonly href: string; readonly resolved?: string | null }[],
  base: string,
): readonly SourceReference[] {
  if (references.length === 0) return [];
  const written = writtenReferences(known);
  const left = references.filter(({ href }) => !written.has(href));
  if (left.length === 0) return [];
  // scripts and browsers write the same address in other ways
  const reached = new Set(known.map(({ href, resolved }) => placeOf(resolved ?? href, base)));
  return left.filter(({ href }) => !reached.has(placeOf(href, base))).slice(0, DROPPED);
}

function relOf(attributes: Tag['attributes']): string {
  return attributes.find(([attribute]) => attribute === 'rel')?.[1].slice(0, 200) ?? '';
}

/** Does its form send by another method than GET? Its address is never requested. */
function isSent(name: string, attributes: Tag['attributes']): boolean {
  if (name === 'a' || name === 'area' || name.endsWith('frame')) return false;
  const method = attributes.find(([attribute]) => attribute === 'method' || attribute === 'formmethod')?.[1] ?? 'get';
  return method.trim().toLowerCase() !== 'get';
}

function isReference(href: string): boolean {
  if (isNoReference(href) || PLACE.test(href) || isAssetName(href) || UNREADABLE.test(href)) return false;
  // its script has put the mail address in the place of it
  if (withShownMail(href) !== href) return false;
  return beginsAsReference(href) || looksLikePageFile(href);
}

function placeOf(href: string, base: string): string {
  return parsedUrl(href, base)?.href.replace(/#.*$/s, '') ?? href;
}
