/** Text of header values. Undici gives each byte as a character; servers send UTF-8 beyond ASCII, and browsers read it. */
const BEYOND_ASCII = /[\x80-\xff]/;
const ALL_BEYOND_ASCII = /[\x80-\xff]/g;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A value as browsers read it: UTF-8, or one byte a character where it is none. In a Location each byte beyond ASCII is percent-encoded
 * (Chromium: HttpResponseHeaders::IsRedirect), whatever its encoding.
 * @param name in lower case
 */
export function headerText(name: string, value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  if (name === 'location')
    return value.replaceAll(ALL_BEYOND_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
