/** Details of a page for audits, beside its links and facts: pictures that are larger than they are shown, fonts, sizes of its storages. */
import type { RawPageDetails } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';

/** Pictures that are examined: this costs one layout, and little for each. */
const PICTURES = 1000;
const LISTED = 100;
/** A picture is too large if it is so many times as wide and as high as it is shown. */
const MUCH = 2;
/** Pixels of a picture below which its size does not matter. */
const SMALL = 300 * 300;
const FONTS = 200;
const LENGTH = 8192;

const { getBoundingClientRect, getClientRects, hasAttribute, computedStyleMap } = Element.prototype;
const widthOf = getter(HTMLImageElement.prototype, 'naturalWidth');
const addressOf = getter(HTMLImageElement.prototype, 'src');
const heightOf = getter(HTMLImageElement.prototype, 'naturalHeight');
const sourceOf = getter(HTMLImageElement.prototype, 'currentSrc');
const fontsOf = getter(Document.prototype, 'fonts');

function getter(prototype: object, name: string): (node: object) => unknown {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (node) => read?.call(node);
}

export function collectDetails(): RawPageDetails {
  // those of open shadow trees, too: the stored HTML has them
  const images = composedElements(EXPLORED_ELEMENTS).filter((element) => element instanceof HTMLImageElement);
  return {
    images: largeImages(images),
    ...steadyImages(images),
    fonts: loadedFonts(),
    storage: storageSizes(),
  };
}

function largeImages(images: readonly Element[]): RawPageDetails['images'] {
  const found: RawPageDetails['images'][number][] = [];
  for (let index = 0; index < images.length && index < PICTURES && found.length < LISTED; index++) {
    const image = images[index];
    if (image === undefined) continue;
    const [width, height, url] = [Number(widthOf(image)), Number(heightOf(image)), String(sourceOf(image))];
    if (!(width * height > SMALL) || !/^https?:/.test(url)) continue;
    const shown = getBoundingClientRect.call(image);
    // a picture that is not shown now may be shown large later
    if (shown.width < 1 || shown.height < 1) continue;
    if (width <= shown.width * MUCH || height <= shown.height * MUCH) continue;
    found.push({ url: url.slice(0, LENGTH), width, height, shownWidth: shown.width, shownHeight: shown.height });
  }
  return found;
}

/** Images that shift nothing when they load, although their markup does not give their size. */
function steadyImages(images: readonly Element[]): Pick<RawPageDetails, 'steady' | 'steadyCut'> {
  const found = new Set<string>();
  const moving = new Set<string>();
  let index = 0;
  for (; index < images.length && index < PICTURES && found.size < LISTED; index++) {
    const image = images[index];
    if (image === undefined) continue;
    if (hasAttribute.call(image, 'width') && hasAttribute.call(image, 'height')) continue;
    const address = String(addressOf(image));
    if (!/^https?:/.test(address)) continue;
    (isSteady(image) ? found : moving).add(address.slice(0, LENGTH));
  }
  return { steady: [...found].filter((address) => !moving.has(address)), steadyCut: index < images.length };
}

/** Is the place of the image known without its file? */
function isSteady(image: Element): boolean {
  if (getClientRects.call(image).length === 0) return true;
  const style = computedStyleMap.call(image);
  const value = (name: string): string => String(style.get(name));
  if (/^(?:absolute|fixed)$/.test(value('position'))) return true;
  if (value('aspect-ratio') !== 'auto') return true;
  // a percentage of an unknown height is no height
  return value('width') !== 'auto' && !/^auto$|%/.test(value('height'));
}

function loadedFonts(): string[] {
  const families = new Set<string>();
  const fonts = fontsOf(document);
  if (!(fonts instanceof FontFaceSet)) return [];
  let seen = 0;
  for (const font of fonts) {
    if (++seen > FONTS) break;
    if (font.status === 'loaded') families.add(String(font.family).slice(0, 100));
  }
  return [...families];
}

/** Null for a document that may have none (a sandboxed one throws). */
function storageSizes(): RawPageDetails['storage'] {
  try {
    return { local: localStorage.length, session: sessionStorage.length };
  } catch {
    return null;
  }
}
