/** The purpose of a text in a script, by its assignment or its call: the script goes to it, requests it, or sends something to it. */
import type { ScriptText } from './found-texts.ts';

/**
 * - `goes`: the browser itself is sent there.
 * - `leads`: a router or a function of that name may go there, or it is requested.
 * - `sends`: something is sent there, and may change something; or something else than a page is opened there.
 */
type Purpose = 'goes' | 'leads' | 'sends';

/** Functions that go to their argument, or fetch it. */
const LEADING =
  /^(?:open|openwindow|openpage|openurl|openlink|push|replace|assign|navigate|navigatebyurl|navigateto|goto|gotopage|gotourl|go|visit|redirect|redirectto|redirecturl|loadpage|loadurl|linkto|jumpto|fetch|get|getjson|load|ajax|axios|request|prefetch|preload|pushstate|replacestate|href)$/i;
const SENDING = /^(?:post|put|patch|delete|del|sendbeacon|sendform|submitto)$/i;
/** These open something else than a page. */
const OPENING = /^(?:EventSource|WebSocket|Worker|SharedWorker|Audio|Image|FontFace)$/;
/** Keys of an address in a record that such a function is given. */
const LEADING_KEY = /^(?:path|pathname|to|url|href|uri)$/;
const VERB = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i;
/** Options after an address that show that something is sent to it. */
const SENT = /^,?\s*\{?(?:[^{}]|\{[^{}]{0,80}\}){0,120}?\b(?:method|type)["']?\s*:\s*["'`](?:post|put|patch|delete)\b/i;
const LOCATION = /^(?:(?:window|self|top|parent|document|globalThis)\.)*location(?:\.href)?$/;
const GOING =
  /^(?:(?:(?:window|self|top|parent|document|globalThis)\.)*location\.(?:assign|replace)|(?:window|self|top|parent)\.open)$/;

/** Null for a text without a known use. */
export function purposeOf({
  target,
  how,
  argument,
  first,
  key,
  word,
  before,
  after,
}: Omit<ScriptText, 'value' | 'isJoined' | 'nested'>): Purpose | null {
  if (how === 'assigned')
    return LOCATION.test(target) ? 'goes' : word === 'href' || word === 'location' ? 'leads' : null;
  if (before === '=' && (word === 'href' || word === 'location')) return 'leads';
  if (how !== 'given') return null;
  const name = target.slice(target.lastIndexOf('.') + 1);
  if (SENDING.test(name) || OPENING.test(name)) return 'sends';
  if (!LEADING.test(name) || (key !== '' && !LEADING_KEY.test(key))) return null;
  if (SENT.test(after)) return 'sends';
  if (argument > 0) return laterArgument(name, argument, first);
  return key === '' && GOING.test(target) ? 'goes' : 'leads';
}

/** `xhr.open('GET', url)`, `history.pushState(state, '', url)`. */
function laterArgument(name: string, argument: number, first: string): Purpose | null {
  if (argument === 1 && VERB.test(first)) return /^(?:GET|HEAD)$/i.test(first) ? 'leads' : 'sends';
  return argument === 2 && /^(?:push|replace)State$/i.test(name) ? 'leads' : null;
}

/** @param callee with the names before it */
export function isLeading(callee: string): boolean {
  return LEADING.test(callee.slice(callee.lastIndexOf('.') + 1));
}
