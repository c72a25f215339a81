/**
 * Reads the value of a header, which comes as octets with one character for each. Octets beyond ASCII are mostly UTF-8, and browsers read
 * them so; in a Location they escape those of any encoding as they are.
 * @param name in lower case
 */
export function headerText(name: string, octets: string): string {
  if (!/[\x80-\xff]/.test(octets)) return octets;
  if (name === 'location')
    return octets.replaceAll(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(octets, 'latin1'));
  } catch {
    return octets;
  }
}
