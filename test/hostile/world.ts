/** The small web of one fixture: a hostile host with innocent pages, a calm host, and a canary that must get no request. */
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
  /** Requests in order of arrival. */
  readonly asked: readonly Asked[];
  /** Connections that are open now. */
  open(): number;
}

export interface World extends AsyncDisposable {
  readonly site: Host;
  readonly calm: Host;
  /** A host without seed, for parts and links of pages: reachable only if the fixture grants it. */
  readonly third: Host;
  /** Listens for TCP and UDP at addresses that no page may reach. */
  readonly canary: { readonly port: number; readonly udpPort: number; readonly hits: readonly string[] };
  /** Resources of the fixture, held from the start of the crawl to its end. */
  readonly disposal: Disposal;
  /** Resolves at the first request for one of the fixture's paths. */
  readonly attacked: Promise<void>;
  /** Resolves at the first request of all. */
  readonly begun: Promise<void>;
}

/** @param holds adds a page that never answers, so that the crawl does not end before the interruption */
export async function openWorld(fixture: CrawlFixture, holds: boolean): Promise<World> {
  const disposal = createDisposal();
  const attacked = latch();
  const begun = latch();
  const paths = fixture.paths ?? ['/hostile'];
  let routes: Readonly<Record<string, Route>> = {};
  const own: Record<string, Route> = {
    '/': seedPage([...paths, ...(holds ? ['/held'] : []), ...INNOCENT]),
    // held once only: a resumed crawl must complete
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

/** A further server on loopback for the fixture; it ends with the world. */
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

/** Listens on a free port, and closes all connections at the end. */
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

/** A promise with its resolve function. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((kept) => (resolve = kept));
  return { promise, resolve };
}

function seedPage(paths: readonly string[]): string {
  const links = paths.map((path) => `<li><a href="${path.replaceAll('&', '&amp;')}">${path.slice(0, 40)}</a>`);
  return `<!doctype html><title>seed</title><p>Where all begins.</p><ul>${links.join('')}</ul>`;
}

/** A page whose words come from a script: it counts as whole only if a browser ran. */
function innocentPage(name: string, link = '/'): string {
  const words = `What ${name} tells, and nobody else does: ${name.repeat(3)}.`;
  return `<!doctype html><title>${name}</title><a href="${link}">on</a><div id=here></div>
<script>document.getElementById('here').textContent=${JSON.stringify(words)}</script>`;
}

function plainPage(name: string): string {
  return `<!doctype html><title>${name}</title><p>A page called ${name}.`;
}
