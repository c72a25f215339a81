/** Links of markup in the text of an attribute: speculative, for scripts show it in a bubble or a window, or never. */
import { parsedJson } from '../../../base/safe-json.ts';
import type { RawLink } from '../../../model/page-facts.ts';
import { jsonTexts } from '../data/json-texts.ts';
import type { MarkupElement } from './element-links.ts';
import { readTags, type Tag } from './tag-reader.ts';

/** Characters of a text that are read, tags and links of it. */
const LENGTH = 100_000;
const TAGS = 500;
const LINKS = 100;
const MARKUP = /<[a-z][^<>]*?\s(?:href|src|action|data|content)\s*=/i;
/** Places that a template engine fills in: an address with one leads nowhere yet. */
export const PLACE: RegExp = /\{\{|\$\{|<%|\[\[|%7B%7B|\{%/i;

/** Attributes in which authors write markup. Those of unknown elements, and `data-*`, are read whatever their names. */
export const MARKUP_ATTRIBUTES: ReadonlySet<string> = new Set(
  'title alt value content placeholder label summary aria-label aria-description tooltip uk-tooltip template html text body message caption v-html x-html ng-bind-html'.split(
    ' ',
  ),
);

/**
 * @param context of the attribute
 * @param read finds the links of an element
 */
export function markupTextLinks(
  text: string,
  context: string,
  read: (element: MarkupElement) => readonly RawLink[],
): readonly RawLink[] {
  if (text.length > LENGTH || !text.includes('<') || !MARKUP.test(text)) return [];
  const found: RawLink[] = [];
  let tags = 0;
  for (const tag of tagsOf(text)) {
    tags += 1;
    if (tags > TAGS || found.length >= LINKS) break;
    if (tag.isEnd) continue;
    for (const link of read(elementOfTag(tag))) {
      const { href } = link;
      if (/^(?:#|javascript:|data:)/i.test(href.trim()) || href.trim() === '' || PLACE.test(href)) continue;
      found.push({ ...link, context: `${context} ${link.context}`.slice(0, 100), text: '', confidence: 'low' });
    }
  }
  return found;
}

/** The tags of a text, or of the texts in it where it is JSON: there each quotation mark and slash may be escaped. */
function* tagsOf(text: string): Generator<Tag> {
  const value = /^\s*[{[]/.test(text) ? parsedJson(text) : undefined;
  if (value === undefined) return yield* readTags(text);
  for (const each of jsonTexts(value)) if (each.text.includes('<')) yield* readTags(each.text);
}

/** A tag in the form of an element. */
export function elementOfTag({ name, attributes }: Tag): MarkupElement {
  const values = new Map<string, string>();
  for (const [key, value] of attributes) if (!values.has(key)) values.set(key, value);
  return {
    namespace: 'html',
    name,
    attributes: [...values.keys()],
    attribute: (key) => values.get(key.toLowerCase()) ?? null,
    words: () => '',
    formMethod: () => 'get',
  };
}
