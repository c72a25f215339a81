/** Sites that let nobody in without the cookies that they set: the visits of a crawl bring those, and no others. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

type Site = (asked: {
  readonly url: URL;
  readonly cookies: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly show: () => void;
}) => void;

const PATHS = ['/', '/a', '/b?x=1'];

/** Hosts by their tests. */
const SITES: Readonly<Record<string, Site>> = {
  // to the same address
  same: ({ url, cookies, response, show }) => {
    if (cookies.includes('t=1')) return show();
    response
      .writeHead(302, { 'set-cookie': ['t=1; Path=/; HttpOnly', 'u=2'], location: url.pathname + url.search })
      .end();
  },
  // by an address that names the one that was asked for
  check: ({ url, cookies, response, show }) => {
    const back = url.searchParams.get('back');
    if (url.pathname === '/check')
      response.writeHead(302, { 'set-cookie': 't=1; Path=/', location: back ?? '/' }).end();
    else if (cookies.includes('t=1')) show();
    else response.writeHead(302, { location: `/check?back=${encodeURIComponent(url.pathname + url.search)}` }).end();
  },
  // by a parameter more, which is taken away again (publishers)
  more: ({ url, cookies, response, show }) => {
    const more = new URL(url);
    more.searchParams.append('cookieSet', '1');
    if (url.searchParams.has('cookieSet')) {
      url.searchParams.delete('cookieSet');
      response.writeHead(302, { location: url.pathname + url.search }).end();
    } else if (cookies.includes('id=7')) show();
    else response.writeHead(302, { 'set-cookie': 'id=7; Path=/', location: more.href }).end();
  },
  // by a parameter that stays, and a session in the path for those without cookies (ASP.NET)
  asp: ({ url, cookies, response, show }) => {
    if (cookies.includes('Detect=1')) return show();
    if (url.searchParams.has('Detect'))
      response.writeHead(302, { location: `/(X(1)S(lit3py55t21z5v55vlm25s55))${url.pathname}${url.search}` }).end();
    else
      response
        .writeHead(302, {
          'set-cookie': 'Detect=1; Path=/',
          location: `${url.pathname}${url.search === '' ? '?' : `${url.search}&`}Detect=1`,
        })
        .end();
  },
};

/** Hosts whose pages do it. */
const BY_PAGES: Readonly<Record<string, Site>> = {
  refresh: ({ cookies, response, show }) => {
    if (cookies.includes('t=1')) return show();
    response.setHeader('set-cookie', 't=1; Path=/');
    html(response, '<meta http-equiv=refresh content=0>Please wait');
  },
  reload: ({ cookies, response, show }) => {
    if (cookies.includes('t=1')) show();
    else html(response, `<script>document.cookie = 't=1; path=/'; location.reload()</script>`);
  },
  go: ({ url, cookies, response, show }) => {
    const next = `${url.href}${url.search === '' ? '?' : '&'}i=1`;
    if (cookies.includes('__test=1')) show();
    else
      html(
        response,
        `<script src=/aes.js></script><script>document.cookie = '__test=1; path=/'; location.href = '${next}'</script>Please wait`,
      );
  },
};

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(body);
}

interface Asked {
  readonly host: string;
  readonly url: string;
  readonly cookies: string;
  readonly at: number;
}

async function crawl(
  sites: Readonly<Record<string, Site>>,
  options: Partial<Parameters<typeof runCrawl>[0]>,
): Promise<{ readonly run: CrawlRun; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  await using origin = await httpOrigin((request, response) => {
    const host = request.headers.host ?? '';
    const [name = ''] = host.split('.localhost');
    const url = new URL(request.url ?? '/', `http://${host}`);
    const cookies = request.headers.cookie ?? '';
    const isPage = PATHS.includes(request.url ?? '');
    if (!/robots\.txt|sitemap|favicon|\.js$/.test(url.pathname))
      asked.push({ host: name, url: request.url ?? '', cookies, at: performance.now() });
    const show = (): void =>
      isPage || url.search.includes('Detect')
        ? html(
            response,
            `<title>${name} ${url.pathname}</title><p>The page ${url.pathname} of ${name}${PATHS.map((path) => `<a href="${path}">${path}</a>`).join('')}`,
          )
        : void response.writeHead(404).end();
    if (/robots\.txt|sitemap|\.js$/.test(url.pathname)) response.writeHead(404).end();
    else sites[name]?.({ url, cookies, request, response, show });
  });
  const seeds = Object.keys(sites).map((name) => `http://${name}.localhost:${origin.port}/`);
  const run = await runCrawl({ seeds, delay: 0, workers: 2, ...options });
  return { run, asked };
}

const titlesOf = ({ pages }: CrawlRun): readonly string[] =>
  pages.flatMap(({ outcome, title }) => (outcome === 'captured' ? [title ?? ''] : [])).toSorted();

const allOf = (sites: object): readonly string[] =>
  Object.keys(sites)
    .flatMap((name) => ['/', '/a', '/b'].map((path) => `${name} ${path}`))
    .toSorted();

describe('a site that tests for cookies', () => {
  it.each(['never', 'auto', 'always'] as const)('is crawled, by its redirects, with --render %s', async (render) => {
    const { run, asked } = await crawl(SITES, { render });
    expect(titlesOf(run)).toEqual(allOf(SITES));
    // each host is tested once, and later visits bring its cookies at once
    for (const host of ['same', 'check', 'more']) {
      const without = asked.filter((each) => each.host === host && each.cookies === '');
      expect(without.length).toBeLessThanOrEqual(2 * 2); // two visits at a time may meet the test
    }
    const foreign = asked.filter(({ host, cookies }) => cookies.includes('Detect') && host !== 'asp');
    expect(foreign).toEqual([]);
  });

  it('is crawled where a page loads itself again, by a script or by itself', async () => {
    const { run } = await crawl(BY_PAGES, { render: 'auto' });
    expect(titlesOf(run)).toEqual(allOf(BY_PAGES));
  });

  it('gets its pause between all requests', async () => {
    const { asked } = await crawl(SITES, { render: 'never', delay: 150 });
    for (const host of Object.keys(SITES)) {
      const times = asked.filter((each) => each.host === host).map(({ at }) => at);
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(times.length).toBeGreaterThan(3);
      expect(Math.min(...pauses)).toBeGreaterThan(140);
    }
  });
});

it('an empty page that only writes its address into its history is visited once', async () => {
  const { run, asked } = await crawl(
    {
      history: ({ response }) =>
        html(
          response,
          `<script>document.cookie = 't=' + Math.random(); history.replaceState(1, '', location.href)</script>Yes`,
        ),
    },
    { render: 'always', workers: 1 },
  );
  expect(run.pages.map(({ outcome }) => outcome)).toEqual(['captured']);
  expect(asked.map(({ cookies }) => cookies)).toEqual(['']);
});

describe('redirects that are no test', () => {
  it('end as redirects: to the same address for ever, and to a log-in, which is asked for twice more at most', async () => {
    const { run, asked } = await crawl(
      {
        loop: ({ url, response }) => {
          response.writeHead(302, { 'set-cookie': `n=${Math.random()}`, location: url.pathname }).end();
        },
        members: ({ url, response, show }) => {
          const next = encodeURIComponent(url.pathname + url.search);
          if (url.pathname === '/' || url.pathname === '/login')
            html(
              response,
              `<title>members</title>${['/m1', '/m2', '/m3', '/m4'].map((path) => `<a href="${path}">m</a>`).join('')}`,
            );
          else if (/^\/m/.test(url.pathname))
            response.writeHead(302, { 'set-cookie': 's=1', location: `/login?next=${next}` }).end();
          else show();
        },
      },
      { render: 'never', workers: 1 },
    );
    const count = (host: string, start: string): number =>
      asked.filter((each) => each.host === host && each.url.startsWith(start)).length;
    expect(count('loop', '/')).toBeLessThanOrEqual(5);
    expect(run.pages.find(({ url }) => url.includes('loop.'))?.outcome).toBe('redirected');
    // four of its own, one for each page, and two that were tests
    expect(count('members', '/login')).toBe(6);
    expect(run.pages.filter(({ outcome }) => outcome === 'redirected')).toHaveLength(5);
    expect(asked.filter(({ host, cookies }) => host === 'members' && cookies !== '')).toHaveLength(2);
  });
});
