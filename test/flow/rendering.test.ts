/** `--render auto` and `never`: what is found without a browser, and when a browser is used after all. */
import { describe, expect, test } from 'vitest';
import { SAMPLES, SHARED_SAMPLES, SHARED_WATCH, WATCH } from '../../src/core/page-clusters/cluster-memory.ts';
import { TRIES } from '../../src/core/page-clusters/known-subresources.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { runCrawl } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';

function count(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Letters for a number: page templates treat different digits as the same. */
function letters(number: number): string {
  return `${String.fromCodePoint(97 + Math.floor(number / 26))}${String.fromCodePoint(97 + (number % 26))}`;
}

function javascript(body: string): Route {
  return (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(body);
  };
}

describe('a crawl that renders where it pays', () => {
  test('renders no page that holds nothing to run, and asks for each once', async () => {
    const page = (number: number): Route => `<title>${number}</title><p>word <a href="/${number + 1}">next</a>`;
    const routes = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/${index}`, page(index)]));
    await using site = await FixtureServer.open({ ...routes, '/30': '<title>last</title><p>last word' });
    const { pages } = await runCrawl({ seeds: [site.url('/0')], delay: 0, render: 'auto' });
    expect(pages.filter(({ rendered }) => rendered)).toEqual([]);
    const captured = pages.filter(({ outcome }) => outcome === 'captured');
    expect(captured).toHaveLength(31);
    expect(
      captured.every(
        ({ settle, words, bytes }) => settle.reason === 'not-rendered' && words !== null && bytes !== null,
      ),
    ).toBe(true);
    const asked = count(site.paths());
    expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  });

  test('learns that the scripts of a template change nothing, and finds the page of it where they do', async () => {
    const pages = 3 * WATCH;
    const last = `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<a href="/late">late</a>'), 500)</script>`;
    const routes: Record<string, Route> = {
      '/': Array.from({ length: pages }, (_, index) => `<a href="/item/${index}">item</a>`).join(''),
      '/menu.js': 'document.documentElement.classList.add("js")',
      '/late': '<title>late</title>',
    };
    for (let index = 0; index < pages; index += 1) {
      const own = index === pages - 1 ? last : '';
      routes[`/item/${index}`] = `<title>${index}</title><script src="/menu.js"></script><a href="/">home</a>${own}`;
    }
    await using site = await FixtureServer.open(routes);
    const { pages: records } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    const items = records.filter(({ url }) => url.includes('/item/'));
    const rendered = items.filter((page) => page.rendered);
    expect(items).toHaveLength(pages);
    // the samples, two pages rendered as a check, and the one with other scripts
    expect(rendered.length).toBeGreaterThanOrEqual(SAMPLES + 2);
    expect(rendered.length).toBeLessThanOrEqual(SAMPLES + 4);
    expect(records.map(({ url }) => url)).toContain(site.url('/late'));
    expect(count(site.paths()).get('/item/3')).toBe(1);
    expect([...count(site.paths())].filter(([path, times]) => path !== '/menu.js' && times > 1)).toEqual([]);
  });

  test('knows what scripts add to every page of a documentation with a page in each folder', async () => {
    const folders = 3 * SHARED_SAMPLES;
    const routes: Record<string, Route> = {
      '/': Array.from({ length: folders }, (_, index) => `<a href="/f${letters(index)}/">folder</a>`).join(''),
      '/site.js': `const script = document.createElement('script'); script.src = '/part.js'; document.head.append(script)`,
      '/part.js': `document.querySelector('nav').insertAdjacentHTML('beforeend', '<a href="/imprint">imprint</a>')`,
      '/imprint': '<title>imprint</title>',
    };
    for (let index = 0; index < folders; index += 1)
      routes[`/f${letters(index)}/`] =
        `<title>${index}</title><script src="/site.js" defer></script><nav><a href="/">home</a></nav><p>words of ${letters(index)}`;
    await using site = await FixtureServer.open(routes);
    const { pages, links } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    const inFolders = pages.filter(({ url }) => url.includes('/f'));
    expect(inFolders).toHaveLength(folders);
    const rendered = inFolders.filter((page) => page.rendered);
    expect(rendered.length).toBeGreaterThanOrEqual(SHARED_SAMPLES + 1);
    expect(rendered.length).toBeLessThanOrEqual(SHARED_SAMPLES + (folders - SHARED_SAMPLES) / SHARED_WATCH + 1);
    const from = (page: string): readonly string[] =>
      links
        .filter((each) => each.from === page && each.context !== 'literal')
        .map(({ kind, context, to }) => `${kind} ${context} ${to}`)
        .toSorted();
    const [first] = rendered;
    expect(from(first?.url ?? '').filter((each) => each.endsWith('/imprint') || each.endsWith('/part.js'))).not.toEqual(
      [],
    );
    for (const page of inFolders) expect(from(page.url)).toEqual(from(first?.url ?? ''));
  });

  test('reads the chunk that each page names for itself, and renders the page whose chunk loads more', async () => {
    const routes: Record<string, Route> = {
      '/': Array.from({ length: 40 }, (_, index) => `<a href="/p/${letters(index)}">page</a>`).join(''),
      '/app.js': javascript(`import(document.querySelector('link[rel=modulepreload]').href)`),
      '/extra.js': javascript(`document.body.insertAdjacentHTML('beforeend', '<a href="/late">late</a>')`),
      '/late': '<title>late</title>',
    };
    for (let index = 0; index < 40; index += 1) {
      const [name, next] = [letters(index), letters((index + 1) % 40)];
      const more = index === 35 ? 'import "./extra.js";' : '';
      routes[`/chunk-${name}.js`] = javascript(
        `${more} export const hidden = "/found/${name}"; export const next = "/p/${next}"`,
      );
      routes[`/found/${name}`] = `<title>found ${name}</title>`;
      routes[`/p/${name}`] =
        `<title>${name}</title><script type="module" src="/app.js"></script><link rel="modulepreload" href="/chunk-${name}.js"><h1>${name}</h1>`;
    }
    await using site = await FixtureServer.open(routes);
    const { pages, links } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    const rendered = pages.filter((page) => page.rendered && page.url.includes('/p/')).map(({ url }) => url);
    expect(rendered).toContain(site.url(`/p/${letters(35)}`));
    expect(rendered.length).toBeLessThanOrEqual(SHARED_SAMPLES + 5);
    const found = links.filter(({ to }) => to.includes('/found/')).map(({ to }) => to);
    expect(new Set(found).size).toBe(40);
    expect(pages.map(({ url }) => url)).toContain(site.url('/late'));
    const asked = count(site.paths());
    // the chunk that a browser had to load after all was read before
    expect([...asked].filter(([path, times]) => path.startsWith('/chunk') && times > 1)).toEqual([
      [`/chunk-${letters(35)}.js`, 2],
    ]);
  });

  test('goes without the code that an application loads for each page by itself, once its texts bring nothing', async () => {
    const routes: Record<string, Route> = {
      '/': Array.from({ length: 40 }, (_, index) => `<a href="/p/${letters(index)}">page</a>`).join(''),
      '/app.js': javascript(
        `import('/chunks/' + location.pathname.split('/').pop() + '.js'); const hint = document.createElement('link');` +
          `hint.rel = 'prefetch'; hint.href = '/next' + location.pathname + '.js'; document.head.append(hint)`,
      ),
    };
    for (let index = 0; index < 40; index += 1) {
      const [name, next] = [letters(index), letters((index + 1) % 40)];
      routes[`/chunks/${name}.js`] = javascript(`export const next = "/p/${next}"`);
      routes[`/p/${name}`] =
        `<title>${name}</title><script type="module" src="/app.js"></script><h1>${name}</h1><a href="/p/${next}">next</a>`;
    }
    await using site = await FixtureServer.open(routes);
    const { pages } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    const inParts = pages.filter(({ url }) => url.includes('/p/'));
    expect(inParts).toHaveLength(40);
    expect(inParts.filter((page) => page.rendered).length).toBeLessThanOrEqual(SAMPLES + 4);
  });

  test('reads pages whose scripts write final slashes into their heads as a browser shows them', async () => {
    const items = 2 * SAMPLES;
    const routes: Record<string, Route> = {
      '/app.js': javascript(
        `for (const own of document.querySelectorAll('[rel=canonical], [hreflang]')) own.setAttribute('href', own.getAttribute('href') + '/')`,
      ),
    };
    for (let index = 0; index < items; index += 1)
      routes[`/item/${index}/`] =
        `<link rel=canonical href="/item/${index}"><link rel=alternate hreflang=en href="/item/${index}">` +
        `<title>${index}</title><a href="/item/${(index + 1) % items}/">next</a><script src="/app.js"></script>`;
    await using site = await FixtureServer.open(routes);
    const { pages } = await runCrawl({ seeds: [site.url('/item/0/')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.map(({ canonical }) => canonical)).toEqual(pages.map(({ url }) => new URL(url).pathname));
    expect([pages.length, pages.filter(({ rendered }) => rendered).length]).toEqual([items, SAMPLES]);
    expect(site.paths().filter((path) => /item\/\d+$/.test(path))).toEqual([]);
  });

  test('knows what a sheet names for every page that has it, and asks for the sheet once', async () => {
    const page = (number: number): Route =>
      `<link rel=stylesheet href=/a.css><title>${number}</title><a href="/${number + 1}">next</a>`;
    const routes = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/${index}`, page(index)]));
    const sheet =
      (body: string): Route =>
      (_request, response) => {
        response.setHeader('content-type', 'text/css');
        response.end(body);
      };
    await using site = await FixtureServer.open({
      ...routes,
      '/a.css': sheet('@import "css/b.css"; p { background: url(a.png) }'),
      '/css/b.css': sheet('p { background: url(b.png) }'),
      '/20': '<title>last</title>',
    });
    const { pages, links } = await runCrawl({ seeds: [site.url('/0')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.filter(({ rendered }) => rendered).map(({ url }) => url)).toEqual([site.url('/0')]);
    const named = count(links.filter(({ kind }) => kind === 'css').map(({ to }) => to));
    expect(Object.fromEntries(named)).toEqual({
      [site.url('/css/b.css')]: 20,
      [site.url('/a.png')]: 20,
      [site.url('/css/b.png')]: 20,
    });
    const asked = count(site.paths());
    expect([asked.get('/0'), asked.get('/a.css'), asked.get('/css/b.css')]).toEqual([1, 1, 1]);
  });

  test('looks for a sheet that is not there on a few pages', async () => {
    const page = (number: number): Route =>
      `<link rel=stylesheet href=/none.css><title>${number}</title><a href="/${number + 1}">next</a>`;
    await using site = await FixtureServer.open(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/${index}`, page(index)])),
    );
    const { pages } = await runCrawl({ seeds: [site.url('/0')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.filter(({ rendered }) => rendered)).toHaveLength(TRIES);
  });

  test('reads a script that no page before it has loaded, though its likes need no browser', async () => {
    const items = 2 * SAMPLES;
    const page = (number: number): Route =>
      `<script src="/a.js?v=${number < items - 1 ? 1 : 2}"></script><title>${number}</title><a href="/item/${number + 1}">next</a>`;
    await using site = await FixtureServer.open({
      ...Object.fromEntries(Array.from({ length: items }, (_, index) => [`/item/${index}`, page(index)])),
      '/a.js': ({ url }, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(url?.endsWith('2') === true ? 'const next = "/found/two"' : 'const next = "/found/one"');
      },
      '/found/one': '<title>one</title>',
      '/found/two': '<title>two</title>',
    });
    const { pages, links } = await runCrawl({ seeds: [site.url('/item/0')], delay: 0, render: 'auto', workers: 1 });
    const literals = links
      .filter(({ context }) => context === 'literal' || context === 'script comment')
      .map(({ to }) => to);
    expect(literals.toSorted()).toEqual([site.url('/found/one'), site.url('/found/two')]);
    expect(pages.filter(({ rendered }) => rendered)).toHaveLength(SAMPLES + 1);
  });

  test('leaves a host that sets cookies to the browser', async () => {
    const visits = new Set<string>();
    const page =
      (more: string): Route =>
      (request, response) => {
        visits.add(request.headers.cookie ?? 'none');
        response.setHeader('set-cookie', 'visitor=7; path=/');
        response.setHeader('content-type', 'text/html');
        response.end(`<title>${request.headers.cookie ?? 'none'}</title>${more}`);
      };
    await using site = await FixtureServer.open({
      '/': page('<a href=/a>a</a><a href=/b>b</a>'),
      '/a': page(''),
      '/b': page(''),
    });
    const { pages } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.every(({ rendered }) => rendered)).toBe(true);
    expect(pages.map(({ title }) => title ?? '').toSorted()).toEqual(['none', 'visitor=7', 'visitor=7']);
  });

  test('takes cookies that test the browser or are deleted for none', async () => {
    const page =
      (text: string, cookies: readonly string[]): Route =>
      (_, response) => {
        response.setHeader('set-cookie', cookies);
        response.setHeader('content-type', 'text/html');
        response.end(text);
      };
    const cookies = ['wp_test_cookie=WP%20check; path=/', 'old=deleted; Max-Age=0; path=/'];
    await using site = await FixtureServer.open({
      '/': page('<title>in</title><a href=/a>a</a>', cookies),
      '/a': page('<title>a</title>', []),
    });
    const { pages } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.map(({ title, rendered }) => [title, rendered]).toSorted()).toEqual([
      ['a', false],
      ['in', false],
    ]);
  });

  test('renders every page where a picture of each is wanted', async () => {
    await using site = await openFixture('static-site');
    const { pages } = await runCrawl({
      seeds: [site.url],
      delay: 0,
      render: 'auto',
      snapshot: ['screenshot'],
      limit: 3,
    });
    const captured = pages.filter(({ outcome }) => outcome === 'captured');
    expect(captured.length).toBeGreaterThan(0);
    expect(captured.every(({ rendered, snapshot }) => rendered && snapshot.screenshot !== null)).toBe(true);
  });
});
