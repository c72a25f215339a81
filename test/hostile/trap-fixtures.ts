/** F44 to F51: sites that generate pages as long as a client requests them. */
import { must, type CrawlFixture, type Crawled, type Handler } from './fixture.ts';
import { openHost } from './world.ts';

const html =
  (make: (url: string) => string): Handler =>
  (request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(make(request.url ?? '/'));

const askedOf = ({ world }: Crawled, begin: string): number =>
  world.site.asked.filter(({ method, url }) => method === 'GET' && url.startsWith(begin)).length;

const atMost = (crawled: Crawled, begin: string, limit: number): readonly string[] => {
  const asked = askedOf(crawled, begin);
  return must(asked <= limit, `${asked} of its pages were fetched, not at most ${limit}`);
};

const list = (urls: readonly string[]): string => urls.map((url) => `<li><a href="${url}">${url}</a>`).join('');

/** A calendar whose pages say nothing. */
const calendar = html((url) => {
  const month = Number(url.split('/').pop() ?? 0);
  return `<!doctype html><title>Month ${month}</title><p>No events.</p>${list([`/cal/${month + 1}`, `/cal/${month - 1}`])}`;
});

const facets = html((url) => {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const chosen = [...query];
  const more = Array.from({ length: 10 }, (_, facet) => `f${facet}`)
    .filter((facet) => !query.has(facet))
    .flatMap((facet) =>
      [0, 1, 2, 3, 4].map((value) => `/shop?${new URLSearchParams([...chosen, [facet, String(value)]])}`),
    );
  const first = chosen.reduce((sum, [facet, value]) => sum * 7 + Number(facet.slice(1)) * 5 + Number(value), 0) % 100;
  const products = Array.from({ length: 10 }, (_, n) => `/product/${(first + n * 10) % 100}`);
  return `<!doctype html><title>shop</title><ul>${list(products)}</ul><ul>${list(more)}</ul>`;
});

const paragraph = (seed: string): string =>
  Array.from({ length: 60 }, (_, n) => `${seed.replaceAll(/\W+/g, '')}${(n * 7919) % 97}`).join(' ');

export const TRAP_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F44',
    attack: 'a calendar whose next month never ends',
    paths: ['/cal/0'],
    routes: () => ({ '/cal/0': calendar, '*': calendar }),
    also: (crawled) => atMost(crawled, '/cal/', 200),
  },
  {
    id: 'F45',
    attack: 'relative links that deepen the path, and 200 for any path',
    paths: ['/deep/'],
    routes: () => {
      const page = html(
        (url) => `<!doctype html><title>d</title><p>${paragraph(url)}</p>${list(['a/', 'b/', 'flyfactory/'])}`,
      );
      return { '/deep/': page, '*': page };
    },
    flags: () => ['--limit', '300'],
    also: (crawled) => atMost(crawled, '/deep/', 100),
  },
  {
    id: 'F46',
    attack: 'a new session in the query of every link of every visit',
    paths: ['/session/0'],
    routes: () => {
      let session = 0;
      const page = html((url) => {
        const number = Number(/\/session\/(\d+)/.exec(url)?.[1] ?? 0);
        session += 1;
        const links = Array.from({ length: 20 }, (_, n) => `/session/${n}?PHPSESSID=${session}${'0'.repeat(20)}`);
        return `<!doctype html><title>s${number}</title><p>${paragraph(`page${number}x`)}</p>${list(links)}`;
      });
      return { '/session/0': page, '*': page };
    },
    also: (crawled) => [
      ...atMost(crawled, '/session/', 44),
      ...must(crawled.pages.filter(({ url }) => url.includes('/session/')).length >= 20, 'not all 20 pages were found'),
    ],
  },
  {
    id: 'F47',
    attack: 'ten facets of five values, in any order, over a hundred products',
    paths: ['/shop'],
    routes: () => ({
      '/shop': facets,
      '*': (request, response) =>
        request.url?.startsWith('/product/') === true
          ? html((url) => `<!doctype html><title>${url}</title><p>${paragraph(url)}</p>`)(request, response)
          : facets(request, response),
    }),
    flags: () => ['--time-limit', '50s'],
    also: (crawled) => [
      ...atMost(crawled, '/shop', 1500),
      ...must(
        crawled.pages.filter(({ url, outcome }) => url.includes('/product/') && outcome === 'captured').length >= 98,
        'fewer than 98 of 100 products were captured',
      ),
    ],
  },
  {
    id: 'F48',
    attack: '200 for whatever is asked for, with links to more of the like',
    paths: ['/soft/start'],
    routes: () => {
      const page = html(
        (url) =>
          `<!doctype html><title>Not found</title><p>We could not find ${url}.</p>${list(Array.from({ length: 5 }, (_, n) => `${url.slice(0, 60)}-${n}`))}`,
      );
      return { '/soft/start': page, '*': page };
    },
    also: (crawled) => atMost(crawled, '/soft/', 400),
  },
  {
    id: 'F49',
    attack: 'a farm of pages, each with a hundred new links and new words',
    paths: ['/farm/'],
    routes: () => {
      const page = html(
        (url) =>
          `<!doctype html><title>${url}</title><p>${paragraph(url)}</p>${list(Array.from({ length: 100 }, (_, n) => `/farm/${(Number(url.slice(6)) * 101 + n + 1) % 1e9}`))}`,
      );
      return { '/farm/': page, '*': page };
    },
    flags: () => ['--limit', '120'],
    also: (crawled) => atMost(crawled, '/farm/', 125),
  },
  {
    id: 'F50',
    attack: 'other words and other links at every fetch, and others for a crawler',
    routes: () => {
      let visit = 0;
      return {
        '/hostile': (request, response) => {
          visit += 1;
          const crawler = /orbweaver/i.test(request.headers['user-agent'] ?? '');
          html(
            () =>
              `<!doctype html><title>${crawler ? 'for you' : 'for others'} ${visit}</title><p>${paragraph(`v${visit}`)}</p><script>document.title+=Math.random()</script>`,
          )(request, response);
        },
      };
    },
  },
  {
    id: 'F51',
    attack: "a copy of another host's page that is crawled first, so that the true one would count as its twin",
    paths: ['/copy'],
    routes: () => ({
      '/copy': `<!doctype html><title>copy</title><p>${paragraph('the words of the victim')}</p><a href=/kept>k</a>`,
    }),
    seeds: async ({ disposal }) => {
      const victim = await openHost(disposal, (request, response) => {
        if (request.url === '/robots.txt') return void response.writeHead(404).end();
        const body = `<!doctype html><title>victim</title><p>${paragraph('the words of the victim')}</p><a href=/only-here>o</a>`;
        setTimeout(() => html(() => body)(request, response), request.url === '/' ? 1500 : 0);
      });
      return [`${victim.url}/`];
    },
    also: ({ pages }) =>
      must(
        pages.some(({ url, outcome }) => url.endsWith('/only-here') && outcome === 'captured'),
        "the link of the victim's page was not followed",
      ),
  },
];
