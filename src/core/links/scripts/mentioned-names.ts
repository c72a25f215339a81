/**
 * The names by which a script may find elements of a page: selectors in its strings, and strings of words alone, for
 * those are given to `getElementById`, `classList.contains` and the like. Written like the names of a page (`names` in core/html/traits.ts).
 */
import { ScriptScanner } from './script-scanner.ts';

/** Characters of a string that counts; a longer one is data or markup. */
const STRING_LENGTH = 300;
/** Names kept of a script (arbitrary, far above the few thousand of a large bundle). */
const NAME_LIMIT = 20_000;
/** A class or an id in a selector: escapes stand for the character behind them (CSS Syntax Level 3, section 4.3.7). */
const MARKED = /[.#](?:\\[^\da-f\s]|[\w-]){1,80}/gi;
/** Parts of a selector that are no names of elements. */
const NO_ELEMENT = /[.#](?:\\[^\da-f\s]|[\w-]){1,80}|\[[^\]]{0,100}\]|::?[\w-]+/gi;
const ELEMENT = /(?<![\w-])[a-z][a-z\d-]{0,30}(?![\w-])/gi;
const WORDS = /^[a-z_-][\w-]{0,80}(?: [a-z_-][\w-]{0,80}){0,3}$/i;
const PIECES: ReadonlySet<string> = new Set(['string', 'opened', 'between', 'closed']);

/** Each name once, figures as `0`, and `id#` and the value of a property `id`; at most 20,000. */
export function mentionedNames(script: string): readonly string[] {
  const names = new Set<string>();
  const scanner = new ScriptScanner(script);
  while (names.size < NAME_LIMIT) {
    const isOwnId = scanner.before === ':' && scanner.word === 'id';
    const token = scanner.next();
    if (token === 'end') break;
    const { text } = scanner;
    if (!PIECES.has(token) || text.length > STRING_LENGTH) continue;
    for (const name of namesIn(text, isOwnId)) if (names.size < NAME_LIMIT) names.add(name.replaceAll(/\d+/g, '0'));
  }
  return [...names];
}

function namesIn(text: string, isOwnId: boolean): readonly string[] {
  const names = (text.match(MARKED) ?? []).map((each) => each.replaceAll('\\', ''));
  for (const element of text.replaceAll(NO_ELEMENT, ' ').match(ELEMENT) ?? []) names.push(`<${element.toLowerCase()}`);
  if (WORDS.test(text)) for (const word of text.split(' ')) names.push(`.${word}`, `${isOwnId ? 'id#' : '#'}${word}`);
  return names;
}
