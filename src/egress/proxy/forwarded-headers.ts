/** Headers as node:http gives them: name, value, name, value. */
export type RawHeaders = readonly string[];

/** Headers that concern one connection only: not passed on (RFC 9110 section 7.6.1), nor are those that Connection names. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The proxy's own headers (egress.ts): a server must not forge them.
  'x-orbweaver-refused',
  'x-orbweaver-error',
  'x-orbweaver-detail',
]);

/** The headers that a proxy passes on, in their order and spelling. */
export function endToEndHeaders(raw: RawHeaders): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower)) kept.push(name, raw[index + 1] ?? '');
  }
  return kept;
}

/**
 * The same for an answer. Octets beyond ASCII in a Location are escaped, as the browser itself does before it follows: its protocol drops those
 * that are not UTF-8, so that we would read another address than it.
 */
export function answerHeaders(raw: RawHeaders): string[] {
  const kept = endToEndHeaders(raw);
  return kept.map((text, index) => {
    const isLocation = index % 2 === 1 && kept[index - 1]?.toLowerCase() === 'location';
    return isLocation ? escapedOctets(text) : text;
  });
}

const BEYOND_ASCII = /[\x80-\xff]/g;

/** A header's value with its octets beyond ASCII percent-encoded, whatever their encoding (Chromium: HttpResponseHeaders::IsRedirect). */
export function escapedOctets(value: string): string {
  return value.replaceAll(BEYOND_ASCII, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The same for a request: Host is that of the target, and a body keeps its framing. */
export function requestHeaders(raw: RawHeaders, authority: string, hasBodyByDefault: boolean): string[] {
  const kept = endToEndHeaders(raw);
  const headers = ['Host', authority];
  let length = false;
  for (let index = 0; index < kept.length; index += 2) {
    const name = kept[index] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'host') continue;
    if (lower === 'content-length') length = true;
    headers.push(name, kept[index + 1] ?? '');
  }
  if (valueOf(raw, 'transfer-encoding') !== null) headers.push('Transfer-Encoding', 'chunked');
  else if (hasBodyByDefault && !length) headers.push('Content-Length', '0');
  return headers;
}

/**
 * Content codings that cannot be undone when an archive is read: Node.js 20 has no zstd, and the dictionary of `dcb` and `dcz`
 * (RFC 9842) need not be in the archive.
 */
const NOT_ARCHIVED: ReadonlySet<string> = new Set(['zstd', 'dcb', 'dcz']);

/** The headers of a request, which asks for no coding that cannot be read from an archive. */
export function archivableHeaders(headers: RawHeaders): string[] {
  return headers.map((text, index) => {
    const isAsking = index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'accept-encoding';
    return isAsking ? archivableCodings(text) : text;
  });
}

function archivableCodings(text: string): string {
  const codings = text.split(',').map((coding) => coding.trim());
  const kept = codings.filter((coding) => !NOT_ARCHIVED.has((coding.split(';', 1)[0] ?? '').trim().toLowerCase()));
  return kept.length === 0 ? 'identity' : kept.join(', ');
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  const value = valueOf(raw, 'connection');
  if (value === null) return NONE;
  const lower = value.toLowerCase();
  return lower === 'keep-alive' || lower === 'close' ? NONE : new Set(lower.split(',').map((name) => name.trim()));
}

function valueOf(raw: RawHeaders, lowerName: string): string | null {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() === lowerName) return raw[index + 1] ?? null;
  }
  return null;
}

const NONE: ReadonlySet<string> = new Set();
