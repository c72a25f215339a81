/**
 * Asks a SOCKS5 proxy for a connection to an address (RFC 1928), with a user and a password where it wants them (RFC 1929).
 * Addresses are sent, never names. (Written here: the errors of the package `socks` carry its options, with the password in them.)
 */
import { isIPv4, type Socket } from 'node:net';
import type { UpstreamCredential } from '../../model/upstream-proxy.ts';
import { bytesOfAddress } from '../gate/ip-address.ts';
import type { SocketTarget } from '../gate/open-socket.ts';
import { targetText, type UpstreamFault } from './upstream-fault.ts';
import { WireGarbage, WireReader } from './wire-reader.ts';

const VERSION = 5;
const NO_CREDENTIAL = 0;
const CREDENTIAL = 2;
const CREDENTIAL_VERSION = 1;
const CONNECT = 1;
/** Types of addresses, with the lengths of two of them. */
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;
const ADDRESS_BYTES: Readonly<Record<number, number>> = { [IPV4]: 4, [IPV6]: 16 };

/** RFC 1928 section 6. */
const REPLIES: Readonly<Record<number, readonly [kind: UpstreamFault['kind'], words: string]>> = {
  1: ['target', 'general failure'],
  2: ['refused', 'not allowed by its rules'],
  3: ['target', 'network unreachable'],
  4: ['target', 'host unreachable'],
  5: ['target', 'connection refused'],
  6: ['target', 'TTL expired'],
  7: ['refused', 'command not supported'],
  8: ['refused', 'address type not supported'],
};

/** Null where the connection is open. @throws {WireEnded}, {WireGarbage} */
export async function askForConnection(
  socket: Socket,
  target: SocketTarget,
  credential: UpstreamCredential | null,
): Promise<UpstreamFault | null> {
  const reader = new WireReader(socket);
  const fault = await introduce(socket, reader, credential);
  if (fault !== null) return fault;
  const type = isIPv4(target.address) ? IPV4 : IPV6;
  const port = [target.port >> 8, target.port & 0xff];
  socket.write(Buffer.from([VERSION, CONNECT, 0, type, ...bytesOfAddress(target.address), ...port]));
  const [version, reply = 0, , boundType = 0] = await reader.bytes(4);
  if (version !== VERSION) throw new WireGarbage();
  if (reply !== 0) {
    const [kind, words] = REPLIES[reply] ?? ['bad-answer', `reply ${reply}`];
    const verb = kind === 'refused' ? 'refuses to' : 'did not';
    return { kind, detail: `${verb} connect to the address ${targetText(target)} (${words})` };
  }
  const length = boundType === NAME ? (await reader.bytes(1))[0] : ADDRESS_BYTES[boundType];
  if (length === undefined) throw new WireGarbage();
  await reader.bytes(length + 2);
  reader.release();
  return null;
}

/** Agrees on a way of authentication, and authenticates the client. */
async function introduce(
  socket: Socket,
  reader: WireReader,
  credential: UpstreamCredential | null,
): Promise<UpstreamFault | null> {
  const methods = credential === null ? [NO_CREDENTIAL] : [NO_CREDENTIAL, CREDENTIAL];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method = 0] = await reader.bytes(2);
  if (version !== VERSION) throw new WireGarbage();
  if (method === NO_CREDENTIAL) return null;
  if (method !== CREDENTIAL || credential === null) {
    const what = credential === null ? 'asks for a user and a password' : 'takes no user and password';
    return { kind: 'credential', detail: what };
  }
  const username = Buffer.from(credential.username);
  const password = Buffer.from(credential.password);
  socket.write(
    Buffer.concat([
      Buffer.from([CREDENTIAL_VERSION, username.length]),
      username,
      Buffer.from([password.length]),
      password,
    ]),
  );
  const [, status] = await reader.bytes(2);
  return status === 0 ? null : { kind: 'credential', detail: 'does not accept the user and password' };
}
