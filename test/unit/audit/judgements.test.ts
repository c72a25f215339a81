/** Judgements of single rules where the standard, or what search engines and browsers do, decides. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import { DETAILED_HEADER_LENGTH } from '../../../src/model/page-details.ts';
import { documentOf, prose, storeSite, type AuditedSiteParts, type SitePage } from '../../support/audited-site.ts';

const NAV = '<a href="/">Start</a> <a href="/about">About</a>';
const page = (title: string, head = '', body = ''): string =>
  documentOf(`${NAV}${prose(title)}${body}`, { title, head });
const about = page('About the town');
const canonical = (href: string): string => `<link rel="canonical" href="${href}">`;
const alternates = (...of: readonly (readonly [string, string])[]): string =>
  of.map(([code, href]) => `<link rel="alternate" hreflang="${code}" href="${href}">`).join('');

/** The findings of one rule: address of the page and target, both without the origin. */
async function found(rule: string, parts: AuditedSiteParts): Promise<readonly string[]> {
  await using site = await storeSite(parts);
  const { findings, coverage } = await auditCrawl(site.folder, { only: [rule] });
  expect(coverage.judged).toBeGreaterThan(0);
  return findings
    .map(({ url, target }) =>
      [url, target ?? '']
        .map((each) => each.replace('https://example.org', ''))
        .join(' ')
        .trim(),
    )
    .toSorted();
}

async function messages(rule: string, parts: AuditedSiteParts): Promise<readonly string[]> {
  await using site = await storeSite(parts);
  return (await auditCrawl(site.folder, { only: [rule] })).findings.map(({ message }) => message);
}

describe('words to search engines in the body of a page', () => {
  it('are found wherever the head ended, each with its place', async () => {
    const body = (path: string): string =>
      `<meta name="Robots" content="noindex"><p id="p"><link rel="alternate" hreflang="de" href="${path}">`;
    const pages = { '/': page('The harbour', canonical('/'), body('/de')), '/about': page('About', '', body('/de/a')) };
    await using site = await storeSite({ pages });
    const { findings } = await auditCrawl(site.folder, { only: ['misplaced-metadata'] });
    const told = findings.map(({ message, severity, evidence, sources }) => [
      ...[message, severity, evidence.selector, sources.count],
    ]);
    expect(told.toSorted()).toEqual([
      ['A directive for robots stands in the body of the page', 'warning', 'meta', 1],
      ['A directive for robots stands in the body of the page', 'warning', 'meta', 1],
      ['An alternate stands in the body of the page', 'error', '#p > link', 1],
      ['An alternate stands in the body of the page', 'error', '#p > link', 1],
    ]);
  });
});

describe('a redirect', () => {
  it('from http to https is told with both addresses, and another one by its paths', async () => {
    const pages = {
      '/': page('The harbour'),
      '/about': about,
      'http://example.org/about': { redirect: '/about' },
      '/old': { redirect: '/about' },
    };
    const sitemap = ['/', 'http://example.org/about', '/old'];
    expect((await messages('sitemap-entry-redirects', { pages, sitemap })).toSorted()).toEqual([
      'The sitemap names /old, which redirects to /about',
      'The sitemap names http://example.org/about, which redirects to https://example.org/about',
    ]);
  });

  const linked = page('The harbour', '', '<a href="/a">a</a>');

  it('to its own address is a circle', async () => {
    const pages = { '/': linked, '/about': about, '/a': { redirect: '/a' } };
    expect(await found('redirect-loop', { pages })).toEqual(['/ /a']);
    expect(await messages('sitemap-entry-failed', { pages, sitemap: ['/', '/a'] })).toEqual([
      'The sitemap names /a, which is redirected in a circle',
    ]);
  });

  it('that leads to nothing is told with the address that fails', async () => {
    const head = alternates(['en', '/'], ['de', '/a']);
    const pages: AuditedSiteParts['pages'] = {
      '/': page('The harbour', head, '<a href="/c">c</a>'),
      '/about': about,
      ...{ '/a': { redirect: '/gone' }, '/gone': {} },
      ...{ '/c': { redirect: '/busy' }, '/busy': { outcome: 'http-error', status: 503 } },
    };
    const sitemap = ['/', '/a'];
    const way = 'redirects to /gone, which answers with status 404';
    expect(await messages('sitemap-entry-failed', { pages, sitemap })).toEqual([`The sitemap names /a, which ${way}`]);
    expect(await messages('broken-hreflang', { pages })).toEqual([`The alternate for de is /a, which ${way}`]);
    expect(await messages('link-target-failed', { pages })).toEqual([
      'Not sure: /c redirects to /busy, which answers with status 503',
    ]);
  });

  it('is counted in a chain that ends at a page that was not visited', async () => {
    const pages = {
      '/': linked,
      '/about': about,
      '/a': { redirect: '/b' },
      '/b': { redirect: 'https://other.example/' },
    };
    expect(await messages('redirect-chain', { pages })).toEqual([
      'Link to /a, which is redirected 2 times before https://other.example/',
    ]);
    expect(
      await found('redirect-chain', { pages: { ...pages, '/a': { redirect: 'https://other.example/' } } }),
    ).toEqual([]);
  });
});

describe('a canonical address that redirects', () => {
  it('is a chain also where it leads to an address that was not visited, as of another site', async () => {
    const elsewhere = { redirect: 'https://other.example/harbour' };
    const pages = { '/': page('The harbour', canonical('/a')), '/about': about };
    expect(await messages('chained-canonical', { pages: { ...pages, '/a': elsewhere } })).toEqual([
      'The canonical address /a redirects to https://other.example/harbour',
    ]);
    expect(await messages('chained-canonical', { pages })).toEqual([]);
    expect(await messages('chained-canonical', { pages: { ...pages, '/a': { redirect: '/a' } } })).toEqual([]);
  });
});

describe('a canonical address of a Link header', () => {
  const named = (from: string, to: string): NonNullable<AuditedSiteParts['links']> => [
    { from, to, kind: 'header', context: 'Link;rel=canonical', rel: ['canonical'] },
  ];
  const pages = {
    '/': page('The harbour', canonical('/')),
    '/about': page('About', canonical('/about')),
    '/print': page('The harbour to print'),
    '/old': {},
  };

  it('is one: the page lacks none', async () => {
    expect(await found('missing-canonical', { pages })).toEqual(['/print']);
    expect(await found('missing-canonical', { pages, links: named('/print', '/print') })).toEqual([]);
  });

  it('is looked at as that of the markup is', async () => {
    expect(await found('broken-canonical', { pages, links: named('/print', '/old') })).toEqual(['/print /old']);
    await using twice = await storeSite({
      pages: { ...pages, '/print': page('To print', canonical('/old')) },
      links: named('/print', '/old'),
    });
    const { findings } = await auditCrawl(twice.folder, { only: ['broken-canonical'] });
    expect(findings.map(({ sources }) => sources.count)).toEqual([1]);
    expect(await found('conflicting-canonicals', { pages, links: named('/about', '/') })).toEqual(['/about']);
    expect(await found('conflicting-canonicals', { pages, links: named('/about', '/about') })).toEqual([]);
    const twins = { ...pages, '/print': page('The harbour') };
    expect(await found('duplicate-title', { pages: twins })).toEqual(['/']);
    expect(await found('duplicate-title', { pages: twins, links: named('/print', '/') })).toEqual([]);
  });
});

describe('an alternate', () => {
  const group = alternates(['en', '/'], ['de', '/de']);
  const pages = { '/': page('The harbour', group), '/about': about, '/de': page('Der Hafen') };

  it('is confirmed by a Link header, and by a sitemap that names both', async () => {
    expect(await found('unreciprocal-hreflang', { pages })).toEqual(['/ /de']);
    const header = { from: '/de', kind: 'header', context: 'Link;rel=alternate', rel: ['alternate'] } as const;
    expect(await found('unreciprocal-hreflang', { pages, links: [{ ...header, to: '/' }] })).toEqual([]);
    expect(await found('unreciprocal-hreflang', { pages, links: [{ ...header, to: '/about' }] })).toEqual(['/ /de']);
    const listed = { from: '/sitemap.xml', kind: 'sitemap', context: 'xhtml:link/@href' } as const;
    const one = { ...listed, to: '/' };
    expect(await found('unreciprocal-hreflang', { pages, links: [one, { ...listed, to: '/de' }] })).toEqual([]);
    expect(await found('unreciprocal-hreflang', { pages, links: [one] })).toEqual(['/ /de']);
  });

  it('of the page itself may stand in a header or a sitemap, lead there, or be left to the canonical page', async () => {
    const others = alternates(['de', '/de']);
    const rest = { '/about': about, '/de': page('Der Hafen', group), '/home': { redirect: '/' } };
    const start = (head: string) => ({ '/': page('The harbour', head), ...rest });
    const told = (head: string, links: AuditedSiteParts['links'] = []) =>
      found('missing-self-hreflang', { pages: start(head), links });
    expect(await told(others)).toEqual(['/']);
    expect(await told(group)).toEqual([]);
    expect(await told(others + alternates(['en', '/home']))).toEqual([]);
    expect(await told(others + canonical('/about'))).toEqual([]);
    expect(await told('', [])).toEqual([]);
    expect(
      await told(others, [{ from: '/', to: '/', kind: 'header', context: 'Link;rel=alternate', rel: ['alternate'] }]),
    ).toEqual([]);
    expect(
      await told(others, [{ from: '/sitemap.xml', to: '/', kind: 'sitemap', context: 'xhtml:link/@href' }]),
    ).toEqual([]);
  });

  it('need not name a page that leaves its place to the canonical one', async () => {
    const both = { '/': page('The harbour', group), '/about': about, '/de': page('Der Hafen', group) };
    const copy = page('The harbour again', canonical('/') + group);
    expect(await found('unreciprocal-hreflang', { pages: { ...both, '/?from=mail': copy } })).toEqual([]);
    const other = page('The market', group);
    expect(await found('unreciprocal-hreflang', { pages: { ...both, '/market': other } })).toEqual([
      '/market /',
      '/market /de',
    ]);
  });

  it('cannot be listed where it is forbidden, hides or leaves its place, and the page that names it is listed', async () => {
    const told = (head: string, other: SitePage | string, more: Partial<AuditedSiteParts> = {}) =>
      messages('unlisted-hreflang', {
        pages: { '/': page('The harbour', head), '/about': about, '/de': other },
        ...more,
      });
    const german = (head = ''): string => page('Der Hafen', group + head);
    const names = 'The alternate for de, /de,';
    expect(await told(group, { html: german(), robots: ['googlebot: noindex'] })).toEqual([
      `${names} says noindex to googlebot`,
    ]);
    expect(await told(group, german(canonical('/')))).toEqual([`${names} names this page as canonical`]);
    expect(await told(group, german(canonical('/about')))).toEqual([`${names} names /about as canonical`]);
    const forbidden = { url: 'https://example.org/forbidden', reason: 'disallowed-by-robots' } as const;
    const skipped = [{ ...forbidden, rule: 'Disallow: /forbidden', referrer: null }];
    expect(await told(group + alternates(['fr', '/forbidden']), german(), { skipped })).toEqual([
      'The alternate for fr, /forbidden, is forbidden by robots.txt',
    ]);
    expect(await told(group, german(canonical('/de')))).toEqual([]);
    expect(await told(group + canonical('/about'), german(canonical('/about')))).toEqual([]);
  });

  it.each(['en-EU', 'zh-Hant-UN'])('for a union of countries is none: %s', async (code) => {
    const parts = { pages: { '/': page('The harbour', alternates([code, '/'])), '/about': about } };
    expect(await messages('invalid-hreflang', parts)).toEqual([`hreflang="${code}": ${code.slice(-2)} is no country`]);
    const html = documentOf(NAV + prose('The harbour'), { html: `<html lang="${code}">` });
    expect(await found('invalid-lang', { pages: { '/': html } })).toEqual([]);
  });
});

describe('an encoding', () => {
  const declared = (type: string, parts: Partial<AuditedSiteParts> = {}): AuditedSiteParts => ({
    pages: { '/': { html: page('The harbour'), headers: { 'content-type': type } }, '/about': about },
    ...parts,
  });

  it('is compared with the header of the answer', async () => {
    expect(await messages('encoding-conflict', declared('text/html; charset=ISO-8859-2'))).toEqual([
      'The encoding is declared as iso-8859-2 and as utf-8',
    ]);
    expect(await messages('encoding-conflict', declared('text/html; charset=ISO-8859-1'))).toEqual([
      'The encoding is declared as iso-8859-1 and as utf-8',
    ]);
    expect(await messages('encoding-conflict', declared('text/html;charset="UTF8"'))).toEqual([]);
    expect(await messages('encoding-conflict', declared('text/html'))).toEqual([]);
  });

  it('is not that of our own server', async () => {
    const served = { origin: 'http://127.0.0.1:4000', crawl: { served: [{ folder: '/dist', port: 4000 }] } };
    expect(await messages('encoding-conflict', declared('text/html; charset=ISO-8859-2', served))).toEqual([]);
  });
});

describe('a request by http', () => {
  it.each([
    ['meta[og:image]/@content', 'resource', 'high'],
    ['json-ld', 'resource', 'high'],
    ['head/@profile', 'resource', 'high'],
    ['base/@href', 'resource', 'high'],
    ['a/@ping', 'resource', 'high'],
    ['literal', 'resource', 'low'],
    ['literal', 'request', 'low'],
  ] as const)(
    'is none where %s (%s, %s) names it for other programs, or is a guess',
    async (context, kind, confidence) => {
      const links = [{ from: '/', to: 'http://cdn.example/x.png', kind, context, confidence }];
      expect(await found('mixed-content', { pages: { '/': page('The harbour'), '/about': about }, links })).toEqual([]);
    },
  );

  it('is none of a feed', async () => {
    const to = 'http://cdn.example/1.mp3';
    const links = [{ from: '/feed.xml', to, kind: 'resource', context: 'enclosure/@url' }] as const;
    expect(await found('mixed-content', { pages: { '/': page('The harbour'), '/about': about }, links })).toEqual([]);
  });

  it.each(['img/@data-src', 'div/@data-bg', 'svg:image/@xlink:href', 'link/@imagesrcset', 'object/@data'])(
    'is one where %s loads it',
    async (context) => {
      const links = [{ from: '/', to: 'http://cdn.example/x.png', kind: 'resource', context }] as const;
      expect(await found('mixed-content', { pages: { '/': page('The harbour'), '/about': about }, links })).toEqual([
        '/ http://cdn.example/x.png',
      ]);
    },
  );

  it('may go by https where a policy is too long to be known to its end', async () => {
    const policy = `default-src ${'https://cdn.example '.repeat(200)}`.slice(0, DETAILED_HEADER_LENGTH);
    const home = { html: page('The harbour', '', form), headers: { 'content-security-policy': policy } };
    const parts = { pages: { '/': home, '/about': about }, links: [script] };
    expect(await found('mixed-content', parts)).toEqual([]);
    expect(await found('form-over-http', parts)).toEqual([]);
  });

  const script = { from: '/', to: 'http://cdn.example/x.js', kind: 'resource', context: 'script/@src' } as const;
  const form = '<form action="http://example.net/ask"><input name="q"></form>';
  const policy = "default-src 'self'; Upgrade-Insecure-Requests";

  it.each([
    ['a header', { html: page('The harbour', '', form), headers: { 'content-security-policy': policy } }],
    [
      'a meta element',
      page('The harbour', `<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests">`, form),
    ],
  ])('goes by https where the policy in %s says so', async (_name, home) => {
    const parts = { pages: { '/': home, '/about': about }, links: [script] };
    expect(await found('mixed-content', parts)).toEqual([]);
    expect(await found('form-over-http', parts)).toEqual([]);
  });

  it('goes by http where the policy is of another name', async () => {
    const headers = { 'content-security-policy': 'report-uri /upgrade-insecure-requests' };
    const parts = { pages: { '/': { html: page('The harbour', '', form), headers } }, links: [script] };
    expect(await found('mixed-content', parts)).toEqual(['/ http://cdn.example/x.js']);
    expect(await found('form-over-http', parts)).toEqual(['/ http://example.net/ask']);
  });

  it.each([
    ['img/@src', 'warning'],
    ['img/@srcset', 'error'],
    ['source/@srcset', 'error'],
    ['video/@poster', 'warning'],
  ])('for %s is a finding of severity %s', async (context, severity) => {
    await using site = await storeSite({
      pages: { '/': page('The harbour') },
      links: [{ from: '/', to: 'http://cdn.example/x.png', kind: 'resource', context }],
    });
    const { findings } = await auditCrawl(site.folder, { only: ['mixed-content'] });
    expect(findings.map((finding) => finding.severity)).toEqual([severity]);
  });
});

describe('the protection against frames', () => {
  const long = `default-src ${'https://cdn.example '.repeat(200)}`.slice(0, DETAILED_HEADER_LENGTH);
  it.each([
    ['is missing without frame-ancestors', "default-src 'self'", ['/']],
    ['may stand beyond the kept part of a long policy', long, []],
  ])('%s', async (_name, policy, expected) => {
    const headers = { 'content-security-policy': policy };
    const parts = { pages: { '/': { html: page('The harbour'), headers }, '/about': about } };
    expect(await found('missing-frame-protection', parts)).toEqual(expected);
  });

  it('may stand in the second of two policies', async () => {
    const headers = { 'content-security-policy': "default-src 'self'" };
    await using site = await storeSite({ pages: { '/': { html: page('The harbour'), headers } } });
    const place = join(site.folder, 'details.jsonl');
    const line = await readFile(place, 'utf8');
    const first = JSON.stringify(Object.entries(headers)[0]);
    expect(line).toContain(first);
    await writeFile(place, line.replace(first, `${first},["content-security-policy","frame-ancestors 'none'"]`));
    expect((await auditCrawl(site.folder, { only: ['missing-frame-protection'] })).findings).toEqual([]);
  });
});

describe('a heading of the first level', () => {
  const headed = (heading: string): AuditedSiteParts => ({
    pages: { '/': page('The harbour').replace(/<h1>.*?<\/h1>/, heading), '/about': about },
  });

  it.each([
    '<h1><a href="/"><img src="/logo.png" alt="The town"></a></h1>',
    '<h1 aria-label="The town"><svg></svg></h1>',
    '<div role="heading" aria-level="1">The town</div>',
  ])('has a name without text: %s', async (heading) => {
    expect(await found('missing-h1', headed(heading))).toEqual([]);
  });

  it.each([
    '<h1><img src="/logo.png" alt=""></h1>',
    '<h1> </h1><img src="/logo.png" alt="The town">',
    '<div role="heading" aria-level="2">The town</div>',
  ])('has none: %s', async (heading) => {
    expect(await found('missing-h1', headed(heading))).toEqual(['/']);
  });
});

describe('an image', () => {
  it.each([
    '<img srcset="/map.png 1x, /map@2.png 2x" width="9" height="9">',
    '<img src="/map.png" aria-label="" width="9" height="9">',
    '<img src="/map.png" title=" " width="9" height="9">',
  ])('has no text alternative: %s', async (image) => {
    expect(await messages('image-without-alt', { pages: { '/': page('The harbour', '', image) } })).toEqual([
      'The image /map.png has no alt attribute',
    ]);
  });

  it('that a script loads later is the one that it loads, not the placeholder', async () => {
    const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const lazy = [
      `<img src="${blank}" data-src="/boat.jpg">`,
      `<img src="${blank}" data-lazy-src="/oar.jpg">`,
      `<img src="${blank}" data-srcset="/sail.jpg 1x, /sail@2.jpg 2x">`,
      '<img class="lazyload" data-src="/quay.jpg">',
      `<img src="${blank}" data-src="/named.jpg" alt="Named">`,
      '<img data-src="{{ image.file }}">',
      '<img data-lazy="true">',
    ];
    const pages = { '/': page('The harbour', '', lazy.join('')), '/about': about };
    expect((await messages('image-without-alt', { pages })).toSorted()).toEqual(
      ['boat', 'oar', 'quay', 'sail'].map((name) => `The image /${name}.jpg has no alt attribute`),
    );
    expect(await messages('image-without-size', { pages })).toEqual([]);
  });

  it.each(['<img srcset="/map.png 1x" alt="Map">', '<img src="/map.png" aria-label="Map">', '<img alt>'])(
    'has one: %s',
    async (image) => {
      expect(await messages('image-without-alt', { pages: { '/': page('The harbour', '', image) } })).toEqual([]);
    },
  );
});

describe('the language of a page', () => {
  it.each([
    ['application/xhtml+xml', []],
    ['text/html', ['/']],
  ])('is said by xml:lang in a document of XML alone: %s', async (contentType, expected) => {
    const html = documentOf(NAV + prose('The harbour'), { html: '<html xml:lang="en">' });
    expect(await found('missing-lang', { pages: { '/': { html, contentType }, '/about': about } })).toEqual(expected);
  });
});

describe('a document of XML', () => {
  it.each([
    ['application/xhtml+xml', ['/']],
    ['text/html', []],
  ])('has elements that end with their start tag: %s', async (contentType, expected) => {
    const written = documentOf(`${NAV}${prose('The harbour')}<img src="/boat.png"/>`);
    const html = written.replace('<title>', '<script src="/boat.js"/><title>');
    const pages = { '/': { html, contentType }, '/about': about };
    expect(await found('image-without-alt', { pages })).toEqual(expected);
  });
});

describe('structured data', () => {
  const block = (thing: object): string => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;
  const rated = { '@type': 'Product', '@id': '#boat', aggregateRating: { ratingValue: 4 } };

  it('may describe a thing in several blocks', async () => {
    const named = { '@graph': [{ '@type': 'Product', '@id': '#boat', name: 'Boat' }] };
    const whole = { pages: { '/': page('The harbour', block(rated) + block(named)), '/about': about } };
    expect(await messages('incomplete-structured-data', whole)).toEqual([]);
    const other = { '@type': 'Product', '@id': '#oar', name: 'Oar', offers: { price: 9 } };
    const parts = { pages: { '/': page('The harbour', block(rated) + block(other)), '/about': about } };
    expect(await messages('incomplete-structured-data', parts)).toEqual(['Product lacks name']);
  });

  it('of a product says what it costs or what others think of it', async () => {
    const lacking = async (thing: object): Promise<readonly string[]> =>
      messages('incomplete-structured-data', { pages: { '/': page('The harbour', block(thing)), '/about': about } });
    const bare = { '@type': 'Product', name: 'Boat' };
    expect(await lacking(bare)).toEqual(['Product lacks offers or review or aggregateRating']);
    expect(await lacking({ ...bare, review: { author: 'Ann' } })).toEqual([]);
  });
});

describe('structured data with names of schema.org in full, or with a prefix', () => {
  const dataset = (prefix: string, more: object): SitePage => {
    const thing = { '@context': { schema: 'http://schema.org/' }, '@type': `${prefix}Dataset`, ...more };
    return { html: page('Tides', `<script type="application/ld+json">${JSON.stringify(thing)}</script>`) };
  };

  // CKAN, the program of most data portals, writes it so
  it.each(['schema:', 'http://schema.org/', 'https://schema.org/', ''])(
    'has the properties that it names: %j',
    async (prefix) => {
      const whole = { [`${prefix}name`]: 'Tides', [`${prefix}description`]: 'Every six hours' };
      expect(
        await messages('incomplete-structured-data', { pages: { '/': dataset(prefix, whole), '/about': about } }),
      ).toEqual([]);
      const half = { [`${prefix}name`]: 'Tides' };
      expect(
        await messages('incomplete-structured-data', { pages: { '/': dataset(prefix, half), '/about': about } }),
      ).toEqual(['Dataset lacks description']);
    },
  );
});

describe('a page that shows a thing several times', () => {
  const twice = '<img src="/map.png" width="9" height="9">'.repeat(2);

  it('is counted once', async () => {
    const plain = page('About the town', '', twice);
    await using site = await storeSite({ pages: { '/': page('The harbour', '', twice), '/about': plain } });
    const { findings } = await auditCrawl(site.folder, { only: ['image-without-alt'] });
    expect(findings.map(({ sources }) => [sources.count, ...sources.first.map(({ url }) => url)])).toEqual([
      [2, 'https://example.org/', 'https://example.org/about'],
    ]);
  });
});

describe('canonical addresses', () => {
  it('in a circle have no last one to be named', async () => {
    const pages = {
      '/': page('The harbour', canonical('/about')),
      '/about': page('About', canonical('/')),
      '/print': page('To print', canonical('/about')),
    };
    expect(await messages('chained-canonical', { pages })).toEqual([
      'The canonical address /about names this page in turn',
      'The canonical address / names this page in turn',
      'The canonical address /about has / as its own',
    ]);
  });
});

describe('an address that a relation names', () => {
  const element = (rel: string, to: string, more: object = {}) =>
    ({ from: '/', to, kind: 'link-element', rel: [rel], context: 'link/@href', ...more }) as const;

  it('is looked up for each relation that leads to pages or feeds, by redirects, and told of once', async () => {
    const pages: AuditedSiteParts['pages'] = {
      ...{ '/': page('The harbour', alternates(['de', '/de'])), '/about': about },
      ...{ '/amp': {}, '/feed': { redirect: '/feed/new' }, '/feed/new': { status: 410 }, '/de': {}, '/style.css': {} },
      ...{
        '/slow': { outcome: 'http-error', status: 503 },
        '/other': {},
        '/api': {},
        '/circle': { redirect: '/circle' },
      },
    };
    const links = [
      ...[element('amphtml', '/amp'), element('alternate', '/feed'), element('alternate', '/de')],
      ...[element('stylesheet', '/style.css'), element('pingback', '/api'), element('prev', '/slow')],
      ...[element('canonical', '/other'), element('next', '/circle'), element('amphtml', '/amp', { from: '/about' })],
    ];
    expect((await messages('broken-relation', { pages, links })).toSorted()).toEqual([
      'The address of the relation alternate is /feed, which redirects to /feed/new, which answers with status 410',
      'The address of the relation amphtml is /amp, which answers with status 404',
      'The address of the relation next is /circle, which is redirected in a circle',
    ]);
  });

  it('is told of as a link where readers are led there as well', async () => {
    const pages = { '/': page('The harbour', '<a href="/amp">AMP</a>'), '/about': about, '/amp': {} };
    const links = [element('amphtml', '/amp')];
    expect(await found('broken-link', { pages, links })).toEqual(['/ /amp']);
    expect(await found('broken-relation', { pages, links })).toEqual([]);
  });

  it('is looked up in Link headers, too, and not on error pages', async () => {
    const pages = { '/': page('The harbour'), '/about': about, '/amp': {} };
    const header = element('amphtml', '/amp', { kind: 'header', context: 'Link; rel=amphtml' });
    expect(await found('broken-relation', { pages, links: [header] })).toEqual(['/ /amp']);
    const lost = documentOf('<h1>Page not found</h1><p>We could not find what you look for.</p>', {
      title: 'Page not found',
    });
    expect(await found('broken-relation', { pages: { ...pages, '/': lost }, links: [header] })).toEqual([]);
  });
});

describe('a canonical address and an alternate', () => {
  const named = (href: string, more: AuditedSiteParts['pages']): AuditedSiteParts => ({
    pages: { '/': page('The harbour', canonical(href) + alternates(['de', href])), '/about': about, ...more },
  });

  it('are followed to the end of their redirects', async () => {
    const gone = named('/a', { '/a': { redirect: '/b' }, '/b': {} });
    expect(await messages('broken-canonical', gone)).toEqual([
      'The canonical address /a redirects to /b, which answers with status 404',
    ]);
    expect(await found('broken-hreflang', gone)).toEqual(['/ /a']);
    const circle = named('/a', { '/a': { redirect: '/b' }, '/b': { redirect: '/a' } });
    expect(await messages('broken-canonical', circle)).toEqual(['The canonical address /a is redirected in a circle']);
    expect(await messages('broken-hreflang', circle)).toEqual([
      'The alternate for de is /a, which is redirected in a circle',
    ]);
    expect(await found('broken-canonical', named('/a', { '/a': { redirect: '/about' } }))).toEqual([]);
  });

  it('are no address to be listed where the page keeps robots out, or robots.txt does', async () => {
    const hidden = (robots: readonly string[]): AuditedSiteParts =>
      named('/a', { '/a': { html: page('The market'), robots: [...robots] } });
    expect(await messages('broken-canonical', hidden(['noindex', 'follow']))).toEqual([
      'The canonical address /a says noindex',
    ]);
    expect(await messages('broken-canonical', hidden(['googlebot: none']))).toEqual([
      'The canonical address /a says noindex to googlebot',
    ]);
    expect(await messages('broken-canonical', hidden(['follow', 'otherbot: noindex']))).toEqual([]);
    const skip = {
      url: 'https://example.org/a',
      reason: 'disallowed-by-robots',
      rule: 'Disallow: /a',
      referrer: null,
    } as const;
    expect(await messages('broken-canonical', { ...named('/a', {}), skipped: [skip] })).toEqual([
      'The canonical address /a is forbidden by robots.txt',
    ]);
    // all of the site are kept out, as those of a preview are
    const preview = { html: page('The harbour', canonical('/a')), robots: ['noindex'] };
    expect(await messages('broken-canonical', { pages: { ...hidden(['noindex']).pages, '/': preview } })).toEqual([]);
  });

  it('are less sure where the server fails', async () => {
    const failing = named('/a', { '/a': { outcome: 'http-error', status: 503 } });
    await using site = await storeSite(failing);
    const { findings } = await auditCrawl(site.folder, { only: ['broken-canonical'] });
    expect(findings).toMatchObject([{ severity: 'warning', confidence: 'low', target: 'https://example.org/a' }]);
    expect(await found('broken-hreflang', failing)).toEqual([]);
  });
});

describe('a session cookie', () => {
  const bare = { domain: 'example.org', secure: false, httpOnly: false, sameSite: null, party: 'first' } as const;
  const withCookie = (name: string): AuditedSiteParts => ({
    pages: {
      '/': { html: page('The harbour'), behaviour: { cookies: { count: 1, first: [{ name, ...bare }] } } },
      '/about': about,
    },
  });

  it.each([
    'sbjs_session',
    '_hjSession_123456',
    '_hjSessionUser_123456',
    'rl_session',
    'optimizelySession',
    '__stripe_sid',
    'QSI_HistorySession',
    'kampyleUserSession',
    'QuantumMetricSessionID',
    'pys_session_limit',
    'ai_session',
    '_parsely_session',
    's_sess',
    '_gd_session',
    'sidebar_state',
    'comment_author_1f',
  ])('is none by the name %s', async (name) => {
    for (const rule of ['cookie-without-httponly', 'cookie-without-secure', 'cookie-without-samesite'])
      expect(await found(rule, withCookie(name))).toEqual([]);
  });

  it.each(['PHPSESSID', 'sid', 'connect.sid', 'auth_token', 'Authorization'])(
    'may be one by the name %s',
    async (name) => {
      expect(await found('cookie-without-httponly', withCookie(name))).toHaveLength(1);
    },
  );
});

describe('a certificate', () => {
  it.each([
    ['of 90 days ends soon in 13', { daysLeft: 13, lifetime: 90 }, 1],
    ['of 6 days does not in 4', { daysLeft: 4, lifetime: 6 }, 0],
    ['of 6 days does today', { daysLeft: 0, lifetime: 6 }, 1],
    ['of an older crawl does in 13', { daysLeft: 13 }, 1],
  ])('%s', async (_name, days, count) => {
    const home = { html: page('The harbour'), behaviour: { tls: { protocol: 'TLS 1.3', issuer: 'R13', ...days } } };
    expect(await found('certificate-expires-soon', { pages: { '/': home, '/about': about } })).toHaveLength(count);
  });
});

describe('an orphan', () => {
  const pages = (head: string): AuditedSiteParts['pages'] => ({
    '/': page('The harbour', '', '<a href="/summer/boat">Boat</a>'),
    '/about': about,
    '/summer/boat': page('Boat', head),
    '/boat': page('Boat', canonical('/boat')),
  });

  it('is none that links lead to by an address of which it is the canonical one', async () => {
    const sitemap = ['/', '/about', '/boat'];
    expect(await found('orphan-page', { pages: pages(canonical('/boat')), sitemap })).toEqual([]);
    expect(await found('orphan-page', { pages: pages(canonical('/summer/boat')), sitemap })).toEqual(['/boat']);
  });
});

describe('an address in the sitemap that redirects', () => {
  it.each([
    ['to another site', 'https://other.example/one', {}, 1],
    ['to a file', '/one.pdf', { '/one.pdf': { outcome: 'not-html', status: 200 } as const }, 1],
    ['to an address that was not visited', '/kept-back', {}, 1],
    ['to nothing', '/gone', { '/gone': {} }, 0],
    ['to itself', '/one', {}, 0],
  ])('%s', async (_name, redirect, more, count) => {
    const pages = { '/': page('The harbour'), '/about': about, '/one': { redirect }, ...more };
    const parts = { pages, sitemap: ['/', '/one'] };
    const rules = { 'sitemap-entry-redirects': count, 'sitemap-entry-failed': 1 - count };
    for (const [rule, expected] of Object.entries(rules))
      expect(await found(rule, parts)).toEqual(expected === 0 ? [] : ['/sitemap.xml /one']);
  });
});

describe('a link with nofollow', () => {
  it.each([
    ['/about?add-to-cart=37', 0],
    ['/about?page=2&filter_colour=red', 0],
    ['/about?f[0]=colour%3Ared', 0],
    ['/about?orderby=price', 0],
    ['/wp-login.php?redirect_to=%2Fabout', 0],
    ['/shop/cart/', 0],
    ['/about?page=2', 1],
    ['/about?sorted=1', 1],
    ['/login-guide', 1],
    ['/cart/boats', 1],
  ])('to %s is reported %i times', async (href, count) => {
    const pages = { '/': page('The harbour', '', `<a href="${href}" rel="nofollow">more</a>`), '/about': about };
    expect(await found('internal-nofollow', { pages })).toHaveLength(count);
  });
});

describe('a request of a script', () => {
  const requested = (title: string, behaviour: SitePage['behaviour'] = {}): SitePage => ({
    html: page(title),
    behaviour,
  });
  const failing = (url: string, status: number): SitePage => {
    const request = { method: 'GET', type: 'fetch', status, error: null, party: 'first', initiator: null } as const;
    const first = [{ url: `https://example.org${url}`, ...request }];
    return requested(`Page of ${url}`, { failed: { count: 1, first } });
  };

  it('is no fault where it asks who is signed in', async () => {
    expect(await found('failed-request', { pages: { '/': failing('/api/user', 401), '/about': about } })).toEqual([]);
    const pages = { '/': failing('/api/user', 403), '/about': about };
    expect(await found('failed-request', { pages })).toEqual(['/ /api/user']);
  });

  it('that fails is one thing whatever the numbers in its query', async () => {
    const first = failing('/api?do=teaser&_=1767323045678', 500);
    const pages = { '/': first, '/about': failing('/api?do=teaser&_=17673230', 500) };
    expect(await found('failed-request', { pages })).toEqual(['/ /api?do=teaser']);
    expect(await messages('failed-request', { pages })).toEqual(['The page loads /api?do=teaser (fetch): 500']);
    const other = { ...pages, '/about': failing('/api?do=list&_=17673230', 500) };
    expect(await found('failed-request', { pages: other })).toEqual(['/ /api?do=teaser', '/about /api?do=list']);
  });

  it('whose answer is unpacked is one thing with all others of its server', async () => {
    const unpacked = (title: string, ...urls: readonly string[]): SitePage => {
      const first = urls.map((url) => ({ url, type: 'fetch', wire: 9000, decoded: 9000 }));
      return requested(title, { uncompressed: { count: first.length, first } });
    };
    const home = unpacked('The harbour', 'https://example.org/a.json', 'https://api.example.org/a');
    const pages = { '/': home, '/about': unpacked('About the town', 'https://example.org/b.json') };
    expect(await found('uncompressed-text', { pages })).toEqual(['/ /a.json', '/ https://api.example.org/a']);
  });
});

describe('a file whose address has a hash or a version', () => {
  const builds = ['/app.3f9a1c02.js?ver=6.4.1', '/app.77be04d1.js?ver=6.4.2'] as const;
  const ids = async (rule: string, path: string, origin: string): Promise<readonly string[]> => {
    const home = { html: page('The harbour'), behaviour: loaded(origin + path) };
    await using stored = await storeSite({ origin, pages: { '/': home, '/about': about } });
    return (await auditCrawl(stored.folder, { only: [rule] })).findings.map(({ id }) => id);
  };
  const loaded = (url: string): SitePage['behaviour'] & {} => ({
    uncached: { count: 1, first: [{ url, type: 'script', wire: 9, decoded: 9 }] },
    uncompressed: { count: 1, first: [{ url, type: 'script', wire: 90_000, decoded: 90_000 }] },
    failed: {
      count: 1,
      first: [{ url, method: 'GET', type: 'script', status: 404, error: null, party: 'first', initiator: null }],
    },
  });

  it.each(['uncached-static-file', 'uncompressed-text', 'failed-request'])(
    'has the same finding after the next build: %s',
    async (rule) => {
      const [old, now] = builds;
      const before = await ids(rule, old, 'https://example.org');
      expect(before).toHaveLength(1);
      expect(await ids(rule, now, 'https://build-3f9a1c02.example.net')).toEqual(before);
      expect(await ids(rule, '/other.js', 'https://example.org')).not.toEqual(before);
    },
  );
});

describe('a frame whose document does not exist', () => {
  const request = { url: 'https://example.org/gone', method: 'GET', type: 'document', error: null } as const;
  const first = [{ ...request, status: 404, party: 'first', initiator: null } as const];
  const home = { html: page('The harbour', '', '<iframe src="/gone"></iframe>') };
  const links = [{ from: '/', to: '/gone', kind: 'frame', context: 'iframe/@src' } as const];

  it('is one finding, of the link or of the request', async () => {
    const shown = { ...home, behaviour: { failed: { count: 1, first } } };
    const pages = { '/': shown, '/about': about };
    const visited = { pages: { ...pages, '/gone': {} }, links };
    expect(await messages('broken-link', visited)).toEqual(['Frame of /gone, which answers with status 404']);
    expect(await found('failed-request', visited)).toEqual([]);
    // a limit kept it back
    expect(await found('failed-request', { pages, links })).toEqual(['/ /gone']);
  });

  it('is a link as well where an anchor leads there', async () => {
    const linked = { '/about': page('About the town', '', '<a href="/gone">Old</a>') };
    expect(await messages('broken-link', { pages: { '/': home, ...linked, '/gone': {} }, links })).toEqual([
      'Link to /gone, which answers with status 404',
    ]);
  });
});

describe('a link to a place in its own page', () => {
  it('is one finding, on however many pages it is', async () => {
    const skip = '<a href="#content">Skip</a>';
    await using site = await storeSite({
      pages: {
        '/': page('The harbour', '', '<a href="/map#way">Way</a>'),
        '/about': page('About', '', skip),
        '/map': page('The map', '', skip),
      },
    });
    const { findings } = await auditCrawl(site.folder, { only: ['broken-fragment'] });
    const [own, other] = findings;
    expect(findings).toHaveLength(2);
    expect(own).toMatchObject({ url: 'https://example.org/about', target: '#content', sources: { count: 2 } });
    expect(own?.message).toBe('Link to #content: no element of the page has that id');
    expect(own?.sources.first.map(({ url }) => url)).toEqual(['https://example.org/about', 'https://example.org/map']);
    expect(other).toMatchObject({ target: 'https://example.org/map#way', sources: { count: 1 } });
  });
});

describe('a secret in the address of a link', () => {
  it.each([
    ['/about;jsessionid=0A1B2C3D4E5F60718293A4B5C6D7E8F9', 'jsessionid'],
    ['/about?PHPSESSID=4f9c21ab7730de114f9c21ab77', 'PHPSESSID'],
    ['/about?p=x;PHPSESSID=4f9c21ab7730de114f9c21ab77;a=log', 'PHPSESSID'],
    ['https://backup:s3cret@example.org/about', 'password before the host'],
  ])('is found though the canonical address has lost it: %s', async (href, name) => {
    const pages = { '/': page('The harbour', '', `<a href="${href}">more</a>`), '/about': about };
    await using site = await storeSite({ pages });
    const { findings } = await auditCrawl(site.folder, { only: ['secret-in-url'] });
    expect(findings.map(({ message }) => message)).toEqual([`A link holds a secret in its address: ${name}`]);
    expect(JSON.stringify(findings)).not.toMatch(/0A1B2C|4f9c21|s3cret/);
  });
});

describe('pages with the same text', () => {
  const HOME = 'https://example.org/';
  const rules = ['near-duplicate', 'duplicate-title', 'duplicate-description'];
  const all = async (pages: AuditedSiteParts['pages']): Promise<readonly (readonly string[])[]> =>
    Promise.all(rules.map((rule) => found(rule, { pages })));
  const start = { '/': page('The harbour', canonical('/')), '/about': about };

  it('are duplicates though each names itself as canonical', async () => {
    const copy = { html: page('The harbour', canonical('/copy')), duplicateOf: HOME, similarity: 1 };
    expect(await all({ ...start, '/copy': copy })).toEqual([['/ /'], [], []]);
    expect(await all({ ...start, '/copy': { ...copy, similarity: 0.93 } })).toEqual([['/ /'], [], []]);
  });

  it('are one finding, whichever of them the crawl saw first', async () => {
    const seen = async (first: '/boat?v=1' | '/boat?v=2'): Promise<readonly unknown[]> => {
      const as = (path: string): SitePage => {
        const duplicate = { duplicateOf: `https://example.org${first}`, similarity: 1 };
        return { html: page('Boat'), ...(path === first ? {} : duplicate) };
      };
      const pages = { ...start, '/boat?v=1': as('/boat?v=1'), '/boat?v=2': as('/boat?v=2') };
      await using stored = await storeSite({ pages });
      const { findings } = await auditCrawl(stored.folder, { only: ['near-duplicate'] });
      return findings.map(({ id, url, evidence }) => ({ id, url, others: evidence.others }));
    };
    const [one] = await seen('/boat?v=1');
    expect(one).toMatchObject({ url: `${HOME}boat?v=1`, others: [`${HOME}boat?v=2`] });
    expect(await seen('/boat?v=2')).toEqual([one]);
  });

  it('are none where they are nearly alike, name themselves and have titles of their own', async () => {
    const variant = { html: page('The harbour, red', canonical('/red')), duplicateOf: HOME, similarity: 0.99 };
    expect(await all({ ...start, '/red': variant })).toEqual([[], [], []]);
  });

  it('are none where scripts write the address of the one in place of that of the other', async () => {
    const copy = { html: page('The harbour'), duplicateOf: HOME, similarity: 1 };
    const moved = { html: page('The harbour'), finalUrl: `${HOME}home#top` };
    expect(await all({ ...start, '/': moved, '/home': copy })).toEqual([[], [], []]);
    // an address that is no page of the crawl, or a place in the same page, stands for nothing
    for (const finalUrl of [`${HOME}?tab=1`, `${HOME}#top`])
      expect(await all({ ...start, '/': { ...moved, finalUrl }, '/home': copy })).toEqual([['/ /'], [], []]);
  });

  it('are none where only a guess led to the copy, which counts as no page', async () => {
    const copy: SitePage = { html: page('The harbour'), duplicateOf: HOME, similarity: 1, confidence: 'low' };
    const pages = { ...start, '/': page('The harbour'), '/copy': copy };
    const guess = { from: '/', to: '/copy', kind: 'script', confidence: 'low' } as const;
    await using site = await storeSite({ pages, links: [guess] });
    const { findings, coverage } = await auditCrawl(site.folder, { only: rules });
    expect(findings).toEqual([]);
    expect(coverage).toMatchObject({ expected: 2, seen: 2, judged: 2 });
    // a page that is only alike is one
    await using other = await storeSite({
      pages: { ...pages, '/copy': { ...copy, similarity: 0.95 } },
      links: [guess],
    });
    expect((await auditCrawl(other.folder)).coverage.judged).toBe(3);
  });

  it('share a title that is a fault where no other rule reports them', async () => {
    const alike = { html: page('Archive'), duplicateOf: 'https://example.org/about', similarity: 0.92 };
    const pages = { ...start, '/oars': alike, '/sails': page('Archive') };
    expect(await all(pages)).toEqual([[], ['/oars'], ['/oars']]);
  });

  it('may be routes of an application', async () => {
    const route = { html: page('The harbour'), duplicateOf: HOME, similarity: 1 };
    expect(await all({ ...start, '/#/boats': route, '/#/oars': route })).toEqual([[], [], []]);
  });
});

describe('translations', () => {
  const group = alternates(['en', '/x200'], ['de', '/de/x200']);
  const pages = (head: string): AuditedSiteParts['pages'] => ({
    '/': page('The harbour'),
    '/about': about,
    '/x200': page('X200', group),
    '/de/x200': page('X200', head),
  });

  it('may share a title', async () => {
    expect(await found('duplicate-title', { pages: pages('') })).toHaveLength(1);
    expect(await found('duplicate-title', { pages: pages(group) })).toEqual([]);
    const more = { ...pages(group), '/a-copy': page('X200', group), '/x300': page('X200') };
    expect(await messages('duplicate-title', { pages: more })).toEqual(['3 pages have the title "X200"']);
  });

  it('may share a text, and pages whose alternates lead elsewhere are duplicates still', async () => {
    const told = async (one: string, copy: string): Promise<readonly string[]> => {
      const duplicate = { html: page('X200', copy), duplicateOf: 'https://example.org/x200', similarity: 1 };
      await using site = await storeSite({
        pages: { ...pages(''), '/x200': page('X200', one), '/de/x200': duplicate },
      });
      const { findings } = await auditCrawl(site.folder, { only: ['near-duplicate', 'duplicate-title'] });
      return findings.map(({ rule }) => rule);
    };
    const elsewhere = alternates(['nl', '/nl/missing']);
    expect(await told('', elsewhere)).toEqual(['near-duplicate']);
    expect(await told(elsewhere, '')).toEqual(['near-duplicate']);
    expect(await told(group, group)).toEqual([]);
    // one that is not named in turn shares a title with no excuse
    expect(await told('', alternates(['en', '/x200']))).toEqual(['duplicate-title']);
    const common = alternates(['x-default', '/']);
    expect(await told(common, common)).toEqual(['duplicate-title']);
  });
});
