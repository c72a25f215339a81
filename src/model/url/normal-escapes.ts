/** The normal form of percent-encoding in a URL. */

/**
 * What is written otherwise in the normal form: escapes with hexadecimal digits in lower case, escapes of unreserved characters, a lone `%`,
 * and what must be escaped. Nearly all escapes of real URLs are normal already, so a call for each would be most of the work.
 */
const NOT_NORMAL =
  /%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)|%(?![0-9A-Fa-f]{2})|["<>[\\\]^`{|}]/g;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * RFC 3986 section 6.2.2: unreserved characters decoded, hexadecimal digits in upper case. Characters that the URL Standard leaves
 * raw but the RFC forbids are escaped; above all a lone `%`, else `%%34%31` would be `%41` at first and `A` next time.
 */
export function normalEscapes(text: string): string {
  return text.replaceAll(NOT_NORMAL, (found) => {
    if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}
