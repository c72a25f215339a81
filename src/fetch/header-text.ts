/** Text of header values. Undici gives each byte as a character; servers send UTF-8 beyond ASCII, and browsers read it. */
import { escapedOctets } from '../egress/proxy/forwarded-headers.ts';

const BEYOND_ASCII = /[\x80-\xff]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A value as browsers read it: UTF-8, or one byte a character where it is none. In a Location each byte beyond ASCII is percent-encoded.
 * @param name in lower case
 */
export function headerText(name: string, value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  if (name === 'location') return escapedOctets(value);
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
