/** The images of a page that rules may find fault with. */
import { hash64 } from '../base/hash.ts';
import { cutText } from '../base/cut-text.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import type { HtmlElement } from '../core/html/tree.ts';
import { PLACE } from '../core/links/markup/markup-text.ts';
import { srcsetUrls } from '../core/links/markup/srcset.ts';
import type { ImageFacts } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

const IMAGES = 2000;
const ADDRESS = 500;
/** Characters of a srcset that are read for its first address. */
const SRCSET = 10_000;

/** Attributes from which lazy loaders take the address. */
const LATE = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy'];

/** Images that lack something. @param isHidden is the element hidden from everybody? */
export function pageImages(
  elements: readonly HtmlElement[],
  base: string,
  isHidden: (element: HtmlElement) => boolean,
): readonly ImageFacts[] {
  const found: ImageFacts[] = [];
  for (const element of elements) {
    if (element.name !== 'img' || element.namespace !== 'html') continue;
    const { attributes } = element;
    // an image may have its addresses in srcset alone
    const loaded = attributes.get('src') ?? firstOf(attributes.get('srcset'));
    const late = isEmbedded(loaded) || loaded.trim() === '' ? lateAddress(attributes) : '';
    const written = late === '' ? loaded : late;
    if (written.trim() === '' || isPixel(attributes) || isHidden(element)) continue;
    // the size of a placeholder, or of what its script makes of it, is not told by the markup
    const [hasAlternative, hasSize] = [isNamed(element), isSized(attributes) || isEmbedded(loaded) || late !== ''];
    if (hasAlternative && hasSize) continue;
    found.push({ src: addressOf(written, base), hasAlternative, hasSize, ...placeOf(element) });
    if (found.length === IMAGES) break;
  }
  return found;
}

/** The address that a script loads in the place of a placeholder, by the attributes of usual lazy loaders; empty where there is none. */
function lateAddress(attributes: HtmlElement['attributes']): string {
  const written = LATE.map((name) => attributes.get(name) ?? '').find((address) => /[./]/.test(address));
  const address = written ?? firstOf(attributes.get('data-srcset') ?? attributes.get('data-lazy-srcset'));
  return isEmbedded(address) || PLACE.test(address) ? '' : address;
}

function firstOf(srcset = ''): string {
  return srcsetUrls(srcset.slice(0, SRCSET))[0] ?? '';
}

function isEmbedded(address: string): boolean {
  return /^\s*data:/i.test(address);
}

/** The same address for the same picture; a picture in a data: address is identified by its digest. */
function addressOf(written: string, base: string): string {
  if (isEmbedded(written)) return `${cutText(written.trim(), 40)}… (${hash64(written)})`;
  return cutText(parsedUrl(written, base)?.href ?? written, ADDRESS);
}

function isPixel(attributes: HtmlElement['attributes']): boolean {
  return ['width', 'height'].every((name) => /^\s*[01](?:px)?\s*$/.test(attributes.get(name) ?? ''));
}

/** WCAG technique H37 and the ways that accessible names have beside it (ACT rule 23a2a8). */
function isNamed(element: HtmlElement): boolean {
  const { attributes } = element;
  if (attributes.has('alt')) return true;
  // an empty one of these gives no name, and does not say that the picture is decoration
  if (['aria-label', 'aria-labelledby', 'title'].some((name) => /\S/.test(attributes.get(name) ?? ''))) return true;
  if (/^(?:none|presentation)$/.test(attributes.get('role')?.trim() ?? '')) return true;
  for (let above: HtmlElement | null = element; above !== null; above = above.parent) {
    if (above.attributes.get('aria-hidden') === 'true') return true;
    // HTML Standard, 4.8.4.4.13: the caption may be all that is known of a picture
    if (above.name === 'figure' && above.children.some((node) => node.kind === 'element' && node.name === 'figcaption'))
      return true;
  }
  return false;
}

function isSized(attributes: HtmlElement['attributes']): boolean {
  const style = attributes.get('style') ?? '';
  if (/aspect-ratio\s*:/i.test(style)) return true;
  const given = (name: string): boolean =>
    /\d/.test(attributes.get(name) ?? '') || new RegExp(`(?:^|[;\\s])${name}\\s*:`, 'i').test(style);
  return given('width') && given('height');
}
