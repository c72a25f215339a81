/** Decides on the requests that may leave the browser while the crawler interacts with a page. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { parsedJson } from '../../base/safe-json.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A GET that reads like this changes something all the same. */
const DESTRUCTIVE_PATH =
  /(?:^|[/?&=._-])(?:log[-_]?out|log[-_]?off|sign[-_]?out|sign[-_]?off|end[-_]?session|delete|destroy|remove|unsubscribe|deactivate|purge|checkout|place[-_]?order|add[-_]?to[-_]?cart)(?=$|[/?&=._-])/i;
const BODY = 200_000;

interface AskedRequest {
  readonly method: string;
  readonly url: string;
  /** Null where it has none, or the browser does not report it. */
  readonly body: string | null;
}

/** Would it change nothing? A GraphQL query in a body only reads. */
export function isSafeRequest({ method, url, body }: AskedRequest): boolean {
  if (SAFE.has(method.toUpperCase())) return !readsDestructive(url);
  return method.toUpperCase() === 'POST' && body !== null && body.length <= BODY && isGraphQuery(body);
}

/** A file of code by its name: a page needs it to go on, and it sends nothing. */
const CODE_FILE = /\.(?:m?js|css)$/i;

/** Is it a request for nothing but a script or a style sheet? */
export function isCodeRequest({ method, url }: AskedRequest): boolean {
  const to = parsedUrl(url);
  return method.toUpperCase() === 'GET' && to !== null && CODE_FILE.test(to.pathname) && !readsDestructive(url);
}

function readsDestructive(url: string): boolean {
  const to = parsedUrl(url);
  const path = to === null ? url : `${to.pathname}${to.search}`;
  // `RemoveDialog-3f2a.js` is named after a part of the program, `deleteItem` and `addToCart` after what they do
  const isCode = to !== null && CODE_FILE.test(to.pathname);
  return DESTRUCTIVE_PATH.test(isCode ? path : path.replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2'));
}

function isGraphQuery(body: string): boolean {
  const asked = parsedJson(body);
  const operations = Array.isArray(asked) ? asked : [asked];
  return operations.length > 0 && operations.every(isQuery);
}

function isQuery(operation: unknown): boolean {
  if (typeof operation !== 'object' || operation === null || !('query' in operation)) return false;
  const { query } = operation;
  if (typeof query !== 'string') return false;
  // strings may hold anything, comments too; an unterminated one is taken as far as it goes, without a second search
  const bare = query.replace(/"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?/g, '""').replace(/#[^\n]*/g, '');
  return /^\s*(?:query\b|fragment\b|\{)/.test(bare) && !/\b(?:mutation|subscription)\b/.test(bare);
}
