import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';

import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { answer, takeRoute, type ServedHost } from './answer.ts';
import { detectBase } from './base-path.ts';
import { detectFallback } from './history-fallback.ts';
import { readIndexPage } from './index-page.ts';
import { findLinkAbove, type LinkAbove } from './links-above.ts';
import { findPublishedPlace, servedTexts, type ServedPlace } from './published-place.ts';
import { rewrittenContent } from './rewritten-content.ts';
import { ServedRequestLog } from './served-requests.ts';
import { readSiteConfig, type SiteConfig } from './site-config.ts';
import type { NamedHost, ServedRequest, SiteExtension, SiteServer, SiteServerOptions } from './site-server.ts';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1)$/;
/** Names under which a site without named hosts may be asked for; any other is a page that rebinds its name to us. */
const LOOPBACK_NAME = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[a-z0-9-]+\.)*localhost)$/;
const NAMED = '.localhost';
const ANY_LABEL = '*.';

/**
 * Serves a folder on loopback until it is disposed; disposing closes every connection, open streams and WebSockets too.
 * @param folder a built site, or a fixture with site.json
 * @throws {CrawlError} SEED_INVALID where there is no such folder, SITE_INVALID for its site.json, USAGE for an address
 *   that is not loopback or a port that is taken
 */
export async function openSiteServer(folder: string, options: SiteServerOptions, log: Log): Promise<SiteServer> {
  if (!LOOPBACK.test(options.address)) {
    throw new CrawlError('USAGE', `A folder is served on loopback only, not on ${options.address}.\nUse 127.0.0.1.`);
  }
  const path = resolve(folder);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new CrawlError(
      'SEED_INVALID',
      `${found === null ? `There is no folder ${folder}` : `${folder} is no folder, and no archive by its name`}.\n` +
        'Give the folder of a site, or a crawl with an archive, or an archive (.wacz, .warc, .warc.gz).',
      {
        data: { folder },
      },
    );
  }
  const site = await readSiteConfig(path, options.extension?.readRoute);
  const server = new FolderServer(log, options.extension);
  const port = await server.listen(options);
  await server.serve(path, site, options.address, port);
  log.info('site served', { folder: path, url: server.url, hosts: [...server.origins.keys()] });
  return server;
}

/** States: listening without hosts (answers 503) → serving → disposed. */
class FolderServer implements SiteServer {
  readonly #log: Log;
  readonly #extension: SiteExtension | undefined;
  readonly #http: Server;
  readonly #sockets = new Set<Socket>();
  readonly #requests = new ServedRequestLog();
  readonly #closing = new AbortController();
  readonly #hosts = new Map<string, ServedHost>();
  #origins: ReadonlyMap<string, string> = new Map();
  #start = '/';
  #base = '';
  #published: ServedPlace | null = null;
  #above: LinkAbove | null = null;
  #port = 0;

  constructor(log: Log, extension: SiteExtension | undefined) {
    this.#log = log;
    this.#extension = extension;
    // Idle connections stay open: a server that closes them races with clients that reuse them, and a crawl would see resets.
    this.#http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#respond(request, response).catch((error: unknown) => this.#fail(request, response, error));
    });
    this.#http.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}); // a client that goes away is not worth a report
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    this.#http.on('upgrade', (request, socket) => {
      this.#upgrade(request, socket).catch((error: unknown) => {
        this.#log.error('request failed', { url: request.url, error: String(error) });
        socket.destroy();
      });
    });
  }

  get url(): string {
    const [origin = ''] = this.#origins.values();
    return origin + this.#start;
  }

  get base(): string {
    return this.#base;
  }

  get published(): string | null {
    return this.#published?.there ?? null;
  }

  get above(): LinkAbove | null {
    return this.#above;
  }

  get port(): number {
    return this.#port;
  }

  get origins(): ReadonlyMap<string, string> {
    return this.#origins;
  }

  requests(): readonly ServedRequest[] {
    return this.#requests.entries();
  }

  async listen(options: SiteServerOptions): Promise<number> {
    await new Promise<void>((done, failed) => {
      this.#http.once('error', (cause) => {
        failed(new CrawlError('USAGE', `Port ${options.port} cannot be used: ${cause.message}.`, { cause }));
      });
      this.#http.listen(options.port, options.address, () => done());
    });
    const address = this.#http.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : options.port;
    return this.#port;
  }

  async serve(folder: string, site: SiteConfig | null, address: string, port: number): Promise<void> {
    const own = address.includes(':') ? `[${address}]` : address;
    const roots = site === null || site.hosts.size === 0 ? new Map([[own, site?.root ?? folder]]) : site.hosts;
    const index = site === null ? await readIndexPage(folder) : null;
    if (index !== null) {
      this.#base = await detectBase(folder, index);
      this.#published = await findPublishedPlace(folder, index, this.#base);
      this.#above = await findLinkAbove(folder, index);
    }
    this.#start = site?.start ?? `${this.#base}/`;
    this.#origins = new Map(
      [...roots.keys()]
        .filter((name) => !name.startsWith(ANY_LABEL))
        .map((name) => [name, `http://${name === own ? own : name + NAMED}:${port}`]),
    );
    for (const [name, root] of roots) {
      this.#hosts.set(name, {
        name,
        label: null,
        root,
        base: this.#base,
        siteFolder: folder,
        fallback: site === null ? await detectFallback(root) : site.fallback === false ? null : site.fallback,
        routes: (site?.routes ?? []).filter((route) => route.host === null || route.host === name),
        rewrite: site === null ? this.#placeRewriter() : this.#rewriter({ name, origins: this.#origins }),
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const closed = new Promise((done) => this.#http.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests.add(request);
    request.resume(); // bodies of requests are ignored
    const host = this.#hostOf(request);
    if (host === undefined) {
      response.writeHead(this.#hosts.size === 0 ? 503 : 421, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('No host of this name is served here.\n');
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([this.#closing.signal, gone.signal]);
    await answer(host, { request, response, ...splitTarget(request.url ?? '/') }, signal);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex): Promise<void> {
    this.#requests.add(request);
    const host = this.#hostOf(request);
    const taken = host === undefined ? null : await takeRoute(host, splitTarget(request.url ?? '/'));
    if (taken?.upgrade === undefined)
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else taken.upgrade(request, socket);
  }

  #hostOf(request: IncomingMessage): ServedHost | undefined {
    const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
    if (name.endsWith(NAMED)) {
      const named = this.#named(name.slice(0, -NAMED.length));
      if (named !== undefined) return named;
    }
    const [first] = this.#hosts.values();
    const unnamed = first !== undefined && LOOPBACK_NAME.test(first.name);
    return unnamed && LOOPBACK_NAME.test(name) ? first : undefined;
  }

  /** The host of this name, or the wildcard host that it belongs to. */
  #named(name: string): ServedHost | undefined {
    const dot = name.indexOf('.');
    const wild = dot < 1 ? undefined : this.#hosts.get(ANY_LABEL + name.slice(dot + 1));
    const exact = this.#hosts.get(name);
    if (exact !== undefined || wild === undefined) return exact;
    const origins = new Map([...this.#origins, [name, `http://${name}${NAMED}:${this.#port}`]]);
    return { ...wild, label: name.slice(0, dot), rewrite: this.#rewriter({ name, origins }) };
  }

  /** A built site, whose texts name the place where it is published. */
  #placeRewriter(): ServedHost['rewrite'] {
    const [origin = ''] = this.#origins.values();
    if (this.#published === null) return null;
    const served = servedTexts(this.#published, origin);
    return (content) => rewrittenContent(content, served);
  }

  #rewriter(host: NamedHost): ServedHost['rewrite'] {
    const extension = this.#extension;
    return extension === undefined ? null : (content) => extension.rewrite(content, host);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.destroyed || this.#closing.signal.aborted) return; // the client went away, or the server closes
    this.#log.error('request failed', { url: request.url, error: String(error) });
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-length': 0 }).end();
  }
}

/** Splits the origin form, or the absolute form that proxies send; bytes beyond ASCII, which node gives raw, are escaped. */
function splitTarget(target: string): { path: string; query: string } {
  const ascii = target.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const relative = ascii.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  const mark = relative.indexOf('?');
  const path = mark < 0 ? relative : relative.slice(0, mark);
  return { path: path.startsWith('/') ? path : `/${path}`, query: mark < 0 ? '' : relative.slice(mark) };
}
