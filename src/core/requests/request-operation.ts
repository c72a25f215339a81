/**
 * Identifies a page's request. Two questions have different answers: "is this the same request again?" (a poll asks the very same
 * thing) and "what does this address do?" (one address serves all operations of a GraphQL or JSON-RPC interface). Time stamps and
 * cache-busting numbers are no part of either.
 */
import { fnv1a, mixed } from '../../base/hash.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { parsedJson } from '../../base/safe-json.ts';
import { urlShape } from '../../model/url/url-shape.ts';

interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** The body as text; null where there is none, or where it is too long to be known. */
  readonly body: string | null;
  /** Is there a body at all? */
  readonly hasBody: boolean;
}

export interface RequestOperation {
  /** Equal for requests that ask the very same thing again; null where that cannot be known. */
  readonly again: string | null;
  /** Equal for requests that do the same to different things: `GET https://host/api/item?id=*`. */
  readonly operation: string;
}

/** Characters of a body that are read for its operation. */
const BODY_READ = 16_384;
/** Parts of a query or body, and calls of a batch, that count. */
const PARTS = 12;
/** Characters of a key. */
const KEY_LENGTH = 400;

/** Names of parameters that bypass a cache, or hold the time of the request. */
const CACHE_BUSTERS =
  /^(?:_|__|_t|_ts|t|ts|time|timestamp|now|rnd|rand|random|nocache|no_cache|cb|cachebust(?:er)?|bust)$/i;
/** Seconds or milliseconds since 1970 (2017 to 2033), or a random fraction. */
const MOMENT = /^(?:1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?|0?\.\d{5,})$/;
/** A value that chooses among a few: `action=list`, `view=week`. */
const WORD = /^[A-Za-z][A-Za-z_.:/-]{0,39}$/;
/** A query language in place of a name. */
const WRITTEN_QUERY = /^\s*(?:query|mutation|subscription|fragment|\{)/;

/** @returns keys that stay the same from page to page; linear in the length of address and body, and bounded. */
export function requestOperation({ method, url, body, hasBody }: SentRequest): RequestOperation {
  const parsed = parsedUrl(url);
  const place = parsed === null ? (url.split(/[?#]/, 1)[0] ?? '') : urlShape(withoutQuery(parsed), 'route');
  const pairs = parsed === null ? [] : [...parsed.searchParams].filter(([name, value]) => !isCacheBuster(name, value));
  const sent = hasBody ? bodyOperation(body) : '';
  const where = parsed === null ? url : withoutQuery(parsed);
  const isKnown = !hasBody || body !== null;
  const again = [method, where, hashOf(pairs.map((pair) => pair.join('=')).join('&')), hashOf(body ?? '')].join(' ');
  const operation = `${method} ${place}?${pairs.slice(0, PARTS).map(partOf).join('&')} ${sent}`;
  return { again: isKnown ? again.slice(0, KEY_LENGTH) : null, operation: operation.trimEnd().slice(0, KEY_LENGTH) };
}

function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function isCacheBuster(name: string, value: string): boolean {
  return MOMENT.test(value === '' ? name : value) || (CACHE_BUSTERS.test(name) && /^[\w.-]*$/.test(value));
}

/** A parameter, with its value where that distinguishes operations. */
function partOf([name, value]: readonly [string, string]): string {
  if (name === 'extensions') return `${name}=${persistedHash(parsedJson(value)) ?? '*'}`;
  if (WRITTEN_QUERY.test(value)) return `${name}=${hashOf(value)}`;
  return `${name}=${WORD.test(value) ? value : '*'}`;
}

function bodyOperation(body: string | null): string {
  if (body === null || body.length > BODY_READ) return '(body)';
  const json = parsedJson(body);
  if (Array.isArray(json)) return `[${json.slice(0, PARTS).map(callOf).join(',')}]`;
  if (isObject(json)) return callOf(json);
  if (!/^[\w.%+*~-]{1,100}=/.test(body)) return '(body)';
  const pairs = [...new URLSearchParams(body)].filter(([name, value]) => !isCacheBuster(name, value));
  return `(${pairs.slice(0, PARTS).map(partOf).join('&')})`;
}

/** The operation of a GraphQL or JSON-RPC call; for other objects their names, and values that are words. */
function callOf(call: unknown): string {
  if (!isObject(call)) return '*';
  const { operationName, query, extensions, method, jsonrpc } = call;
  if (typeof operationName === 'string' && operationName !== '') return `{${operationName}}`;
  const persisted = persistedHash(extensions);
  if (persisted !== null) return `{${persisted}}`;
  if (typeof query === 'string' && WRITTEN_QUERY.test(query)) return `{${hashOf(query)}}`;
  if (typeof method === 'string' && (jsonrpc !== undefined || 'params' in call)) return `{${method}}`;
  const parts = Object.entries(call).slice(0, PARTS);
  return `{${parts.map(([name, value]) => partOf([name, typeof value === 'string' ? value : '*'])).join(',')}}`;
}

/** Hash of a persisted GraphQL query; its text stays on the server. */
function persistedHash(extensions: unknown): string | null {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : null;
  const hash = isObject(persisted) ? persisted['sha256Hash'] : null;
  return typeof hash === 'string' ? hash.slice(0, 64) : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** 32 bits in base 36: a collision makes one page wait a little less, and nothing else. */
function hashOf(text: string): string {
  return mixed(fnv1a(text)).toString(36);
}
