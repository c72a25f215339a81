/** A shop whose pages contain only a script, which fills them from an API; and crawls of it. */
import type { IncomingMessage } from 'node:http';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { expectBalance } from './again-site.ts';
import { runCrawl, type CrawlRun } from './crawl-run.ts';

export const PRODUCTS = 40;
const SEED = '/';

export interface Shop {
  /** Does each product link only to the next one? */
  readonly isChain?: boolean;
  /** The product page's further use of the answer `d`, besides name and list. */
  readonly script?: string;
  /** The script expression that requests a product. */
  readonly ask?: string;
  /** The API's answer to a request; null: 200 and the product. */
  readonly answer?: (
    product: number,
    request: IncomingMessage,
    asked: number,
  ) => { status: number; body: unknown } | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const product = (number: number, steps: readonly number[] = [3, 6, 9]): Readonly<Record<string, unknown>> => ({
  id: number,
  name: `Product ${number}`,
  about: `Made of material ${number}, with care. `.repeat(12),
  related: steps
    .map((step) => (number + step) % PRODUCTS)
    .map((other) => ({ slug: `thing-${other}`, title: `Thing ${other}` })),
});

/** The routes of a shop whose pages contain only a script. */
export function shop(site: Shop): Record<string, Route> {
  const {
    script = '',
    ask = `fetch('/api/products/' + id)`,
    answer = () => null,
    headers = {},
    isChain = false,
  } = site;
  const steps = isChain ? [1] : undefined;
  const listed = isChain ? 1 : PRODUCTS;
  let asked = 0;
  const routes: Record<string, Route> = {
    [SEED]: `<title>shop</title>${Array.from({ length: listed }, (_, n) => `<a href="/product/thing-${n}">${n}</a>`).join(' ')}`,
    '/app.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(`const id = location.pathname.split('-').pop();
        ${ask}.then((answer) => answer.json()).then((d) => {
          document.getElementById('root').innerHTML = '<h1>' + d.name + '</h1><p>' + d.about + '</p><ul>' +
            d.related.map((one) => '<li><a href="/product/' + one.slug + '">' + one.title + '</a></li>').join('') + '</ul>';
          ${script}
        })`);
    },
  };
  for (let number = 0; number < PRODUCTS; number += 1) {
    routes[`/product/thing-${number}`] =
      `<!doctype html><title>Thing ${number}</title><div id=root></div><script src="/app.js"></script>`;
    routes[`/more/${number}`] = `<title>More ${number}</title><p>More of ${number}.</p>`;
    routes[`/api/products/${number}`] = (request, response) => {
      const { status, body } = answer(number, request, (asked += 1)) ?? { status: 200, body: product(number, steps) };
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  }
  return routes;
}

interface Both {
  readonly always: CrawlRun;
  readonly auto: CrawlRun;
  readonly server: FixtureServer;
  /** Requests of the second crawl. */
  readonly asked: readonly string[];
}

export async function both(site: Shop): Promise<Both> {
  const server = await FixtureServer.open(shop(site));
  const options = { seeds: [server.url(SEED)], delay: 0, workers: 1 } as const;
  try {
    const always = await runCrawl({ ...options, render: 'always' });
    server.add(shop(site));
    const before = server.asked.length;
    const auto = await runCrawl({ ...options, render: 'auto' });
    expectBalance(auto);
    return { always, auto, server, asked: server.asked.slice(before) };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

export const readOnly = ({ pages }: CrawlRun): number =>
  pages.filter(({ url, rendered }) => url.includes('/product/') && !rendered).length;
