/** Asks an HTTP proxy for a tunnel to an address: CONNECT (RFC 9110 section 9.3.6). */
import type { Socket } from 'node:net';
import { kibibytes } from '../../base/units.ts';
import type { UpstreamCredential } from '../../model/upstream-proxy.ts';
import type { SocketTarget } from '../gate/open-socket.ts';
import { basic } from '../proxy/proxy-door.ts';
import { targetText, type UpstreamFault } from './upstream-fault.ts';
import { WireReader } from './wire-reader.ts';

/** Node's own limit for the head of an answer. */
const HEAD_LIMIT = kibibytes(16);
/** Interim answers (100 and the like) before the final one; arbitrary. */
const INTERIM_LIMIT = 5;

/** Null where the tunnel is open. @throws {WireEnded}, {WireGarbage} */
export async function askForTunnel(
  socket: Socket,
  target: SocketTarget,
  credential: UpstreamCredential | null,
): Promise<UpstreamFault | null> {
  const authority = targetText(target);
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (credential !== null) lines.push(`Proxy-Authorization: ${basic(credential)}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const reader = new WireReader(socket);
  for (let answers = 0; answers <= INTERIM_LIMIT; answers += 1) {
    const status = statusOf(await reader.head(HEAD_LIMIT));
    if (status === null) break;
    if (status < 200) continue;
    if (status >= 300) return faultOf(status, { authority, hasCredential: credential !== null });
    reader.release();
    return null;
  }
  return { kind: 'bad-answer', detail: 'does not answer as an HTTP proxy does' };
}

function statusOf(head: string): number | null {
  const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |\r)/.exec(head) ?? [];
  return status === undefined ? null : Number(status);
}

function faultOf(
  status: number,
  { authority, hasCredential }: { readonly authority: string; readonly hasCredential: boolean },
): UpstreamFault {
  if (status === 407) {
    const what = hasCredential ? 'does not accept the user and password' : 'asks for a user and a password';
    return { kind: 'credential', detail: `${what} (status 407)` };
  }
  if (status >= 500) return { kind: 'target', detail: `did not connect to ${authority} (status ${status})` };
  return { kind: 'refused', detail: `refuses to connect to the address ${authority} (status ${status})` };
}
