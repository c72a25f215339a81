/** Request and answer heads in the form of WARC records, from exchanges of the egress gate. */
import { isSecretName } from '../base/redaction.ts';
import type { WireAnswer, WireHeaders, WireRequest } from '../model/exchange.ts';

/** Replaces values of the user's headers, because archives are passed on. */
const REDACTED_HEADER = '(redacted)';

/** Headers that only a user of the crawler sends. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

/** @param secret names of the user's headers, lower case, and `cookie` where the crawl is signed in: its tokens are secret then, too */
export function requestHead({ url, method, headers }: WireRequest, secret: ReadonlySet<string>): Buffer {
  const { pathname, search } = new URL(url);
  const isSignedIn = secret.has('cookie');
  const lines = headers.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    const isHidden = secret.has(lower) || ALWAYS_SECRET.has(lower) || (isSignedIn && isOfSession(lower));
    return [name, isHidden ? REDACTED_HEADER : value];
  });
  return head(`${method} ${pathname}${search} HTTP/1.1`, lines);
}

/** Names of headers that end so hold a session; as names of parameters such words say less. */
const SESSION_ENDING = /(?:auth|session)$/;

/** Scripts of a site send a session in headers of their own: `x-auth-token`, `x-xsrf-token`, `x-session-id`. */
function isOfSession(lower: string): boolean {
  return SESSION_ENDING.test(lower) || isSecretName(lower.replace(/^x-/, ''));
}

/** The header that starts a session. */
const SESSION = 'set-cookie';

/**
 * The head of an answer. The body has no transfer coding any more, so the head must not claim one: a reader of `Transfer-Encoding: chunked`
 * would look for chunks. The replacement name is the one that replay tools know.
 * @param secret header names, lower case; of the answer's headers only `set-cookie` can be secret
 */
export function responseHead(
  { httpVersion, status, statusText, headers }: WireAnswer,
  secret: ReadonlySet<string>,
): Buffer {
  const lines = headers.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    if (lower === SESSION && secret.has(lower)) return [name, REDACTED_HEADER];
    return lower === 'transfer-encoding' ? [`x-orig-${lower}`, value] : [name, value];
  });
  return head(`HTTP/${httpVersion} ${status} ${statusText}`, lines);
}

/** Builds a head. Header text was read as Latin-1, and is written back to the same bytes. */
function head(start: string, headers: WireHeaders): Buffer {
  const lines = headers.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\r\n`);
  return Buffer.from(`${oneLine(start)}\r\n${lines.join('')}\r\n`, 'latin1');
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

/** The first value of a header, or null. @param name lower case */
export function headerValue(headers: WireHeaders, name: string): string | null {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? null;
}

/** The media type alone, in its own spelling; null where there is none. */
export function mediaType(headers: WireHeaders): string | null {
  const type = headerValue(headers, 'content-type');
  const media = type?.split(';', 1)[0]?.trim() ?? '';
  return media === '' ? null : media;
}
