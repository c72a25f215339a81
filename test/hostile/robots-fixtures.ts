/** F41 to F43: files that a crawl reads before any page. */
import { packedBomb } from './bombs.ts';
import { must, type CrawlFixture, type Crawled, type Handler, type Route } from './fixture.ts';
import { openHost, type World } from './world.ts';

const text =
  (body: string | Buffer): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain' }).end(body);

const hops =
  (count: number): Handler =>
  (request, response) => {
    const hop = Number(/hop-(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    if (hop === count) text('User-agent: *\nDisallow: /private')(request, response);
    else response.writeHead(302, { location: `/robots-hop-${hop + 1}` }).end();
  };

const status =
  (code: number): Handler =>
  (_request, response) =>
    response.writeHead(code).end();

const endless: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('Disallow: /never\n'.repeat(1000)), 5);
  response.on('close', () => clearInterval(timer));
};

/** `allows`: may the host's page be visited? RFC 9309; a 5xx forbids everything. */
const ROBOTS: Readonly<Record<string, { readonly answer: Handler; readonly allows: boolean }>> = {
  large: { answer: text('Disallow: /x\n'.repeat(800_000)), allows: true },
  endless: { answer: endless, allows: true },
  'five hops': { answer: hops(5), allows: true },
  'six hops': { answer: hops(6), allows: true },
  html: { answer: text('<!doctype html><title>r</title>'), allows: true },
  packed: { answer: packedBomb('gzip', 2 ** 30, 'text/plain') as Handler, allows: true },
  unavailable: { answer: status(503), allows: false },
  reset: { answer: ({ socket }) => void socket.resetAndDestroy(), allows: false },
  throttled: { answer: status(429), allows: false },
  nul: { answer: text('User-agent: *\nDisallow: /private\0\n\0\0\0'), allows: true },
  marked: { answer: text('\uFEFFUser-agent: *\nDisallow: /private'), allows: true },
  rules: {
    answer: text(`User-agent: *\n${Array.from({ length: 20_000 }, (_, n) => `Disallow: /r${n}`).join('\n')}`),
    allows: true,
  },
  pattern: { answer: text(`User-agent: *\nDisallow: /${'*a'.repeat(2000)}*b$\n`.repeat(20)), allows: true },
};

/** Opens a host for each robots.txt, with one page: its path is a long run of the letter in the patterns. */
async function robotsHosts({ disposal }: World): Promise<readonly string[]> {
  const urls = Object.entries(ROBOTS).map(async ([name, { answer }]) => {
    const host = await openHost(disposal, (request, response) => {
      if (request.url?.startsWith('/robots') === true) answer(request, response);
      else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${name}</title><p>words of ${name}`);
    });
    return `${host.url}/${'a'.repeat(1500)}?${encodeURIComponent(name)}`;
  });
  return await Promise.all(urls);
}

function robotsKept({ pages }: Crawled): readonly string[] {
  return Object.entries(ROBOTS).flatMap(([name, { allows }]) => {
    const page = pages.find(({ url }) => url.endsWith(`?${encodeURIComponent(name)}`));
    const ended = page?.outcome ?? 'nothing';
    // a page that may not be visited yet is still queued when the time is up
    const right = allows === (ended === 'captured');
    return must(right, `robots.txt "${name}": its page ended as ${ended} (${page?.detail})`);
  });
}

const index = (urls: readonly string[]): string =>
  `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const urlset = (urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc><lastmod>2999-01-01</lastmod></url>`).join('')}</urlset>`;

const xml =
  (body: () => string): Route =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body());

const named = (world: World, paths: readonly string[]): Route =>
  text(`User-agent: *\nAllow: /\n${paths.map((path) => `Sitemap: ${world.site.url}${path}`).join('\n')}\n`);

export const ROBOTS_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F41',
    attack: 'robots.txt: 10 MB, endless, many hops, HTML, packed, refused, reset, NULs, 20,000 rules, slow patterns',
    routes: () => ({ '/hostile': '<!doctype html><title>h</title><p>beside it' }),
    seeds: robotsHosts,
    flags: () => ['--time-limit', '45s'],
    also: robotsKept,
  },
  {
    id: 'F42',
    attack:
      'sitemaps: an index that names itself, a million entries, packed gigabytes, other hosts, file:, other centuries',
    routes: (world) => {
      const { site, canary } = world;
      const million = urlset(Array.from({ length: 60_000 }, (_, n) => `${site.url}/entry/${n}`));
      return {
        '/hostile': '<!doctype html><title>h</title><p>beside it',
        '/robots.txt': named(world, ['/loop.xml', '/million.xml', '/packed.xml', '/foreign.xml']),
        '/loop.xml': xml(() => index([`${site.url}/loop.xml`, `${site.url}/loop.xml?1`, `${site.url}/deep.xml`])),
        '/deep.xml': xml(() => index([`${site.url}/deep.xml?2`])),
        '/million.xml': xml(() => million),
        '/packed.xml': packedBomb('gzip', 10 * 2 ** 30, 'application/xml'),
        '/foreign.xml': xml(() =>
          urlset([`http://127.0.0.1:${canary.port}/from-sitemap`, 'file:///etc/passwd', `${site.url}/innocent-1`]),
        ),
      };
    },
    flags: () => ['--exclude', '/entry/', '--time-limit', '45s'],
    also: ({ world, links }) => {
      const asked = world.site.asked.filter(({ url }) => url.endsWith('.xml') || url.includes('.xml?')).length;
      const entries = links.filter(({ to }) => to.includes('/entry/')).length;
      return [
        ...must(asked <= 20, `${asked} sitemaps were asked for`),
        ...must(entries <= 50_000, `${entries} entries of one sitemap are kept, not at most 50,000`),
      ];
    },
  },
  {
    id: 'F43',
    attack: 'XML of a billion laughs, outside entities and outside document types',
    paths: ['/feed', '/laughs'],
    routes: (world) => {
      const outside = `http://127.0.0.1:${world.canary.port}`;
      const laughs = `<?xml version="1.0"?><!DOCTYPE l SYSTEM "${outside}/dtd" [<!ENTITY a "ha"><!ENTITY f SYSTEM "file:///etc/passwd">
<!ENTITY o SYSTEM "${outside}/entity">${Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "${`&${n === 0 ? 'a' : `l${n}`};`.repeat(10)}">`).join('')}]>`;
      return {
        '/robots.txt': named(world, ['/laughs.xml']),
        '/laughs.xml': xml(
          () => `${laughs}<urlset><url><loc>&l30;&f;&o;</loc></url><url><loc>/from-sitemap</loc></url></urlset>`,
        ),
        '/laughs': xml(
          () => `${laughs}<rss><channel><title>&l30;</title><item><link>&f;&o;</link></item></channel></rss>`,
        ),
        '/feed': (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'application/rss+xml' })
            .end(
              `${laughs}<rss><channel><title>&f;</title><item><title>&l30;</title><link>/kept</link></item></channel></rss>`,
            ),
      };
    },
    ends: { '/feed': 'not-html', '/laughs': 'not-html' },
    also: ({ pages }) => must(!JSON.stringify(pages).includes('root:'), 'a file of the machine was read'),
    quick: true,
  },
];
