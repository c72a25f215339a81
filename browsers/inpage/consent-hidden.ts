/** Whether the style by which the consent engine hides dialogs hides anything that takes up room. */
import { select, shadowRootOf } from './safe-dom.ts';

/** As the engine names it. */
const STYLE = 'style#autoconsent-prehide';
/** Elements that are looked at; a dialog is one of the first. */
const ELEMENTS = 2000;

const { getBoundingClientRect } = Element.prototype;

export function consentHidden(): boolean {
  const style = select(document, STYLE)[0];
  if (!(style instanceof HTMLStyleElement)) return false;
  let left = ELEMENTS;
  // none where the page's policy refuses the style
  for (const rule of style.sheet?.cssRules ?? []) {
    if (!(rule instanceof CSSStyleRule)) continue;
    for (const hidden of select(document, rule.selectorText)) {
      const elements = [hidden, ...select(hidden, '*')];
      for (const element of elements) {
        if (left-- === 0) return false;
        const { width, height } = getBoundingClientRect.call(element);
        if (width > 0 && height > 0) return true;
        const shadow = shadowRootOf(element);
        if (shadow !== null) elements.push(...select(shadow, '*'));
      }
    }
  }
  return false;
}
