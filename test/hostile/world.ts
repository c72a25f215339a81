/** The small web of one fixture: a hostile host with innocent pages, a calm host beside it, and what must see no guest. */
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createDisposal, type Disposal } from '../../src/base/disposal.ts';
import type { CrawlFixture, Route } from './fixture.ts';

export const INNOCENT = ['/innocent-1', '/innocent-2', '/innocent-3'] as const;
export const CALM = ['/', '/calm-1'] as const;

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Monotonic milliseconds. */
  readonly at: number;
}

export interface Host {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Requests in the order in which they came. */
  readonly asked: readonly Asked[];
  /** Connections that are open now. */
  open(): number;
}

export interface World extends AsyncDisposable {
  readonly site: Host;
  readonly calm: Host;
  /** No seed's, for what pages load or link to: it may be reached only where the fixture grants it. */
  readonly third: Host;
  /** Listens for TCP and UDP at addresses that no page may reach. */
  readonly canary: { readonly port: number; readonly udpPort: number; readonly hits: readonly string[] };
  /** Kept from the start of the crawl to its end, for what a fixture brings along. */
  readonly disposal: Disposal;
  /** Resolves when the first request for one of the fixture's paths has come. */
  readonly attacked: Promise<void>;
  /** Resolves with the first request of all. */
  readonly begun: Promise<void>;
}

/** @param holds adds a page that never answers, so that the crawl does not end before it is interrupted */
export async function openWorld(fixture: CrawlFixture, holds: boolean): Promise<World> {
  const disposal = createDisposal();
  const attacked = latch();
  const begun = latch();
  const paths = fixture.paths ?? ['/hostile'];
  let routes: Readonly<Record<string, Route>> = {};
  const own: Record<string, Route> = {
    '/': seedPage([...paths, ...(holds ? ['/held'] : []), ...INNOCENT]),
    // once: a crawl that is resumed comes to its end
    '/held': () => (own['/held'] = plainPage('held')),
    '/kept': plainPage('kept'),
    ...Object.fromEntries(INNOCENT.map((path) => [path, innocentPage(path)])),
  };
  const site = await openHost(disposal, (request, response) => {
    begun.resolve();
    const path = request.url ?? '/';
    if (paths.includes(path)) attacked.resolve();
    answer(routes[path] ?? own[path] ?? (path === '/robots.txt' ? undefined : routes['*']), request, response);
  });
  const calm = await openHost(disposal, (request, response) => {
    const path = CALM.find((each) => each === request.url);
    answer(path === undefined ? undefined : innocentPage(`calm ${path}`, '/calm-1'), request, response);
  });
  const third = await openHost(disposal, (request, response) => {
    const page = request.url === '/robots.txt' ? undefined : plainPage(`third ${request.url}`);
    answer(routes[`third:${request.url}`] ?? page, request, response);
  });
  const canary = await openCanary(disposal);
  const world: World = {
    site,
    calm,
    third,
    canary,
    disposal,
    attacked: attacked.promise,
    begun: begun.promise,
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  };
  routes = fixture.routes(world);
  return world;
}

/** A server on loopback that the fixture needs beside the two hosts; it ends with the world. */
export async function openHost(
  disposal: Disposal,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  address = '127.0.0.1',
): Promise<Host> {
  const asked: Asked[] = [];
  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, at: performance.now() });
    response.on('error', () => {});
    listener(request, response);
  });
  const sockets = await listen(disposal, server, address);
  const { port } = server.address() as AddressInfo;
  return { url: `http://${address}:${port}`, port, asked, open: () => sockets.size };
}

async function openCanary(disposal: Disposal): Promise<World['canary']> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    response.end();
  });
  server.on('connection', () => hits.push('a connection'));
  await listen(disposal, server, '127.0.0.1');
  const udp = createSocket('udp4');
  udp.on('message', () => hits.push('a UDP packet'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  disposal.defer(() => new Promise<void>((resolve) => udp.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, udpPort: udp.address().port, hits };
}

/** Listens at a free port, and takes its connections along at the end. */
async function listen(disposal: Disposal, server: Server, address: string): Promise<ReadonlySet<Socket>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  disposal.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return sockets;
}

function answer(route: Route | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (typeof route === 'function') return route(request, response);
  if (route === undefined) response.statusCode = 404;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(route ?? '<!doctype html><title>none</title><p>There is nothing here.');
}

/** A promise that somebody else keeps. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((kept) => (resolve = kept));
  return { promise, resolve };
}

function seedPage(paths: readonly string[]): string {
  const links = paths.map((path) => `<li><a href="${path.replaceAll('&', '&amp;')}">${path.slice(0, 40)}</a>`);
  return `<!doctype html><title>seed</title><p>Where all begins.</p><ul>${links.join('')}</ul>`;
}

/** A page whose words a script puts there: it counts as whole only where a browser ran. */
function innocentPage(name: string, link = '/'): string {
  const words = `What ${name} tells, and nobody else does: ${name.repeat(3)}.`;
  return `<!doctype html><title>${name}</title><a href="${link}">on</a><div id=here></div>
<script>document.getElementById('here').textContent=${JSON.stringify(words)}</script>`;
}

function plainPage(name: string): string {
  return `<!doctype html><title>${name}</title><p>A page called ${name}.`;
}
