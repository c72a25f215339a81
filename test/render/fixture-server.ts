/** A small site on loopback, made by a test for itself; it remembers its requests. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void);

interface Greeting {
  readonly text: string;
  /** Milliseconds after the socket has opened. */
  readonly after: number;
}

export class FixtureServer implements AsyncDisposable {
  readonly #server: ReturnType<typeof createServer>;
  /** `GET /path?query` of every request, in order. */
  readonly asked: string[] = [];
  readonly requests: IncomingMessage[] = [];
  /** Paths of WebSocket requests, in order. */
  readonly upgrades: string[] = [];
  readonly #routes: Record<string, Route>;
  readonly #sockets = new Set<Duplex>();
  /** The message of a WebSocket after it opens, or its messages, by path; a socket without one stays silent. */
  readonly greetings: Record<string, Greeting | readonly Greeting[]> = {};
  /** Delay of a WebSocket's handshake, by path, in milliseconds. */
  readonly handshakes: Record<string, number> = {};

  private constructor(routes: Record<string, Route>) {
    this.#routes = routes;
    this.#server = createServer((request, response) => this.#answer(request, response));
    // a WebSocket that opens, and sends at most its greeting
    this.#server.on('upgrade', (request, socket) => {
      socket.on('error', () => {});
      this.#sockets.add(socket);
      this.upgrades.push(request.url ?? '');
      const waiting = setTimeout(() => this.#upgrade(request, socket), this.handshakes[request.url ?? ''] ?? 0);
      socket.on('close', () => clearTimeout(waiting));
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    for (const greeting of [this.greetings[request.url ?? ''] ?? []].flat()) {
      const text = Buffer.from(greeting.text);
      const timer = setTimeout(
        () => socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text])),
        greeting.after,
      );
      socket.on('close', () => clearTimeout(timer));
    }
  }

  static async open(routes: Record<string, Route>): Promise<FixtureServer> {
    const server = new FixtureServer(routes);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A URL of this server under a host name that resolves to loopback. */
  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  add(routes: Record<string, Route>): void {
    Object.assign(this.#routes, routes);
  }

  /** Requested paths without the favicon. */
  paths(): readonly string[] {
    return this.asked.map((line) => line.replace(/^\w+ /, '')).filter((path) => path !== '/favicon.ico');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.method} ${request.url}`);
    this.requests.push(request);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const route = this.#routes[path];
    if (typeof route === 'function') return route(request, response);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (route === undefined) response.statusCode = 404;
    response.end(route ?? 'not found');
  }
}
