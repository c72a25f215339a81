/** Origins on loopback that record which requests carry a secret header: other hosts, ports and schemes of one machine. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpOrigin } from './origin.ts';
import { secureOrigin } from './secure-origin.ts';

/** The crawl's headers; an origin has received a secret if a request carries its value. */
export const SECRETS: Readonly<Record<string, string>> = {
  Authorization: 'Bearer qzw8-authorization',
  Cookie: 'session=qzw8-cookie',
  'X-Vault-Token': 'qzw8-vault',
};

export interface Received {
  /** `http://sub.named.localhost:1234` */
  readonly origin: string;
  /** `named`, `sibling`, `port` …: the role of that origin. */
  readonly role: string;
  readonly path: string;
  /** Names of the secrets that the request carried. */
  readonly secrets: readonly string[];
}

export interface Receivers extends AsyncDisposable {
  readonly requests: readonly Received[];
  /** Origins by their roles. */
  readonly origins: Readonly<Record<string, string>>;
  /** Roles of the origins that got a request for a path, with the secrets or without. */
  rolesThatHeard(path: string): readonly string[];
}

export type Answering = (role: string, request: IncomingMessage, response: ServerResponse) => void;

export const ROLES = ['named', 'sibling', 'port', 'other', 'scheme'] as const;

/** @param scheme of the named origin; the role `scheme` is the same host with the other scheme */
export async function openReceivers(scheme: 'http' | 'https', answer: Answering): Promise<Receivers> {
  const requests: Received[] = [];
  const roles = new Map<string, string>();
  const note = (secure: boolean, request: IncomingMessage): string => {
    const origin = `${secure ? 'https' : 'http'}://${request.headers.host ?? ''}`;
    const role = roles.get(origin) ?? origin;
    const told = request.rawHeaders.join('\n');
    const secrets = Object.entries(SECRETS).flatMap(([name, value]) => (told.includes(value) ? [name] : []));
    requests.push({ origin, role, path: request.url ?? '', secrets });
    return role;
  };
  const first = await httpOrigin((request, response) => answer(note(false, request), request, response));
  const second = await httpOrigin((request, response) => answer(note(false, request), request, response));
  const tls = await secureOrigin((request, response) => answer(note(true, request), request, response));
  const tlsToo = await secureOrigin((request, response) => answer(note(true, request), request, response));
  for (const [server, secure] of [
    [first.server, false],
    [second.server, false],
    [tls.server, true],
    [tlsToo.server, true],
  ] as const) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      note(secure, request);
      socket.destroy();
    });
  }
  const [near, far] = scheme === 'http' ? [first.port, second.port] : [tls.port, tlsToo.port];
  const origins: Record<string, string> = {
    named: `${scheme}://named.localhost:${near}`,
    sibling: `${scheme}://sub.named.localhost:${near}`,
    port: `${scheme}://named.localhost:${far}`,
    other: `${scheme}://other.localhost:${near}`,
    scheme: scheme === 'http' ? `https://named.localhost:${tls.port}` : `http://named.localhost:${first.port}`,
  };
  for (const [role, origin] of Object.entries(origins)) roles.set(origin, role);
  return {
    requests,
    origins,
    rolesThatHeard: (path) => [
      ...new Set(requests.filter((each) => each.path === path && each.secrets.length > 0).map((each) => each.role)),
    ],
    [Symbol.asyncDispose]: async () => {
      for (const each of [first, second, tls, tlsToo]) await each[Symbol.asyncDispose]();
    },
  };
}
