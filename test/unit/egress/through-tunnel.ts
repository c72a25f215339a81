/** HTTPS through the proxy, as a browser does it: CONNECT, TLS with the name, and requests within. */
import { once } from 'node:events';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { connect as startTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Egress } from '../../../src/egress/egress.ts';
import { rawToProxy, type Reply } from './through-proxy.ts';

/** A TLS connection with the server behind a CONNECT. @throws the error of its handshake */
export async function throughTunnel(
  egress: Egress,
  target: string,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const { hostname, port } = new URL(target);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const { socket, head } = await rawToProxy(egress, `CONNECT ${hostname}:${port || 443} HTTP/1.1\r\n\r\n`);
  if (!head.startsWith('HTTP/1.1 200 ')) {
    socket.destroy();
    throw new Error(head.split('\r\n', 1)[0]);
  }
  const tls = startTls({
    socket,
    host: name,
    servername: /[a-z]/i.test(name) && !name.includes(':') ? name : '',
    ...(egress.authority === null ? {} : { ca: [egress.authority.certificate] }),
    ...options,
  });
  try {
    await once(tls, 'secureConnect');
  } catch (error) {
    socket.destroy();
    throw error;
  }
  tls.on('error', () => {});
  return tls;
}

/** Sends one request on this connection. */
export async function ask(
  tls: TLSSocket,
  path: string,
  { body, ...options }: Pick<RequestOptions, 'method' | 'headers'> & { readonly body?: string | Buffer } = {},
): Promise<Reply> {
  return await new Promise((resolve, reject) => {
    const asked = httpRequest({ createConnection: () => tls, path, headers: { host: 'x' }, ...options });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      const done = (complete: boolean): void => {
        const { statusCode: status = 0, headers, rawHeaders: raw } = response;
        resolve({ status, headers, raw, body: Buffer.concat(chunks), complete });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    asked.end(body);
  });
}

/** A request on a connection of its own. */
export async function viaTunnel(
  egress: Egress,
  target: string,
  options: Parameters<typeof ask>[2] = {},
): Promise<Reply> {
  const tls = await throughTunnel(egress, target);
  try {
    const { pathname, search } = new URL(target);
    return await ask(tls, `${pathname}${search}`, options);
  } finally {
    tls.destroy();
  }
}
