/** Brings a page into a state that can be drawn, and reports the parts that its picture still lacks. */
import type { PictureInput, PictureState } from '../../../src/model/page-actions.ts';
import { composedElements } from '../composed-tree.ts';
import { frameDocumentOf, localNameOf, shadowRootOf } from '../safe-dom.ts';

declare global {
  /** In the isolated world's global object only. */
  var orbweaverCarets: WeakSet<Document | ShadowRoot> | undefined;
}

/** Elements that are looked at for pictures and shadow trees. */
const ELEMENTS = 30_000;
/** Animations that are ended, of the page and of the frames that it may look into. */
const ANIMATIONS = 10_000;
const FRAMES = 50;
/** Pictures whose place is read: this costs one layout, and little for each. */
const PICTURES = 5000;

const { getAnimations } = Document.prototype;
const { getAnimations: shadowAnimations } = ShadowRoot.prototype;
const { getBoundingClientRect } = Element.prototype;
const { pause } = HTMLMediaElement.prototype;
/** Documents and shadow trees whose caret is hidden. */
const caretSheets = (globalThis.orbweaverCarets ??= new WeakSet());
const isComplete = getter(HTMLImageElement.prototype, 'complete');
const fontsOf = getter(Document.prototype, 'fonts');

function getter(prototype: object, name: string): (node: object) => unknown {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (node) => read?.call(node);
}

export function pictureState({ bottom, still }: PictureInput): PictureState {
  const elements = composedElements(ELEMENTS);
  const roots: (Document | ShadowRoot)[] = [document];
  const pictures: Element[] = [];
  const videos: HTMLMediaElement[] = [];
  for (const element of elements) {
    const shadow = shadowRootOf(element);
    if (shadow !== null) roots.push(shadow);
    const name = localNameOf(element);
    if (name === 'img' && element instanceof HTMLImageElement) pictures.push(element);
    else if (still && name === 'video' && element instanceof HTMLMediaElement) videos.push(element);
    else if (name === 'iframe' && element instanceof HTMLIFrameElement && roots.length < FRAMES) {
      const inner = frameDocumentOf(element);
      if (inner !== null) roots.push(inner);
    }
  }
  let ended = 0;
  for (const root of roots) if (ended < ANIMATIONS) ended += finishAnimations(root);
  const missing = pictures
    .slice(0, PICTURES)
    .filter((picture) => isComplete(picture) === false && isSeen(picture, bottom));
  if (still) for (const root of roots) hideCaret(root);
  const moving = videos.slice(0, PICTURES).filter((video) => !isAtStart(video)).length;
  return { pictures: missing.length, fonts: roots.some(loadsFonts), videos: moving };
}

/** Hides the caret by a style sheet of our own: it is no element of the page, and stays until the next document. */
function hideCaret(root: Document | ShadowRoot): void {
  if (caretSheets.has(root)) return;
  const { defaultView } = root instanceof ShadowRoot ? root.ownerDocument : root; // a frame's document is of another Document class
  if (defaultView === null) return;
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { caret-color: transparent !important }');
  caretSheets.add(root);
  root.adoptedStyleSheets.push(sheet);
}

/** Brings a video to its first frame. @returns whether it stands there */
function isAtStart(video: HTMLMediaElement): boolean {
  pause.call(video);
  if (video.readyState === 0) return true; // no data has come: the poster is shown, or nothing
  if (video.currentTime !== 0) video.currentTime = 0;
  return !video.seeking;
}

/** Does the element take up any of the area that will be drawn? The query makes the page do its layout, and so ask for its fonts. */
function isSeen(element: Element, bottom: number): boolean {
  const { top, bottom: end, width, height } = getBoundingClientRect.call(element);
  return width > 0 && height > 0 && end > 0 && top < bottom;
}

function loadsFonts(root: Document | ShadowRoot): boolean {
  if (!(root instanceof Document)) return false;
  const fonts = fontsOf(root);
  return fonts instanceof FontFaceSet && fonts.status === 'loading';
}

/**
 * Brings animations and transitions to their end, and those without an end to their start: where frames are drawn on
 * demand, they would stand wherever the last frame found them. Animations driven by scrolling are left alone.
 */
export function finishAnimations(root: Document | ShadowRoot): number {
  const animations = root instanceof ShadowRoot ? shadowAnimations.call(root) : getAnimations.call(root);
  let ended = 0;
  for (const animation of animations.slice(0, ANIMATIONS)) {
    if (typeof animation.timeline?.currentTime !== 'number') continue;
    ended += 1;
    try {
      animation.finish();
    } catch {
      animation.pause(); // it has no end
      animation.currentTime = 0;
    }
  }
  return ended;
}
