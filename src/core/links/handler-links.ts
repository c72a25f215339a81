/** Where the code of an event handler or of a `javascript:` URL leads: its string literals. */
import type { RawLink } from '../../model/page-facts.ts';
import { rawLink } from './raw-link.ts';
import { actsByName, beginsAsReference, isNoReference, readsAsReference } from './reference-text.ts';
import { scriptStrings, type ScriptString } from './script-strings.ts';
import { isAssetName, looksLikeRoute } from './url-text.ts';

const CODE_LENGTH = 20_000;
const LINKS = 20;

/** What leads to an address that is assigned to it, or given to it. */
const ASSIGNED: ReadonlySet<string> = new Set(['location', 'href']);
const CALLED =
  /^(?:assign|open|openwindow|openpage|openurl|openlink|navigate|navigateto|goto|gotopage|gotourl|go|visit|redirect|redirectto|loadpage|loadurl|linkto|locate|jump|jumpto)$/i;
/** Functions of other things, too. */
const SHARED = /^(?:replace|push|load|get|show)$/i;

/** The names of attributes that hold code: handlers of HTML, and those of Vue, Alpine and AngularJS. */
export function isHandlerName(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first === 111) return name.charCodeAt(1) === 110 && name.length > 3; // on…
  if (first === 64) return true; // @click
  return name.startsWith('v-on:') || name.startsWith('x-on:') || name === 'ng-click' || name === 'data-ng-click';
}

/** Strings of code: high where they are given to what navigates, low where they only read like addresses. */
export function handlerLinks(code: string, context: string): readonly RawLink[] {
  if (code.length > CODE_LENGTH || !/["'`]/.test(code)) return [];
  const found = new Map<string, RawLink>();
  for (const literal of scriptStrings(code)) {
    const confidence = confidenceOf(literal, code);
    const href = literal.value.trim();
    if (confidence !== null && !found.has(href)) found.set(href, rawLink(href, 'script', context, confidence));
    if (found.size >= LINKS) break;
  }
  return [...found.values()];
}

function confidenceOf({ value, before, word, after }: ScriptString, code: string): 'high' | 'low' | null {
  const text = value.trim();
  // the beginning or a piece of an address
  if (isNoReference(text) || after.startsWith('+') || before === '+' || /^(?:mailto|tel|sms):/i.test(text)) return null;
  if (before === '=' && ASSIGNED.has(word)) return isReference(text) ? 'high' : null;
  if (before === '(' && CALLED.test(word) && isReference(text)) return sure(text);
  const isPush = SHARED.test(word) && (word !== 'replace' || /(?:location|router|history|navigate)\w*\s*\??\.\s*replace/i.test(code));
  if (before === '(' && isPush && readsAsReference(text) && !isAssetName(text)) return sure(text);
  return (beginsAsReference(text) || looksLikeRoute(text)) && text.length > 2 && !isAssetName(text) ? 'low' : null;
}

/** What asks for a route may ask for anything; a name that acts is left to people. */
function sure(text: string): 'high' | 'low' {
  return actsByName(text) ? 'low' : 'high';
}

function isReference(text: string): boolean {
  return readsAsReference(text) || /^[\w-]+(?:\/[\w.-]+)*\/?(?:[?#]\S*)?$/.test(text);
}
