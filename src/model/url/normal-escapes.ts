/** The normal form of percent-encoding in a URL. */
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * RFC 3986 section 6.2.2: unreserved characters decoded, hexadecimal digits in upper case. Characters that the URL Standard leaves
 * raw but the RFC forbids are escaped; above all a lone `%`, else `%%34%31` would be `%41` at first and `A` next time.
 */
export function normalEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|[%"<>[\\\]^`{|}]/g, (found) => {
    if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}
