/** What a style sheet asks for: pictures, fonts, other sheets. */
import type { LinkSighting } from '../../model/link.ts';
import { fileLink } from './discoverer.ts';

/** References kept of one sheet. */
const REFERENCE_LIMIT = 1000;
const LENGTH = 4096;
/** A comment, a string, an import, a url(): whichever comes first; strings and comments are passed over. Linear: each starts with a sign of its own. */
const TOKEN =
  /\/\*|@import\s+(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)')|(@import\s+)?\b(?:url|src)\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|((?:[^\s"'()\\]|\\[\da-f]{1,6}\s?|\\[\s\S])*))\s*\)|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/gi;

/** url() and `@import` of a sheet. @param base of the sheet: what its references are relative to */
export function cssReferences(text: string, base: string): readonly LinkSighting[] {
  const found = new Map<string, LinkSighting>();
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '/*') {
      const end = text.indexOf('*/', pattern.lastIndex);
      if (end === -1) break;
      pattern.lastIndex = end + 2;
      continue;
    }
    const href = unescaped(match[1] ?? match[2] ?? match[4] ?? match[5] ?? match[6] ?? '').trim();
    if (href === '' || href.startsWith('#') || href.length > LENGTH || /^(?:data|about|blob|javascript):/i.test(href))
      continue;
    const context = match[1] !== undefined || match[2] !== undefined || match[3] !== undefined ? '@import' : 'url()';
    const key = `${context} ${href}`;
    if (!found.has(key)) found.set(key, fileLink(href, base, { kind: 'css', context }));
    if (found.size >= REFERENCE_LIMIT) break;
  }
  return [...found.values()];
}

/** CSS Syntax 3, section 4.3.7. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\r?\n|([\s\S]))/gi, (_all, point?: string, other?: string) => {
    if (point === undefined) return other ?? '';
    const value = Number.parseInt(point, 16);
    return value > 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff)
      ? String.fromCodePoint(value)
      : '\uFFFD';
  });
}
