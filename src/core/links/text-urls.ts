/** Addresses in prose: whole URLs only, and what Markdown links to. */
import type { LinkSighting } from '../../model/link.ts';
import { fileLink } from './discoverer.ts';
import { looksLikeUrl } from './url-text.ts';

/** URLs kept of one text. */
const URL_LIMIT = 1000;
/** Signs that end a sentence, not an address. */
const CLOSING = /[.,;:!?'"»”’*_]+$/;

/** @param base what relative references of Markdown are relative to */
export function textUrls(text: string, base: string): readonly LinkSighting[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`{}|\\^[\]]{1,2048}/gi)) {
    const url = withoutClosing(written);
    if (looksLikeUrl(url)) found.add(url);
    if (found.size >= URL_LIMIT) break;
  }
  return [...found].map((href) => fileLink(href, base, { kind: 'text', context: 'text', confidence: 'low' }));
}

/** Links of Markdown: `[name](target)`, `[name]: target`, `<target>`. */
export function markdownLinks(text: string, base: string): readonly LinkSighting[] {
  const found = new Set<string>();
  for (const match of text.matchAll(
    /(!?)\[[^\]\n]{0,500}\](?:\(\s*<?([^\s()<>]{1,2048})|:[ \t]*<?([^\s<>]{1,2048}))/g,
  )) {
    const href = match[2] ?? match[3] ?? '';
    if (match[1] !== '!' && href !== '' && !href.startsWith('#')) found.add(href);
    if (found.size >= URL_LIMIT) break;
  }
  return [...found].map((href) => fileLink(href, base, { kind: 'text', context: 'markdown', confidence: 'low' }));
}

/** A bracket belongs to the address where it was opened in it. */
function withoutClosing(written: string): string {
  let url = written.replace(CLOSING, '');
  while (url.endsWith(')') && count(url, ')') > count(url, '(')) url = url.slice(0, -1).replace(CLOSING, '');
  return url;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
