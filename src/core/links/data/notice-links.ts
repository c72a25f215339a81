/** The links of a document that comes in place of a page, with a redirect or an error: speculative links, because it was not requested. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { decodedAttribute } from '../markup/attribute-text.ts';
import { elementLinks } from '../markup/element-links.ts';
import { elementOfTag, PLACE } from '../markup/markup-text.ts';
import { relTokens } from '../page-link.ts';
import { isNoReference } from '../texts/reference-text.ts';
import { readTags } from '../markup/tag-reader.ts';

const LINKS = 200;

/** @param url of the answer @param what the document came with: it begins the contexts of its links */
export function noticeLinks(html: string, url: string, what: 'redirect' | 'error'): readonly FoundLink[] {
  const found = new Map<string, FoundLink>();
  let base: string | null = null;
  for (const tag of readTags(html, null, decodedAttribute)) {
    if (tag.isEnd) continue;
    const element = elementOfTag(tag);
    if (tag.name === 'base') base ??= parsedUrl(element.attribute('href') ?? '', url)?.href ?? null;
    for (const { href, kind, context, rel } of elementLinks(element)) {
      const to = href.trim();
      if (isNoReference(to) || PLACE.test(to) || found.size >= LINKS) continue;
      const how = { kind, context: `${what}: ${context}`.slice(0, 100), confidence: 'low' as const };
      found.set(`${kind} ${context} ${to}`, fileLink(to, base ?? url, { ...how, rel: relTokens(rel) }));
    }
  }
  return [...found.values()];
}
