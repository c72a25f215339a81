/** Links of menus that lead on when something is chosen: `<select onchange="location = this.value"><option value="/de/">`. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { isNoReference, readsAsReference } from '../texts/reference-text.ts';
import { isAssetName } from '../texts/url-text.ts';

const CODE_LENGTH = 20_000;
/** The code goes to the value, or gives it to a function that is named so (`MM_jumpMenu`, `goTo`). */
const LEADS = /\blocation\b|\bopen\s*\(|jump_?menu|\b(?:goto|navigate|redirect|visit)\w*\s*\(/i;
/** The value is a part of an address, or is sent by the form. */
const ADDS = /["'`]\s*\+|\+\s*["'`]|\$\{|\bsubmit\b/;

/** @param code of the menu's `change` handler; empty where it has none @param value of an option */
export function menuLinks(code: string, value: string): readonly RawLink[] {
  const href = value.trim();
  if (code === '' || code.length > CODE_LENGTH || isNoReference(href) || !readsAsReference(href)) return [];
  if (!LEADS.test(code) || ADDS.test(code)) return [];
  return [rawLink(href, isAssetName(href) ? 'resource' : 'script', 'option/@value')];
}
