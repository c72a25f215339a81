/** Links of markup that a script holds: compiled templates (Svelte, Solid, Lit), and what it gives to `innerHTML`. */
import { isSentByScript } from '../markup/link-method.ts';
import { readTagsOf } from '../markup/tag-reader.ts';

/** Most links of one text; one that has more is data. */
const LINKS = 100;
const LINK_NAMES: ReadonlySet<string> = new Set(['a', 'area']);
const LINK_BEGINNING = /<a(?:rea)?\s/i;

interface ScriptMarkupLink {
  readonly href: string;
  /** A script sends it by another method than GET. */
  readonly isSent: boolean;
}

/** A quick test for all texts of a script. */
export function mayHoldMarkupLinks(text: string): boolean {
  return text.includes('<') && LINK_BEGINNING.test(text);
}

/** @param text may be a piece of markup: a tag that does not end in it goes on elsewhere, and is not read */
export function scriptMarkupLinks(text: string): readonly ScriptMarkupLink[] {
  const found: ScriptMarkupLink[] = [];
  for (const { isEnd, attributes } of readTagsOf(text.slice(0, text.lastIndexOf('>') + 1), LINK_NAMES)) {
    if (isEnd) continue;
    const read = (wanted: string): string | undefined => attributes.find(([name]) => name === wanted)?.[1];
    const href = read('href')?.trim() ?? '';
    if (href !== '') found.push({ href, isSent: isSentByScript(read) });
    if (found.length >= LINKS) break;
  }
  return found;
}
