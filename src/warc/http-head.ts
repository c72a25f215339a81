/** Request and answer heads as blocks of WARC records hold them, from exchanges of the egress gate. */
import type { WireAnswer, WireHeaders, WireRequest } from '../model/exchange.ts';

/** Replaces values that a user gave to be sent: an archive is passed on. */
const REDACTED_HEADER = '(redacted)';

/** Only a user of the crawler sends these. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

/** @param secret names, lower case, of the headers that the user gave */
export function requestHead({ url, method, headers }: WireRequest, secret: ReadonlySet<string>): Buffer {
  const { pathname, search } = new URL(url);
  const lines = headers.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    return secret.has(lower) || ALWAYS_SECRET.has(lower) ? [name, REDACTED_HEADER] : [name, value];
  });
  return head(`${method} ${pathname}${search} HTTP/1.1`, lines);
}

/** The header by which a site gives a session. */
const SESSION = 'set-cookie';

/**
 * The body is freed of its transfer coding, and so must be its head: a reader that believed `Transfer-Encoding: chunked`
 * would look for chunks. The name under which it is kept is the one that replay tools know.
 * @param secret names, lower case; of the answer's headers `set-cookie` alone can be one
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

/** Header text was read as Latin-1, and becomes its bytes again. */
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

/** The media type alone, lower case as it stands; null where there is none. */
export function mediaType(headers: WireHeaders): string | null {
  const type = headerValue(headers, 'content-type');
  const media = type?.split(';', 1)[0]?.trim() ?? '';
  return media === '' ? null : media;
}
