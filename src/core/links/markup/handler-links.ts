/** Links in the code of an event handler or of a `javascript:` URL: its string literals. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { actsByName, beginsAsReference, isNoReference, readsAsReference } from '../texts/reference-text.ts';
import { scriptStrings, type ScriptString } from '../scripts/script-strings.ts';
import { isAssetName } from '../texts/url-text.ts';

const CODE_LENGTH = 20_000;
const LINKS = 20;

/** Objects that lead to an address that is assigned or passed to them. */
const ASSIGNED: ReadonlySet<string> = new Set(['location', 'href']);
const CALLED =
  /^(?:assign|open|openwindow|openpage|openurl|openlink|navigate|navigateto|goto|gotopage|gotourl|go|visit|redirect|redirectto|loadpage|loadurl|linkto|locate|jump|jumpto)$/i;
/** The browser's own functions take any word for an address; functions of a page are given names of tabs and views, too. */
const OPENS = /(?:window|self|top|parent)\s*\??\.\s*open\s*\(/;
/** Names that functions of other things have, too. */
const SHARED = /^(?:replace|push|load|get|show)$/i;

/** Handlers of Vue, Alpine, htmx (a dash may stand for its colon), Unpoly, Datastar and AngularJS, in lower case. */
const LIBRARY_HANDLER =
  /^(?:[vx]-on:.|(?:data-)?hx-on(?:[:-].|$)|up-on-.|data-on(?::.|-(?:click|change|submit|input|load|key|mouse|pointer|intersect))|(?:data-)?ng-click$)/;
/** First characters of their names: most other attributes begin with another. */
const LIBRARY = 'vxhudn';

/** The names of attributes that hold code: handlers of HTML, and those of libraries. */
export function isHandlerName(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first === 111) return name.charCodeAt(1) === 110 && name.length > 3; // on…
  if (first === 64) return true; // @click
  return LIBRARY.includes(name.charAt(0)) && LIBRARY_HANDLER.test(name);
}

/**
 * Strings of code: of high confidence where they are given to a navigation, low where they only read like addresses. A speculative
 * link that reads like an action is an edge, and is never tried.
 */
export function handlerLinks(code: string, context: string): readonly RawLink[] {
  if (code.length > CODE_LENGTH || !/["'`]/.test(code)) return [];
  const found = new Map<string, RawLink>();
  const asks = { replaces: lazily(() => replacesLocation(code)), opens: lazily(() => OPENS.test(code)) };
  let previous: ScriptString | null = null;
  for (const literal of scriptStrings(code)) {
    const method = previous === null ? null : methodBefore(previous);
    previous = literal;
    const read = confidenceOf(literal, asks);
    const href = addressOf(literal);
    // an address that is asked for by GET is one; others are sent to
    const confidence = read !== null && method === 'get' && !actsByName(href) ? 'high' : read;
    // the better mention of an address counts: many are reported to somebody before they are gone to
    if (confidence === null || (found.has(href) && (confidence === 'low' || found.get(href)?.confidence !== 'low')))
      continue;
    const isSent = isSending(literal) || (method !== null && method !== 'get');
    const kind = isSent || (confidence === 'low' && actsByName(href)) ? 'resource' : 'script';
    found.set(href, rawLink(href, kind, context, confidence));
    if (found.size >= LINKS) break;
  }
  return [...found.values()];
}

/** The method before an address: `htmx.ajax('GET', '/a')`, `xhr.open('POST', '/a')`; null where that is none. */
function methodBefore({ value, before, word, after }: ScriptString): string | null {
  if (before !== '(' || !/^(?:ajax|open)$/.test(word) || !/^,\s*["'`]/.test(after)) return null;
  return /^(?:get|head|post|put|patch|delete)$/i.test(value) ? value.toLowerCase().replace('head', 'get') : null;
}

/** `axios.post('/a')`, `@delete('/a')` */
function isSending({ before, word }: ScriptString): boolean {
  return before === '(' && /^(?:post|put|patch|delete)$/i.test(word);
}

/** A route behind `#`. */
const ROUTE = /^#!?\//;

/** A route that becomes the fragment may be written without the fragment's sign. */
function addressOf({ value, before, word }: ScriptString): string {
  const text = value.trim();
  return before === '=' && word === 'hash' && /^!?\//.test(text) ? `#${text}` : text;
}

/** Questions about all the code of a handler. */
interface Asks {
  readonly replaces: () => boolean;
  readonly opens: () => boolean;
}

function confidenceOf(literal: ScriptString, { replaces, opens }: Asks): 'high' | 'low' | null {
  const { before, word, after } = literal;
  const text = addressOf(literal);
  const isRoute = ROUTE.test(text);
  // the beginning or a piece of an address
  if (
    (isNoReference(text) && !isRoute) ||
    after.startsWith('+') ||
    before === '+' ||
    /^(?:mailto|tel|sms):/i.test(text)
  )
    return null;
  if (before === '=' && word === 'hash') return isRoute && beginsAsReference(text) ? 'high' : null;
  if (before === '=' && ASSIGNED.has(word)) return isReference(text) ? 'high' : null;
  if (before === '(' && CALLED.test(word) && isReference(text)) {
    if (readsAsReference(text) || word === 'assign' || (word === 'open' && opens())) return 'high';
    return text.includes('/') ? 'low' : null;
  }
  const reads = readsAsReference(text) && !isAssetName(text);
  if (reads && before === '(' && navigates(word, replaces)) return actsByName(text) ? 'low' : 'high';
  return reads && text.length > 2 ? 'low' : null;
}

function navigates(word: string, replaces: () => boolean): boolean {
  return SHARED.test(word) && (word !== 'replace' || replaces());
}

/** Is `replace` called on an object that navigates? Each word is looked at once, from its beginning. */
function replacesLocation(code: string): boolean {
  for (const [, object = ''] of code.matchAll(/(?<!\w)(\w+)\s*\??\.\s*replace/gi))
    if (/location|router|history|navigate/i.test(object)) return true;
  return false;
}

function lazily(ask: () => boolean): () => boolean {
  let known: boolean | null = null;
  return () => (known ??= ask());
}

function isReference(text: string): boolean {
  return readsAsReference(text) || /^[\w-]+(?:\/[\w.-]+)*\/?(?:[?#]\S*)?$/.test(text);
}
