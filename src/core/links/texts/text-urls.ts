/** Addresses in prose: whole URLs only, and targets of Markdown links. */
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { withoutClosing } from './url-end.ts';
import { looksLikeUrl } from './url-text.ts';

/** URLs kept of one text. */
const URL_LIMIT = 1000;
/** Characters of an address, and of the name before it. */
const LENGTH = 2048;
const NAME_LENGTH = 500;
/** Signs that end a sentence, not an address. */
const CLOSING: ReadonlySet<string> = new Set('.,;:!?\'"»”’*_');
const BRACKETS = { ')': '(' } as const;

/** @param base of relative references in Markdown */
export function textUrls(text: string, base: string): readonly FoundLink[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`{}|\\^[\]]{1,2048}/gi)) {
    const url = withoutClosing(written, CLOSING, BRACKETS);
    if (looksLikeUrl(url)) found.add(url);
    if (found.size >= URL_LIMIT) break;
  }
  return [...found].map((href) => fileLink(href, base, { kind: 'text', context: 'text', confidence: 'low' }));
}

/** Links of Markdown: `[name](target)`, `[name]: target`, `<target>`. */
export function markdownLinks(text: string, base: string): readonly FoundLink[] {
  const found = new Set<string>();
  for (const { href, isPicture } of namedTargets(text)) {
    if (!isPicture && href !== '' && !href.startsWith('#')) found.add(href);
    if (found.size >= URL_LIMIT) break;
  }
  return [...found].map((href) => fileLink(href, base, { kind: 'text', context: 'markdown', confidence: 'low' }));
}

interface NamedTarget {
  readonly href: string;
  readonly isPicture: boolean;
}

/** The text behind the `]` of a name. */
const TARGET = new RegExp(`\\(\\s*<?([^\\s()<>]{1,${LENGTH}})|:[ \\t]*<?([^\\s<>]{1,${LENGTH}})`, 'y');

/**
 * A name begins at the first `[` behind the bracket, line end or target before it that is not too far away. In one pass: without a
 * target after the `]`, there is none for any other `[` before it.
 */
function* namedTargets(text: string): Generator<NamedTarget> {
  let opened: number[] = [];
  const sign = /[[\]\n]/g;
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    if (match[0] === '[') opened.push(match.index);
    else {
      const at = match.index;
      const begin = match[0] === ']' ? opened.find((place) => at - place - 1 <= NAME_LENGTH) : undefined;
      opened = [];
      TARGET.lastIndex = at + 1;
      const target = begin === undefined ? null : TARGET.exec(text);
      if (begin === undefined || target === null) continue;
      sign.lastIndex = TARGET.lastIndex;
      yield { href: target[1] ?? target[2] ?? '', isPicture: text[begin - 1] === '!' };
    }
  }
}
