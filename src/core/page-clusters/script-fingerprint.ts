/** A short string for the scripts that a document loads and holds: pages with the same scripts are likely to act alike. */

/** The parts of a document's markup that decide what its scripts do. */
export interface ScriptTraits {
  /** URLs of scripts, absolute. */
  readonly urls: readonly string[];
  /** Texts of inline scripts, handlers and `javascript:` URLs. */
  readonly inline: readonly string[];
  /** Names that scripts look for: custom elements, attributes of frameworks, `data-` attributes, empty elements with an id. */
  readonly hooks: readonly string[];
}

/** Characters of an inline script that count. */
const INLINE_LIMIT = 32 * 1024;
const FOLDINGS = 12;

/** Equal for documents whose scripts differ at most in the data in them. */
export function scriptFingerprint({ urls, inline, hooks }: ScriptTraits): string {
  const parts = [
    ...unique(urls.map((url) => url.replace(/[?#].*$/s, ''))),
    '',
    ...unique(inline.map(scriptSkeleton)),
    '',
    ...unique(hooks.map((hook) => hook.replaceAll(/\d+/g, '0'))),
  ];
  return hash(parts.join('\n'));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

/** A script without its strings, figures and comments, and without lists and records that hold nothing else. */
export function scriptSkeleton(script: string): string {
  let text = withoutWords(script.slice(0, INLINE_LIMIT))
    .replaceAll(/\b\d[\w.]*/g, '0')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{}[\]():;,=]) ?/g, '$1');
  for (let folding = 0; folding < FOLDINGS; folding += 1) {
    const shorter = text.replaceAll(DATA, '""');
    if (shorter === text) break;
    text = shorter;
  }
  return text.trim();
}

/**
 * Empties strings and removes comments. In one pass, for the script may be hostile: a pattern would start again at each quote.
 * A regular expression with a quote in it is read wrongly, and in the same way each time.
 */
function withoutWords(script: string): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at < script.length; at += 1) {
    const character = script[at] ?? '';
    const end = QUOTES.has(character) ? endOfString(script, at) : character === '/' ? endOfComment(script, at) : at;
    if (end === at) continue;
    kept += script.slice(from, at) + (character === '/' ? ' ' : '""');
    from = end;
    at = end - 1;
  }
  return kept + script.slice(from);
}

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`']);

function endOfString(script: string, start: number): number {
  const quote = script[start];
  for (let at = start + 1; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === quote) return at + 1;
    else if (script[at] === '\n' && quote !== '`') return at;
  }
  return script.length;
}

/** The end of a comment; where none begins, the place itself. @param start of a slash outside of strings */
function endOfComment(script: string, start: number): number {
  const next = script[start + 1];
  const end = next === '*' ? script.indexOf('*/', start + 2) : next === '/' ? script.indexOf('\n', start) : start;
  if (end === start) return start;
  return end === -1 ? script.length : next === '*' ? end + 2 : end;
}

/** A list of data, a record of data; what was folded before stands as an empty string. */
const VALUE = '(?:""|-?0|true|false|null|undefined)';
const DATA = new RegExp(
  `\\[(?:${VALUE}(?:,${VALUE})*,?)?\\]|\\{(?:(?:""|[\\w$]+):${VALUE}(?:,(?:""|[\\w$]+):${VALUE})*,?)?\\}(?![\\w$])`,
  'g',
);

/** 53 bits of a string: cyrb53, public domain. No secret depends on it: a site that makes two kinds look alike only harms its own pages. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
