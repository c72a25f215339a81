/** Writes ASN.1 by its distinguished encoding (X.690), as much of it as a certificate needs. Pure. */
type Bytes = Uint8Array;

const UTF8 = new TextEncoder();

/** A value under a tag: `0x30` is a sequence, `0x82` the second choice of those that a type lists. */
export function tagged(tag: number, ...contents: readonly Bytes[]): Bytes {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return joined([Uint8Array.from([tag, ...lengthOctets(length)]), ...contents]);
}

export function sequence(...parts: readonly Bytes[]): Bytes {
  return tagged(0x30, ...parts);
}

export function set(...parts: readonly Bytes[]): Bytes {
  return tagged(0x31, ...parts);
}

/** @param magnitude an unsigned number, highest byte first, without leading zeros */
export function integer(magnitude: Bytes): Bytes {
  return tagged(0x02, Uint8Array.from((magnitude[0] ?? 0) >= 0x80 ? [0, ...magnitude] : magnitude));
}

export function boolean(value: boolean): Bytes {
  return tagged(0x01, Uint8Array.from([value ? 0xff : 0]));
}

/** @param unused how many bits of the last byte do not count */
export function bitString(value: Bytes, unused = 0): Bytes {
  return tagged(0x03, Uint8Array.from([unused]), value);
}

export function octetString(value: Bytes): Bytes {
  return tagged(0x04, value);
}

export function utf8String(text: string): Bytes {
  return tagged(0x0c, UTF8.encode(text));
}

/** @param dotted `2.5.29.17` */
export function objectIdentifier(dotted: string): Bytes {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A time to the second; its year has two digits until 2049, as RFC 5280 section 4.1.2.5 wants it. */
export function time(at: Date): Bytes {
  const digits = at.toISOString().replace(/\.\d+|[-:T]/g, '');
  return at.getUTCFullYear() < 2050 ? tagged(0x17, UTF8.encode(digits.slice(2))) : tagged(0x18, UTF8.encode(digits));
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets = base256(length);
  return [0x80 | octets.length, ...octets];
}

function base256(value: number): number[] {
  return value < 256 ? [value] : [...base256(Math.floor(value / 256)), value % 256];
}

function base128(value: number): number[] {
  const octets = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) octets.unshift(0x80 | (rest % 128));
  return octets;
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
