import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';

/** A server on a free port of loopback; it ends with the test and closes its connections. */
export interface Origin extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Connections open now. */
  open(): number;
}

export interface HttpOrigin extends Origin {
  readonly url: string;
  readonly server: Server;
  /** Request lines received so far: `GET /path`. */
  readonly requests: readonly string[];
}

export async function httpOrigin(listener: RequestListener): Promise<HttpOrigin> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  const origin = await started(server);
  return { ...origin, url: `http://127.0.0.1:${origin.port}`, server, requests };
}

/** A server that gets bare sockets: for bytes that no HTTP server would send. */
export async function rawOrigin(accept: (socket: Socket) => void): Promise<Origin> {
  return await started(
    createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      accept(socket);
    }),
  );
}

/** Answers every request with these bytes, after the end of the request's head. */
export async function cannedOrigin(
  answer: string | Buffer,
  then: (socket: Socket) => void = (s) => s.end(),
): Promise<Origin> {
  return await rawOrigin((socket) => {
    socket.once('data', () => {
      socket.write(answer, () => then(socket));
    });
  });
}

/** Starts a server on a free port of loopback, and tracks its connections. */
export async function started(server: TcpServer): Promise<Origin> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    connections: () => connections,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
