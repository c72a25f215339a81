/** Anchors whose address leads nowhere, whatever answers. */
import { foldedText } from '../core/html/facts.ts';
import { textOf, type HtmlElement } from '../core/html/tree.ts';
import { hrefFault } from '../core/links/href-fault.ts';
import type { MalformedLink } from '../model/audit-facts.ts';
import { canonicalise } from '../model/url/canonical-url.ts';
import { selectorOf } from './element-place.ts';
import { isControl } from './is-control.ts';

const MOST = 500;
const TEXT = 200;

/** Those that are shown: a script may complete others before it shows them. */
export function malformedLinks(shown: readonly HtmlElement[], base: string): readonly MalformedLink[] {
  const found: MalformedLink[] = [];
  for (const element of shown) {
    const href = element.name === 'a' || element.name === 'area' ? element.attributes.get('href') : undefined;
    if (href === undefined || found.length >= MOST) continue;
    const result = canonicalise(href, base);
    if (result.kind === 'canonical' || isControl(element)) continue;
    const fault = hrefFault(href, result.reason !== 'malformed');
    if (fault === null) continue;
    const text = foldedText(textOf(element, 100), TEXT);
    found.push({ href: foldedText(href, TEXT), fault, selector: selectorOf(element), text });
  }
  return found;
}
