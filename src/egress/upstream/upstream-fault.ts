/** The reason why a proxy of the user did not connect to an address, in words that hold no secret. */
import { isIPv6 } from 'node:net';
import type { SocketTarget } from '../gate/open-socket.ts';

export interface UpstreamFault {
  readonly kind:
    /** The proxy has no address, or nothing listens there. */
    | 'unreachable'
    /** No answer in time: it hangs, or waits for the address that it was asked for. */
    | 'silent'
    /** Its certificate is not accepted, or it does not speak TLS. */
    | 'tls'
    /** It wants a user and a password, or others. */
    | 'credential'
    /** It does not connect to this address: its rules forbid that, or connecting to addresses at all. */
    | 'refused'
    /** It tried, and the address did not answer. */
    | 'target'
    /** It does not answer like such a proxy, or ends the connection. */
    | 'bad-answer';
  /** The proxy's behaviour, as the rest of a sentence that begins with its name. Never its own words, which may repeat the credential. */
  readonly detail: string;
}

/** `192.0.2.1:80`, `[2001:db8::1]:80` */
export function targetText({ address, port }: SocketTarget): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
