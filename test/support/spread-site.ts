/** A site on several addresses, each with a tree of pages that also link to the others, a sitemap, a redirect and a forbidden page. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

/** Pages in the tree of each host. */
export const PAGES = 20;
export const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

export class SpreadSite {
  readonly servers: Server[] = [];
  /** Each request with its time, its host, and the address it came from. */
  readonly requests: { readonly host: string; readonly path: string; readonly at: number; readonly from: string }[] =
    [];
  readonly #hosts: readonly string[];
  port = 0;
  #opened = Promise.resolve();

  constructor(hosts: readonly string[] = HOSTS) {
    this.#hosts = hosts;
  }

  /** Holds all answers until the returned function is called. */
  hold(): () => void {
    let release = (): void => {};
    this.#opened = new Promise((resolve) => (release = resolve));
    return release;
  }

  async open(): Promise<void> {
    for (const host of this.#hosts) {
      const server = createServer((request, response) => {
        const path = request.url ?? '/';
        this.requests.push({ host, path, at: performance.now(), from: request.socket.remoteAddress ?? '' });
        void this.#opened.then(() => {
          const [status, type, body] = this.#answer(host, path);
          response.writeHead(status, { 'content-type': type, ...(status === 302 ? { location: '/p1.html' } : {}) });
          response.end(body);
        });
      });
      server.listen(this.port, host);
      await once(server, 'listening');
      const address = server.address();
      this.port = typeof address === 'object' && address !== null ? address.port : 0;
      this.servers.push(server);
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  get seeds(): readonly string[] {
    return this.#hosts.map((host) => `http://${host}:${this.port}/`);
  }

  #answer(host: string, path: string): readonly [number, string, string] {
    const base = `http://${host}:${this.port}`;
    if (path === '/robots.txt')
      return [200, 'text/plain', `User-agent: *\nDisallow: /private\nSitemap: ${base}/map.xml\n`];
    if (path === '/map.xml') {
      const urls = [0, 1].map((n) => `<url><loc>${base}/only-in-map-${n}.html</loc></url>`).join('');
      return [200, 'application/xml', `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`];
    }
    if (path === '/old') return [302, 'text/plain', ''];
    const number = numberOf(path);
    if (Number.isNaN(number)) return [404, 'text/html', '<title>not here</title>'];
    const words = Array.from({ length: 60 }, (_, index) => `w${(number * 37 + index * 101 + host.length * 7) % 9973}`);
    const own = [2 * number + 1, 2 * number + 2].filter((n) => n < PAGES).map((n) => `/p${n}.html`);
    const others = this.#hosts.map((other) => `http://${other}:${this.port}/p${(number * 7) % PAGES}.html`);
    const links = [...own, ...others, '/old', '/private/x', '/missing.html', 'http://elsewhere.test/'];
    const anchors = links.map((href) => `<a href="${href}">to ${href}</a>`).join(' ');
    return [
      200,
      'text/html',
      `<!doctype html><title>${host} ${number}</title><p>${words.join(' ')} of ${host}</p>${anchors}`,
    ];
  }
}

/** The number of a page; NaN if there is none. */
function numberOf(path: string): number {
  if (path === '/') return 0;
  const inMap = /map-(\d)/.exec(path)?.[1];
  return inMap === undefined ? Number(/^\/p(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN) : Number(inMap) + 90;
}
