/**
 * References in the bytes of a document that stand in no node of it: parsers drop a form within a form, a frame in a body, what stands in an
 * end tag, an attribute's second value, a tag that the document breaks off in. Scripts may have taken others out before anybody looked.
 */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { PLACE } from './markup-text.ts';
import { beginsAsReference, isNoReference } from '../texts/reference-text.ts';
import { readTags, type Tag } from './tag-reader.ts';
import { isAssetName, looksLikePageFile } from '../texts/url-text.ts';

/** References of one document that are compared with its links, and those that are kept. */
const REFERENCES = 20_000;
const DROPPED = 200;

/** What leads to pages, by the names of elements. */
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

const LEADERS: ReadonlySet<string> = new Set(LEADING.keys());

/** @param source of the document, as it was received @returns references to pages, each once, in their order */
export function sourceReferences(source: string): readonly SourceReference[] {
  const found = new Map<string, SourceReference>();
  for (const tag of readTags(source, LEADERS)) {
    for (const reference of referencesOf(tag)) if (!found.has(reference.href)) found.set(reference.href, reference);
    if (found.size >= REFERENCES) break;
  }
  return [...found.values()];
}

/**
 * Those that nobody has found in the document.
 * @param known references as they were found, of the same document @param base of the document
 */
export function droppedReferences(
  references: readonly SourceReference[],
  known: readonly { readonly href: string; readonly resolved?: string | null }[],
  base: string,
): readonly SourceReference[] {
  if (references.length === 0) return [];
  const written = new Set(known.map(({ href }) => href.trim()));
  const left = references.filter(({ href }) => !written.has(href));
  if (left.length === 0) return [];
  // scripts and browsers write the same address in other ways
  const reached = new Set(known.map(({ href, resolved }) => placeOf(resolved ?? href, base)));
  return left.filter(({ href }) => !reached.has(placeOf(href, base))).slice(0, DROPPED);
}

function referencesOf({ name, isEnd, attributes }: Tag): readonly SourceReference[] {
  const leading = LEADING.get(name);
  if (leading === undefined || isSent(name, attributes)) return [];
  const rel = attributes.find(([attribute]) => attribute === 'rel')?.[1].slice(0, 200) ?? '';
  return attributes
    .filter(([attribute]) => attribute === leading || (isEnd && attribute === 'href'))
    .map(([, value]) => value.trim())
    .filter(isReference)
    .map((href) => ({ href, rel }));
}

/** What a form sends by POST is never asked for. */
function isSent(name: string, attributes: Tag['attributes']): boolean {
  if (name === 'a' || name === 'area' || name.endsWith('frame')) return false;
  const method = attributes.find(([attribute]) => attribute === 'method' || attribute === 'formmethod')?.[1] ?? 'get';
  return method.trim().toLowerCase() !== 'get';
}

function isReference(href: string): boolean {
  if (isNoReference(href) || PLACE.test(href) || isAssetName(href)) return false;
  return beginsAsReference(href) || looksLikePageFile(href);
}

function placeOf(href: string, base: string): string {
  return parsedUrl(href, base)?.href.replace(/#.*$/s, '') ?? href;
}
