/** Checks whether a style of the consent engine hides its elements. */
import type { HidingStyle } from '../../../src/model/consent.ts';
import { keptRules } from './styles.ts';
import { select, shadowRootOf } from '../safe-dom.ts';

/** Elements that are looked at; a dialog is one of the first. */
const ELEMENTS = 2000;

const { getBoundingClientRect } = Element.prototype;

/** Prehidden elements take up room though they are not seen; elements hidden by a rule take up none. */
export function consentHidden(which: HidingStyle): boolean {
  const hidden = keptRules(which).flatMap((rule) =>
    rule instanceof CSSStyleRule ? [...select(document, rule.selectorText)] : [],
  );
  return hidden.length > 0 && takesRoom(hidden) === (which === 'prehide');
}

function takesRoom(roots: readonly Element[]): boolean {
  let left = ELEMENTS;
  for (const root of roots) {
    const elements = [root, ...select(root, '*')];
    for (const element of elements) {
      if (left-- === 0) return false;
      const { width, height } = getBoundingClientRect.call(element);
      if (width > 0 && height > 0) return true;
      const shadow = shadowRootOf(element);
      if (shadow !== null) elements.push(...select(shadow, '*'));
    }
  }
  return false;
}
