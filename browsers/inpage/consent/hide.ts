/**
 * Hides a consent dialog that the engine has found but has no style for. It finds the dialog by the elements of the engine's rule, else by
 * the dialog's words. Nothing is removed from the document, so its links are read. In doubt the dialog stays: a visible dialog does less
 * harm than a page without its text.
 */
import { attribute, bodyOf, closest, documentElementOf, innerTextOf, select, shadowRootOf } from '../safe-dom.ts';

/** Most characters of a dialog; longer texts are those of pages (arbitrary; the longest notice seen had some 2,500 characters). */
const DIALOG_TEXT = 6000;
/** Most characters that an element around a dialog adds to its text. */
const FRAME_TEXT = 20;
/** Elements that are searched for dialogs and backdrops: the first and the last ones, as these stand at either end of a page. */
const ELEMENTS = 5000;
/** Share of the window's width and height that a backdrop covers at least. */
const COVERED = 0.9;

const { getBoundingClientRect } = Element.prototype;
const setProperty = CSSStyleDeclaration.prototype.setProperty;

/** Elements that pages have and dialogs do not. */
const CONTENT = 'main,article,h1,nav,input[type=password],[role=main]';
/** The same for a dialog that fills a frame; it may have a heading. */
const FRAMED_CONTENT = 'main,article,nav,input[type=password],[role=main]';
const DIALOG = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';
/** Words for a dialog's subject and request. Both must stand outside of links, as every footer links to a policy. */
const SUBJECT = /cookie|tracker|tracking|gdpr|rgpd|dsgvo|ccpa/i;
const REQUEST =
  /consent|privacy|personal data|we use|uses cookies|partners|preferences|einwillig|datenschutz|verwende|zustimm|confidentialit|consentement|utilis|privacidad|consentimiento|privacidade|utiliz|usamos|riservatezza|consenso|toestemming|gebruik|zgod|samtyck|använder|samtykke/i;
const ANSWER =
  /^\W*(?:accept|agree|allow|reject|decline|deny|refuse|ok\b|okay|got it|i understand|only necessary|akzept|zustimm|ablehn|alle\b|accepter|refuser|tout |aceptar|rechazar|accetta|rifiuta|accepteren|weiger|akkoord|aceitar|rejeitar|akceptuj|zaakceptuj|odrzu|godk|acceptera|neka|godta|tillad|afvis)/i;

/** @param selectors of the engine's rule; a list leads through shadow roots; empty for a dialog known by its words @returns whether one is hidden now */
export function hideConsent(selectors: readonly (readonly string[])[]): boolean {
  const named = selectors.flatMap((path) => found(document, path)).filter((element) => isSeen(element));
  const dialogs = (named.length > 0 ? named.map((element) => frameOf(element)) : byWords()).filter(mayHide);
  for (const dialog of dialogs) hide(dialog);
  if (dialogs.length === 0 || dialogs.some((dialog) => isSeen(dialog)) || named.some((element) => isSeen(element)))
    return false;
  for (const backdrop of backdrops()) hide(backdrop);
  letScroll();
  return true;
}

/** Does a frame in which a dialog was found hold nothing else? */
export function isAllDialog(): boolean {
  const body = bodyOf(document);
  return body !== null && select(document, FRAMED_CONTENT).length === 0 && textOf(body).length <= DIALOG_TEXT;
}

/** Hides the element of such a frame, and the floating element around it, if it floats over the page. @returns whether it is hidden now */
export function hideDialogFrame(element: Element): boolean {
  const dialog = frameOf(element);
  if (!isFloating(dialog) || !mayHide(dialog)) return false;
  hide(dialog);
  for (const backdrop of backdrops()) hide(backdrop);
  letScroll();
  return !isSeen(element);
}

function found(root: Document | ShadowRoot, [selector, ...rest]: readonly string[]): readonly Element[] {
  if (selector === undefined) return [];
  const elements = matching(root, selector);
  if (rest.length === 0) return elements;
  return elements.flatMap((element) => {
    const shadow = shadowRootOf(element);
    return shadow === null ? [] : found(shadow, rest);
  });
}

/** Empty for an invalid selector: rules have other ways to name elements as well. */
function matching(root: Document | ShadowRoot, selector: string): readonly Element[] {
  try {
    return [...select(root, selector)];
  } catch {
    return [];
  }
}

/** The floating element around this one, extended to ancestors that add no text; the element itself where nothing floats. */
function frameOf(element: Element): Element {
  let frame = element;
  for (let at: Element | null = element; at !== null && isPart(at); at = parentOf(at)) {
    const floats = isFloating(at);
    const isSame = textOf(at).length <= textOf(frame).length + FRAME_TEXT;
    if (floats && (isSame || !isFloating(frame)) && mayHide(at)) frame = at;
    else if (isFloating(frame) && !isSame) break;
  }
  return frame;
}

function byWords(): readonly Element[] {
  const floating = atEitherEnd('*').filter((element) => isPart(element) && isFloating(element) && isSeen(element));
  const dialogs = floating
    .filter((element) => mayHide(element) && asksForConsent(element))
    .map((element) => frameOf(element));
  return [...new Set(dialogs)];
}

function atEitherEnd(selector: string): readonly Element[] {
  const elements = [...select(document, selector)];
  if (elements.length <= ELEMENTS) return elements;
  return [...elements.slice(0, ELEMENTS / 2), ...elements.slice(-ELEMENTS / 2)];
}

function asksForConsent(element: Element): boolean {
  const links = [...select(element, 'a')].map(textOf).filter((text) => text !== '');
  const own = links.reduce((text, link) => text.replace(link, ' '), textOf(element));
  if (!SUBJECT.test(own) || !REQUEST.test(own)) return false;
  const buttons = [...select(element, 'button,[role=button],input[type=button],input[type=submit],a')];
  return buttons.some((button) => ANSWER.test((textOf(button) || attribute(button, 'value')) ?? ''));
}

function mayHide(element: Element): boolean {
  if (!isPart(element) || select(element, CONTENT).length > 0) return false;
  return closest(element, 'header,nav,footer') !== element && textOf(element).length <= DIALOG_TEXT;
}

function isPart(element: Element): boolean {
  return element !== documentElementOf(document) && element !== bodyOf(document);
}

function isFloating(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'sticky' || closest(element, DIALOG) === element;
}

function isSeen(element: Element): boolean {
  const { width, height } = getBoundingClientRect.call(element);
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

/** The parent element, across shadow roots, too. */
function parentOf(element: Element): Element | null {
  const parent = element.parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

function textOf(element: Element): string {
  return element instanceof HTMLElement ? innerTextOf(element).trim() : '';
}

function hide(element: Element): void {
  // not by an attribute, as a policy of the page may forbid it
  if (element instanceof HTMLElement || element instanceof SVGElement)
    setProperty.call(element.style, 'display', 'none', 'important');
}

/** Elements that darken the page behind a dialog: they cover the window and are empty. */
function backdrops(): readonly Element[] {
  return atEitherEnd('body *').filter((element) => {
    if (getComputedStyle(element).position !== 'fixed' || textOf(element) !== '') return false;
    if (select(element, 'img,svg,video,canvas,iframe,input,button,a').length > 0) return false;
    const { width, height } = getBoundingClientRect.call(element);
    return (
      width >= innerWidth * COVERED &&
      height >= innerHeight * COVERED &&
      !/^(?:img|video|canvas|iframe)$/i.test(element.localName)
    );
  });
}

/** Lets the page scroll again; sites stop it behind a dialog. */
function letScroll(): void {
  for (const element of [documentElementOf(document), bodyOf(document)]) {
    if (!(element instanceof HTMLElement)) continue;
    const { overflowY, position } = getComputedStyle(element);
    if (overflowY === 'hidden' || overflowY === 'clip')
      setProperty.call(element.style, 'overflow', 'auto', 'important');
    if (position === 'fixed') setProperty.call(element.style, 'position', 'static', 'important');
  }
}
