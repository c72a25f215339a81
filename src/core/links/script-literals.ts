/** Texts in a script that may be addresses: speculative links, each of low confidence. */
import type { FoundLink } from '../../model/link.ts';
import { fileLink } from './discoverer.ts';
import { scriptStrings, type ScriptString } from './script-strings.ts';
import { isAssetName, isUnwiseLink, looksLikePageFile, looksLikeRoute, looksLikeUrl } from './url-text.ts';

/** Speculative links kept of one script; one that holds more holds data. */
const LITERAL_LIMIT = 500;
/** What names a module, a thing of the DOM or a piece of a text, and no address. */
const MODULE_WORDS: ReadonlySet<string> = new Set(
  'from import require importScripts define resolve concat createElementNS setAttributeNS hasAttributeNS getAttributeNS'.split(
    ' ',
  ),
);
/** What is given to these is compared, searched for or cut off. */
const TEXT_WORDS: ReadonlySet<string> = new Set(
  'startsWith endsWith includes indexOf lastIndexOf split replace replaceAll match test RegExp Error TypeError RangeError warn error log debug invariant warning'.split(
    ' ',
  ),
);

/**
 * String literals of a script that parse as URLs or read like routes of the site.
 * @param base what they are relative to: the page that loaded the script; where it keeps its routes behind `#`, so do they
 */
export function scriptLiterals(source: string, base: string): readonly FoundLink[] {
  const found = new Set<string>();
  for (const literal of scriptStrings(source)) {
    if (!isAddress(literal)) continue;
    found.add(literal.value);
    if (found.size >= LITERAL_LIMIT) break;
  }
  const hash = /#!?(?=\/)/.exec(base)?.[0] ?? '';
  return [...found].map((href) => {
    const kind = isUnwiseLink(href) ? 'request' : 'script';
    const route = hash !== '' && looksLikeRoute(href) && !href.startsWith('#') ? hash + href : href;
    return fileLink(route, base, { kind, context: 'literal', confidence: 'low' });
  });
}

function isAddress({ value, before, word, after }: ScriptString): boolean {
  if (value.length < 3 || !/[/.]/.test(value)) return false;
  // a piece of an address: something is put before or behind it
  if (after.startsWith('+') || /^\.(?:concat|replace|split|length)\b/.test(after)) return false;
  if (before === '+' && word !== 'origin' && word !== 'host') return false;
  if (MODULE_WORDS.has(word) || (before === '(' && TEXT_WORDS.has(word))) return false;
  if (isAssetName(value)) return false;
  return looksLikeUrl(value) || looksLikeRoute(value) || looksLikePageFile(value);
}
