/** Anchors that are buttons. */
import type { HtmlElement } from '../core/html/tree.ts';

/** Attributes of a script that takes the click on an anchor: the anchor is a button, whatever its address. */
const CONTROL =
  /^(?:onclick|aria-controls|aria-expanded|aria-haspopup|data-(?:bs-)?(?:toggle|target|action|dismiss)|@click|v-on:click|x-on:click|ng-click|jsaction)/;

export function isControl({ attributes }: HtmlElement): boolean {
  if (/^(?:button|tab|menuitem|switch|option)$/.test(attributes.get('role') ?? '')) return true;
  return attributes.names.some((key) => CONTROL.test(key));
}
