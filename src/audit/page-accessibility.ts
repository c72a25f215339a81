/**
 * Findings of axe-core on a page, each sort of element once. Two elements are the same when their opening tags are, without the parts that
 * change from page to page: so the defect of a layout is one finding, in every crawl.
 */
import { parsedUrl } from '../base/parsed-url.ts';
import { stableAddress } from '../core/audit-rules/stable-text.ts';
import { readHtml, type HtmlElement } from '../core/html/tree.ts';
import type { AxeCatalogue, AxeCheck, AxeNode } from '../model/accessibility.ts';
import type { AccessibilityFacts } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

/** Tags of rules about the content of an element, and not about its place or style: elements with other addresses are other ones. */
const OF_CONTENT: ReadonlySet<string> = new Set([
  'cat.text-alternatives',
  'cat.name-role-value',
  'cat.forms',
  'cat.time-and-media',
]);
/** Rules about the page as a whole, which name all the elements concerned. */
const OF_PAGES: ReadonlySet<string> = new Set(['region']);
/** Attributes that identify an element, wherever it stands. */
const ATTRIBUTES = ['id', 'class', 'role', 'type', 'name', 'for', 'tabindex', 'lang', 'scope', 'rel'] as const;
const ADDRESSES = ['src', 'href', 'data', 'action'] as const;
/** Names that scripts and build tools make up: they have figures or colons, or are long. */
const MADE_UP = /\d|[:$«»]|^.{41,}$|__/;

/** @param catalogue null where the crawl has none: then no rule is known */
export function pageAccessibility(
  check: AxeCheck | null,
  url: string,
  catalogue: AxeCatalogue | null,
): readonly AccessibilityFacts[] {
  if (check === null || catalogue === null) return [];
  const contents = new Set(
    catalogue.rules.filter(({ tags }) => tags.some((tag) => OF_CONTENT.has(tag))).map(({ id }) => id),
  );
  const found = new Map<string, AccessibilityFacts>();
  for (const { rule, impact, nodes } of check.violations) {
    for (const node of nodes.first) {
      const element = elementOf(node);
      const base = contents.has(rule) ? url : null;
      const thing = OF_PAGES.has(rule) ? '' : element === null ? node.selector : thingOf(element, base);
      const key = `${rule} ${thing}`;
      if (found.has(key)) continue;
      const tag = element === null ? node.selector : placeOf(element).snippet;
      found.set(key, { rule, impact, thing, tag, ...node });
    }
  }
  return [...found.values()];
}

/** The element of a node; null where its markup begins with none. */
function elementOf({ snippet }: AxeNode): HtmlElement | null {
  return readHtml(snippet).elements[0] ?? null;
}

/** @param base of addresses; null where they do not matter */
function thingOf({ name, attributes }: HtmlElement, base: string | null): string {
  const kept = ATTRIBUTES.flatMap((key) => {
    const words = (attributes.get(key) ?? '').split(/\s+/).filter((word) => word !== '' && !MADE_UP.test(word));
    return words.length === 0 ? [] : [`${key}=${words.toSorted().join(' ')}`];
  });
  const addresses =
    base === null
      ? []
      : ADDRESSES.flatMap((key) => {
          const value = attributes.get(key);
          return value === undefined ? [] : [`${key}=${addressOf(value, base)}`];
        });
  return [name, ...kept, ...addresses].join(' ');
}

/** Links into their own page are the same on every page: a layout has them (`#top`), and their place says nothing of the page. */
function addressOf(value: string, base: string): string {
  if (/^\s*#/.test(value)) return '#';
  return stableAddress(parsedUrl(value, base)?.href ?? value);
}
