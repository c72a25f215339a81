/** The value of `egressAddress`: an address of this machine, in one spelling. */
import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { single, type ValueType } from './value-type.ts';

const ACCEPTS = 'an IPv4 or IPv6 address of this machine, as in 192.0.2.7 or 2001:db8::7';

export const ipAddress: ValueType<string> = single(
  z
    .string()
    .refine((text) => spelled(text) !== null, { error: `must be ${ACCEPTS}` })
    .transform((text) => spelled(text) ?? text),
  ACCEPTS,
  'a text',
  spelled,
);

/** The usual spelling of an address; null where no connection can go out from it. */
function spelled(text: string): string | null {
  if (isIPv4(text)) return text === '0.0.0.0' ? null : text;
  if (!isIPv6(text) || text.includes('%')) return null;
  const [, address = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${text}]`).hostname) ?? [];
  return address === '::' ? null : address;
}
