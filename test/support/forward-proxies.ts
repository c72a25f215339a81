/** User proxies on loopback: HTTP with CONNECT, with or without TLS, and SOCKS5 (RFC 1928, RFC 1929). */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer as createTcpServer, isIP, type Server as TcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { UpstreamScheme } from '../../src/model/upstream-proxy.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../unit/egress/secure-localhost.ts';
import { started, type Origin } from './origin.ts';

export interface UserProxy extends Origin {
  /** `scheme://host:port`, without a credential. */
  readonly url: string;
  /** Requests of clients, in order: `host:port` as written, or `GET /path` if the client took it for a server. */
  readonly asked: readonly string[];
  /** Values of Proxy-Authorization, or `user:password` of SOCKS, in order. */
  readonly shown: readonly string[];
  /** From now on it answers that no host is reachable. */
  giveUp(): void;
  /** Local ports of its outgoing connections, by which a server recognizes it. */
  readonly ports: ReadonlySet<number>;
  /** PEM; null without TLS. */
  readonly certificate: string | null;
}

export interface UserProxyOptions {
  /** Required `user:password`; default: none. */
  readonly credential?: string;
}

/** A proxy of a scheme. */
export async function userProxy(
  scheme: UpstreamScheme,
  { credential = '' }: UserProxyOptions = {},
): Promise<UserProxy> {
  const asked: string[] = [];
  const shown: string[] = [];
  const ports = new Set<number>();
  const book: Book = { asked, shown, ports, credential, hasGivenUp: false };
  const giveUp = (): void => void (book.hasGivenUp = true);
  const server = { http: httpServer, https: (all: Book) => behindTls(httpServer(all)), socks5: socksServer }[scheme];
  const origin = await started(server(book));
  const host = scheme === 'https' ? 'secure.localhost' : '127.0.0.1';
  const certificate = scheme === 'https' ? CERTIFICATE : null;
  return { ...origin, url: `${scheme}://${host}:${origin.port}`, asked, shown, ports, certificate, giveUp };
}

interface Book {
  readonly asked: string[];
  readonly shown: string[];
  readonly ports: Set<number>;
  readonly credential: string;
  hasGivenUp: boolean;
}

function httpServer(book: Book): HttpServer {
  const { asked, shown, credential } = book;
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(405, { 'access-control-allow-origin': '*' }).end();
  });
  const wanted = `Basic ${Buffer.from(credential).toString('base64')}`;
  server.on('connect', (request, client, head) => {
    asked.push(request.url ?? '');
    client.on('error', () => client.destroy());
    const given = request.headers['proxy-authorization'];
    if (given !== undefined) shown.push(given);
    if (credential !== '' && given !== wanted) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`tcp://${request.url ?? ''}`);
    join(client as Socket, { host: hostname.replace(/[[\]]/g, ''), port: Number(port) }, book, {
      open: (onward) => {
        client.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 test\r\n\r\n');
        onward.write(head);
      },
      failed: () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
    });
  });
  return server;
}

function behindTls(inner: HttpServer): TcpServer {
  const outer = createTlsServer({ key: PRIVATE_KEY, cert: CERTIFICATE });
  outer.on('secureConnection', (socket) => inner.emit('connection', socket));
  outer.on('tlsClientError', (_error, socket) => socket.destroy());
  return outer;
}

function socksServer(book: Book): TcpServer {
  const { asked, shown, credential } = book;
  return createTcpServer((client) => {
    client.on('error', () => client.destroy());
    void serveSocks(client).catch(() => client.destroy());
  });
  async function serveSocks(client: Socket): Promise<void> {
    const read = reading(client);
    const [, count = 0] = await read(2);
    const methods = await read(count);
    const method = credential === '' ? 0 : 2;
    if (!methods.includes(method)) return void client.end(Buffer.from([5, 0xff]));
    client.write(Buffer.from([5, method]));
    if (method === 2) {
      const [, userLength = 0] = await read(2);
      const user = await read(userLength);
      const password = await read((await read(1))[0] ?? 0);
      shown.push(`${user.toString()}:${password.toString()}`);
      if (shown.at(-1) !== credential) return void client.end(Buffer.from([1, 1]));
      client.write(Buffer.from([1, 0]));
    }
    const [, , , type] = await read(4);
    const host = type === 1 ? (await read(4)).join('.') : type === 4 ? ipv6(await read(16)) : 'a name';
    const port = (await read(2)).readUInt16BE();
    asked.push(isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`);
    const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    join(client, { host, port }, book, {
      open: () => client.write(reply(0)),
      failed: () => client.end(reply(5)),
    });
  }
}

function join(
  client: Socket,
  to: { readonly host: string; readonly port: number },
  book: Book,
  done: { readonly open: (onward: Socket) => void; readonly failed: () => void },
): void {
  if (book.hasGivenUp) return done.failed();
  const onward = connect(to);
  onward.once('connect', () => {
    book.ports.add(onward.localPort ?? 0);
    done.open(onward);
    client.pipe(onward).pipe(client);
  });
  onward.once('error', done.failed);
  onward.on('error', () => onward.destroy());
  onward.once('close', () => client.end());
  client.once('close', () => onward.destroy());
}

/** Reads that many bytes, and leaves the rest. */
function reading(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const chunk: unknown = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (Buffer.isBuffer(chunk)) return chunk;
      if (socket.destroyed || socket.readableEnded) throw new Error('gone');
      await new Promise<void>((resolve) => {
        for (const event of ['readable', 'end', 'close']) socket.once(event, () => resolve());
      });
    }
  };
}

function ipv6(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}
