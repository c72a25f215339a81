import { describe, expect, it } from 'vitest';
import type { SitePage } from '../../support/audited-site.ts';
import { comparedSites, toldBy } from '../../support/compared-sites.ts';

const MENU =
  '<nav><a href="/">Start</a> <a href="/harbour">Harbour</a> <a href="/market">Market</a> <a href="/old">Old town</a></nav>';
const FISH =
  'The harbour was built by fishermen who sold herring in the villages around it, and it is busy to this day.';
const STALLS =
  'On the square farmers offer cheese, bread and honey; who comes early finds the best of it, and a place to sit.';
const WALLS =
  'Behind the walls lie lanes in which smiths and weavers worked, and the tower from which the watch looked out.';

interface PageParts {
  readonly title?: string;
  readonly head?: string;
  readonly menu?: string;
}

function page(body: string, { title = 'The town', head = '', menu = MENU }: PageParts = {}): string {
  return (
    `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="About ${title}">` +
    `<link rel="stylesheet" href="/site.3f9a1c02.css"><script src="/app-BsdF1fGk.js?v=1"></script>${head}</head>` +
    `<body>${menu}<main><h1>${title}</h1><p>${body}</p></main><footer>Imprint</footer></body></html>`
  );
}

const PAGES: Readonly<Record<string, SitePage | string>> = {
  '/': page('A town by the sea, with a harbour and a market.', {
    head: '<link rel="alternate" hreflang="en" href="/"><link hreflang="de" href="/de/" rel="alternate"><link rel="alternate" hreflang="es" href="/es/">',
  }),
  '/harbour': page(FISH, { title: 'Harbour' }),
  '/market': page(STALLS, {
    title: 'Market',
    head: '<script type="application/ld+json">{"@type":"Event","name":"Market day","offers":{"price":12}}</script>',
  }),
  '/old': { redirect: '/walls' },
  '/walls': page(WALLS, { title: 'Walls', head: '<link rel="canonical" href="https://example.org/walls">' }),
};

function changed(
  pages: Readonly<Record<string, SitePage | string>>,
  gone: readonly string[] = [],
): { pages: typeof PAGES } {
  const all = { ...PAGES, ...pages };
  return { pages: Object.fromEntries(Object.entries(all).filter(([path]) => !gone.includes(path))) };
}

const CASES: readonly (readonly [what: string, now: ReturnType<typeof changed>, told: readonly string[]])[] = [
  ['nothing', changed({}), []],
  [
    'a status',
    changed({
      '/walls': {
        html: page(WALLS, { title: 'Walls', head: '<link rel="canonical" href="https://example.org/walls">' }),
        status: 203,
      },
    }),
    ['changed-status: It answered with status 200, and now with status 203'],
  ],
  [
    'a redirect',
    changed({ '/old': { redirect: '/harbour' } }),
    ['changed-redirects: It redirected to /walls (status 301), and now to /harbour (status 301)'],
  ],
  [
    'the title of all pages',
    {
      pages: Object.fromEntries(
        Object.entries(PAGES).map(([path, html]) => [
          path,
          typeof html === 'string' ? html.replace('</title>', ' | Guide</title>') : html,
        ]),
      ),
    },
    ['changed-title: The title was “The town”, and is “The town | Guide” (4)'],
  ],
  [
    'a description',
    changed({ '/harbour': page(FISH, { title: 'Harbour' }).replace('About Harbour', 'All about the harbour') }),
    ['changed-meta: The description was “About Harbour”, and is “All about the harbour”'],
  ],
  [
    'a canonical address',
    changed({ '/walls': page(WALLS, { title: 'Walls', head: '<link rel="canonical" href="https://example.org/">' }) }),
    ['changed-canonical: The canonical address was “/walls”, and is “/”'],
  ],
  [
    'a canonical address, to one of another site',
    changed({ '/walls': page(WALLS, { title: 'Walls', head: '<link rel="canonical" href="https://b.example/w">' }) }),
    ['changed-canonical: The canonical address was “/walls”, and is “b.example/w”'],
  ],
  [
    'a redirect, to another site',
    changed({ '/old': { redirect: 'https://b.example/w' } }),
    ['changed-redirects: It redirected to /walls (status 301), and now to b.example/w (status 301)'],
  ],
  [
    'characters that nobody sees',
    changed({ '/harbour': page(FISH.replace('herring', 'her\u00adring'), { title: 'Har\u200bbour' }) }),
    [
      'changed-meta: The description was “About Harbour”, and is “About Har‹U+200B›bour”',
      'changed-meta: The first heading was “Harbour”, and is “Har‹U+200B›bour”',
      'changed-text: The text changed in 2 passages',
      'changed-title: The title was “Harbour”, and is “Har‹U+200B›bour”',
    ],
  ],
  [
    'versions in other languages: one that came everywhere, one that went, one at another address',
    {
      pages: Object.fromEntries(
        Object.entries(PAGES).map(([path, html]) => [
          path,
          typeof html === 'string'
            ? html
                .replace('</head>', `<link rel="alternate" hreflang="fr" href="/fr${path}"></head>`)
                .replace('hreflang="de" href="/de/"', 'hreflang="de" href="https://example.de/"')
                .replace('<link rel="alternate" hreflang="es" href="/es/">', '')
            : html,
        ]),
      ),
    },
    [
      'changed-meta: The list of its versions in other languages has fr now (3)',
      'changed-meta: The version for de was “/de/”, and is “example.de/”',
      'changed-meta: The list of its versions in other languages no longer has es, and has fr now',
    ],
  ],
  [
    'what robots are told',
    changed({ '/harbour': page(FISH, { title: 'Harbour', head: '<meta name="robots" content="noindex, follow">' }) }),
    ['changed-robots: Robots were told nothing, and are told “noindex”'],
  ],
  [
    'what Google alone is told',
    changed({
      '/harbour': page(FISH, {
        title: 'Harbour',
        head: '<meta name="googlebot" content="noindex, follow"><meta name="bingbot" content="index">',
      }),
    }),
    ['changed-robots: Robots were told nothing, and are told “googlebot: noindex”'],
  ],
  [
    'a link',
    changed({ '/harbour': page(FISH, { title: 'Harbour', menu: MENU.replace('"/old"', '"/walls"') }) }),
    ['changed-links: In place of the link to /old there is the link to /walls'],
  ],
  [
    'the last link of a menu, and the first one behind it, which has nothing to do with it',
    changed({
      '/harbour': page(FISH.replace('fishermen', '<a href="/walls">fishermen</a>'), {
        title: 'Harbour',
        menu: MENU.replace('<a href="/old">Old town</a>', 'Old town'),
      }),
    }),
    ['changed-links: The link to /old is gone', 'changed-links: A new link to /walls'],
  ],
  [
    'a link, and another one elsewhere on the page',
    changed({
      '/harbour': page(FISH, {
        title: 'Harbour',
        menu: MENU.replace('<a href="/market">', '<a>').replace('</nav>', '<a href="/walls"></a></nav>'),
      }),
    }),
    ['changed-links: The link to /market is gone', 'changed-links: A new link to /walls'],
  ],
  [
    'links to another site',
    changed({
      '/harbour': page(FISH, {
        title: 'Harbour',
        menu: `${MENU}<a href="https://b.example/w"></a><a href="http://c.example/s"></a>`,
      }),
    }),
    ['changed-links: A new link to http://c.example/s', 'changed-links: A new link to https://b.example/w'],
  ],
  [
    'a file that is loaded',
    changed({
      '/harbour': page(FISH, { title: 'Harbour', head: '<script src="https://count.example/c.js"></script>' }),
    }),
    ['changed-files: A file that was not loaded before: https://count.example/c.js'],
  ],
  [
    'a text',
    changed({ '/harbour': page(FISH.replace('herring', 'mackerel'), { title: 'Harbour' }) }),
    [
      'changed-text: The text changed: … was built by fishermen who sold [-herring-] {+mackerel+} in the villages around it, and …',
    ],
  ],
  [
    'a line of all pages',
    {
      pages: Object.fromEntries(
        Object.entries(PAGES).map(([path, html]) => [
          path,
          typeof html === 'string' ? html.replace('Imprint', 'Legal notice') : html,
        ]),
      ),
    },
    ['changed-text: The text changed: [-Imprint-] {+Legal notice+} (4)'],
  ],
  [
    'structured data',
    changed({
      '/market': page(STALLS, {
        title: 'Market',
        head: '<script type="application/ld+json">{"@type":"Event","name":"Market day","offers":{"price":14}}</script>',
      }),
    }),
    ['changed-structured-data: The structured data had Event.offers.price: 12, and has Event.offers.price: 14'],
  ],
  [
    'an error',
    changed({
      '/harbour': {
        html: page(FISH, { title: 'Harbour' }),
        behaviour: { exceptions: { count: 1, first: [{ text: 'TypeError: map is not a function', source: null }] } },
      },
    }),
    ['changed-errors: An error that was not there: exception: TypeError: map is not a function'],
  ],
  [
    'weight',
    changed({
      '/harbour': {
        html: page(FISH, { title: 'Harbour' }),
        behaviour: {
          requests: {
            document: { count: 1, wire: 1000, decoded: 1000 },
            image: { count: 1, wire: 50_000, decoded: 50_000 },
          },
        },
      },
    }),
    ['changed-weight: It weighed 1000 bytes, and weighs 50 kB (+5000 %)'],
  ],
];

describe('a site of which one thing has changed', () => {
  it.each(CASES)('tells exactly that: %s', async (_what, now, told) => {
    expect(toldBy(await comparedSites({ pages: PAGES }, now))).toEqual(told);
  });
});
