/** Each rule on a small site that has the defect once, and on its repaired twin: all rules run, and only the tested one has a finding. */
import { describe, expect, it } from 'vitest';
import type { ExternalRecord, ExternalVerdict } from '../../../src/model/external-record.ts';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import { AUDIT_RULES } from '../../../src/core/audit-rules/rules.ts';
import { milliseconds } from '../../../src/base/units.ts';
import type {
  CookieFacts,
  FailedRequest,
  LoadedFile,
  PageMessage,
  ReceivedFacts,
  Sample,
  ShownImage,
} from '../../../src/model/page-details.ts';
import type { PaintMetrics } from '../../../src/model/paint.ts';
import type { PageRecord, SkippedRecord } from '../../../src/model/record.ts';
import { documentOf, prose, storeSite, type AuditedSiteParts, type SitePage } from '../../support/audited-site.ts';

interface RuleCase {
  readonly defect: AuditedSiteParts;
  readonly mended: AuditedSiteParts;
  /** Address of the page, and the target that the finding names. */
  readonly says: readonly [url: string, target: string | null];
}

const NAV = '<a href="/">Start</a> <a href="/about">About</a>';
const start = (body = '', parts: Parameters<typeof documentOf>[1] = {}): string =>
  documentOf(`${NAV}${prose('The harbour')}${body}`, { title: 'The harbour', ...parts });
const about = (body = '', parts: Parameters<typeof documentOf>[1] = {}): string =>
  documentOf(`${NAV}${prose('About the town')}${body}`, { title: 'About the town', ...parts });
const third = (body = '', parts: Parameters<typeof documentOf>[1] = {}): string =>
  documentOf(`${NAV}${prose('The market')}${body}`, { title: 'The market', ...parts });
/** The site with one page changed. */
const site = (home: string, more: Partial<AuditedSiteParts['pages']> = {}): AuditedSiteParts['pages'] => {
  const pages: Record<string, AuditedSiteParts['pages'][string]> = { '/': home, '/about': about() };
  for (const [path, page] of Object.entries(more)) if (page !== undefined) pages[path] = page;
  return pages;
};
const link = (href: string, more = ''): string => `<a href="${href}"${more}>more</a>`;
const canonical = (href: string): { readonly head: string } => ({ head: `<link rel="canonical" href="${href}">` });
const alternates = (...of: readonly (readonly [string, string])[]): { readonly head: string } => ({
  head: of.map(([code, href]) => `<link rel="alternate" hreflang="${code}" href="${href}">`).join(''),
});
const relation = (rel: string, to: string) =>
  ({ from: '/', to, kind: 'link-element', rel: [rel], context: 'link/@href' }) as const;
const BOTH = alternates(['en', '/'], ['de', '/de']);
const jsonLd = (text: string): { readonly head: string } => ({
  head: `<script type="application/ld+json">${text}</script>`,
});

const HOME = 'https://example.org/';
const OTHER = 'https://other.example/';
const external = (path: string, verdict: ExternalVerdict, more: Partial<ExternalRecord> = {}): ExternalRecord => ({
  url: OTHER + path,
  ...{ verdict, status: 200, chain: [OTHER + path], permanent: false, looks: [], detail: null, ...more },
});
const moved = { permanent: true, chain: [`${OTHER}old`, `${OTHER}new`] };
/** The site whose first page has this behaviour or these headers. */
const behaving = (parts: Omit<SitePage, 'html'>, home = start()): AuditedSiteParts => ({
  pages: { ...site(home), '/': { html: home, ...parts } },
});
const some = <Item>(...first: readonly Item[]): Sample<Item> => ({ count: first.length, first });
const said = (text: string, source: string | null = null): PageMessage => ({ text, source });
const request = (parts: Partial<FailedRequest>): FailedRequest => ({
  ...{ url: `${HOME}app.js`, method: 'GET', type: 'script', status: 404, error: null, party: 'first', initiator: HOME },
  ...parts,
});
const cookie = (parts: Partial<CookieFacts>): CookieFacts => ({
  ...{ name: 'session', domain: 'example.org', secure: true, httpOnly: true, sameSite: 'Lax', party: 'first' },
  ...parts,
});
const file = (url: string, decoded: number): LoadedFile => ({
  url: HOME + url,
  type: 'script',
  wire: decoded,
  decoded,
});
const image = (parts: Partial<ShownImage>): ShownImage => ({
  ...{ url: `${HOME}quay.jpg`, width: 4000, height: 3000, shownWidth: 400, shownHeight: 300 },
  ...{ bytes: 900_000, party: 'first', ...parts },
});
const painted = (parts: Partial<PaintMetrics>): PaintMetrics => ({
  ...{ fcp: 100, lcp: 200, cls: 0, tbt: 0, longTasks: 0, ...parts },
});
const received = (parts: Partial<ReceivedFacts>): ReceivedFacts => ({
  ...{ title: 'The harbour', canonical: null, robots: [], words: 200, links: 2, ...parts },
});
const timing = (ttfb: number): Pick<PageRecord, 'timing'> => ({
  timing: {
    ...{ wait: milliseconds(0), ttfb: milliseconds(ttfb), load: milliseconds(ttfb) },
    ...{ settle: milliseconds(0), total: milliseconds(ttfb) },
  },
});

const A = [{ from: '/', to: '/a' }];
const PRIVATE: SkippedRecord = {
  ...{ url: `${HOME}private`, reason: 'disallowed-by-robots', rule: 'Disallow: /private', referrer: null },
};

const CASES: Readonly<Record<string, RuleCase>> = {
  'broken-link': {
    defect: { pages: site(start(link('/gone')), { '/gone': {} }) },
    mended: { pages: site(start(link('/market')), { '/market': third() }) },
    says: [HOME, `${HOME}gone`],
  },
  'link-target-failed': {
    defect: { pages: site(start(link('/shop')), { '/shop': { outcome: 'http-error', status: 503 } }) },
    mended: { pages: site(start(link('/shop')), { '/shop': third() }) },
    says: [HOME, `${HOME}shop`],
  },
  'broken-external-link': {
    defect: { pages: site(start(link(`${OTHER}gone`))), external: [external('gone', 'broken', { status: 404 })] },
    mended: { pages: site(start(link(`${OTHER}gone`))), external: [external('gone', 'blocked', { status: 403 })] },
    says: [HOME, `${OTHER}gone`],
  },
  'redirected-external-link': {
    defect: { pages: site(start(link(`${OTHER}old`))), external: [external('old', 'redirected', moved)] },
    mended: {
      pages: site(start(link(`${OTHER}old`))),
      external: [external('old', 'redirected', { ...moved, permanent: false })],
    },
    says: [HOME, `${OTHER}old`],
  },
  'external-tls-problem': {
    defect: {
      pages: site(start(link(`${OTHER}old`))),
      external: [external('old', 'unsure', { status: null, detail: 'TLS: certificate has expired' })],
    },
    mended: {
      pages: site(start(link(`${OTHER}old`))),
      external: [external('old', 'unsure', { status: null, detail: 'TLS: unable to verify the first certificate' })],
    },
    says: [HOME, `${OTHER}old`],
  },
  'broken-fragment': {
    defect: { pages: site(start(link('/about#history'))) },
    mended: { pages: { '/': start(link('/about#history')), '/about': about('<h2 id="history">History</h2>') } },
    says: [HOME, `${HOME}about#history`],
  },
  'redirect-loop': {
    defect: { pages: site(start(link('/a')), { '/a': { redirect: '/b' }, '/b': { redirect: '/a' } }) },
    mended: { pages: site(start(link('/a')), { '/a': { redirect: '/about' } }) },
    says: [HOME, `${HOME}a`],
  },
  'redirect-chain': {
    defect: { pages: site(start(link('/a')), { '/a': { redirect: '/b' }, '/b': { redirect: '/about' } }) },
    mended: { pages: site(start(link('/a')), { '/a': { redirect: '/about' } }) },
    says: [HOME, `${HOME}a`],
  },
  'malformed-link': {
    defect: { pages: site(start(link('htp://other.example/'))) },
    mended: {
      pages: site(
        start(
          link('mailto:a@b.example?subject=x') +
            link('mailto:?subject=Read%20this') +
            link('tel:+49-30-1') +
            link('web+app:open') +
            link('htp://other.example/', ' role="button"') +
            `<div hidden>${link('mailto:')}</div>`,
        ),
      ),
    },
    says: [HOME, null],
  },
  'insecure-link': {
    defect: { pages: site(start(link('http://example.org/market')), { '/market': third() }) },
    mended: { pages: site(start(link('https://example.org/market')), { '/market': third() }) },
    says: [HOME, 'http://example.org/market'],
  },
  'mixed-content': {
    defect: {
      pages: site(start()),
      links: [{ from: '/', to: 'http://cdn.example/x.js', kind: 'resource', context: 'script/@src' }],
    },
    mended: {
      pages: site(start()),
      links: [
        { from: '/', to: 'https://cdn.example/x.js', kind: 'resource', context: 'script/@src' },
        { from: '/', to: 'http://cdn.example/api/7', kind: 'resource', context: 'link/@href', rel: ['alternate'] },
        { from: '/', to: 'http://cdn.example/api', kind: 'resource', context: 'Link;rel=hub', rel: ['hub'] },
      ],
    },
    says: [HOME, 'http://cdn.example/x.js'],
  },
  'orphan-page': {
    defect: { pages: site(start(), { '/market': third() }), sitemap: ['/', '/about', '/market'] },
    mended: { pages: site(start(link('/market')), { '/market': third() }), sitemap: ['/', '/about', '/market'] },
    says: [`${HOME}market`, null],
  },
  'dead-end': {
    defect: { pages: { '/': start(), '/about': documentOf(prose('About the town'), { title: 'About the town' }) } },
    mended: { pages: site(start()) },
    says: [`${HOME}about`, null],
  },
  'deep-page': {
    defect: { pages: corridor(7) },
    mended: { pages: corridor(6) },
    says: [`${HOME}step7`, null],
  },
  'click-only-page': {
    defect: {
      pages: site(start(), { '/market': third() }),
      links: [{ from: '/', to: '/market', kind: 'click', stage: 'click', context: 'click' }],
    },
    mended: {
      pages: site(start(link('/market')), { '/market': third() }),
      links: [{ from: '/', to: '/market', kind: 'click', stage: 'click', context: 'click' }],
    },
    says: [HOME, `${HOME}market`],
  },
  'internal-nofollow': {
    defect: { pages: site(start(link('/market', ' rel="nofollow"')), { '/market': third() }) },
    mended: {
      pages: site(start(`${link('/market', ' rel="nofollow ugc"')}${link('/#reply', ' rel="nofollow" id="reply"')}`), {
        // a page that keeps robots from all its links, as forms and histories of wikis do
        '/market': { html: third(link('/about', ' rel="nofollow"')), robots: ['nofollow'] },
        // what is no page to be found: the tools of a wiki, a deletion, the way out
        '/about': about(
          ['/wiki?id=start;do=recent', '/wiki?id=start&do=', '/posts/7/delete', '/user/logout']
            .map((address) => link(address, ' rel="nofollow"'))
            .join(''),
        ),
      }),
    },
    says: [HOME, `${HOME}market`],
  },
  'missing-title': {
    defect: { pages: site(start('', { title: ' ', description: 'The harbour' })) },
    mended: { pages: site(start('', { description: 'The harbour' })) },
    says: [HOME, null],
  },
  'duplicate-title': {
    defect: { pages: { '/': start(), '/about': about('', { title: 'The harbour', description: 'Another' }) } },
    mended: { pages: { '/': start(), '/about': about('', { title: 'The harbour', ...canonical('/') }) } },
    says: [HOME, null],
  },
  'missing-description': {
    defect: { pages: site(start('', { description: '' })) },
    mended: {
      pages: {
        ...site(start('', { description: '' })),
        '/': { html: start('', { description: '' }), robots: ['noindex'] },
      },
    },
    says: [HOME, null],
  },
  'duplicate-description': {
    defect: { pages: { '/': start('', { description: 'A town' }), '/about': about('', { description: 'A town' }) } },
    mended: { pages: { '/': start('', { description: 'A town' }), '/about': about() } },
    says: [HOME, null],
  },
  'missing-h1': {
    defect: { pages: site(start().replace(/<h1>.*?<\/h1>/, '<h2>The harbour</h2>')) },
    mended: { pages: site(start()) },
    says: [HOME, null],
  },
  'broken-canonical': {
    defect: { pages: site(start('', canonical('/old')), { '/old': {} }) },
    mended: { pages: site(start('', canonical('/')), { '/old': {} }) },
    says: [HOME, `${HOME}old`],
  },
  'conflicting-canonicals': {
    defect: { pages: site(start('', { head: canonical('/').head + canonical('/?page=1').head })) },
    mended: { pages: site(start('', { head: canonical('/').head + canonical('https://example.org/').head })) },
    says: [HOME, null],
  },
  'chained-canonical': {
    defect: {
      pages: site(start(link('/print')), { '/print': third('', canonical('/old')), '/old': { redirect: '/' } }),
    },
    mended: { pages: site(start(link('/print')), { '/print': third('', canonical('/')), '/old': { redirect: '/' } }) },
    says: [`${HOME}print`, `${HOME}old`],
  },
  'canonical-elsewhere': {
    defect: { pages: site(start('', canonical('https://other.example/harbour'))) },
    mended: { pages: site(start('', canonical('https://example.org/'))) },
    says: [HOME, 'https://other.example/harbour'],
  },
  'missing-canonical': {
    defect: {
      pages: {
        '/': start('', canonical('/')),
        '/about': about(link('/market'), canonical('/about')),
        '/market': third(),
      },
    },
    mended: { pages: { '/': start(), '/about': about(link('/market'), canonical('/about')), '/market': third() } },
    says: [`${HOME}market`, null],
  },
  'misplaced-metadata': {
    defect: { pages: site(start('<div><link rel="canonical" href="/"></div>')) },
    mended: {
      pages: site(
        start(
          '<link rel="stylesheet" href="/a.css"><meta itemprop="robots" content="all"><link rel="alternate" href="/feed">' +
            '<template><link rel="canonical" href="/"></template>',
          canonical('/'),
        ),
        { '/about': about('', canonical('/about')) },
      ),
    },
    says: [HOME, null],
  },
  'relative-preview-address': {
    defect: { pages: site(start('', { head: '<meta property="og:image" content="/a.png">' })) },
    mended: {
      pages: site(
        start('', {
          head:
            '<meta property="og:image" content="https://example.org/a.png"><meta property="og:image" content="">' +
            '<meta name="twitter:image" content="data:image/png;base64,AA"><meta property="og:image:alt" content="/a.png">',
        }),
      ),
    },
    says: [HOME, null],
  },
  'invalid-hreflang': {
    defect: { pages: site(start('', alternates(['en-UK', '/']))) },
    mended: {
      pages: site(start('', alternates(['en-GB', '/'], ['x-default', '/'], ['zh-Hant-TW', '/'], ['es-419', '/']))),
    },
    says: [HOME, null],
  },
  'broken-hreflang': {
    defect: { pages: site(start('', alternates(['en', '/'], ['de', '/de'])), { '/de': {} }) },
    mended: { pages: site(start('', alternates(['en', '/'], ['de', 'https://example.de/'])), { '/de': {} }) },
    says: [HOME, `${HOME}de`],
  },
  'broken-relation': {
    defect: { pages: site(start(), { '/page/2': {} }), links: [relation('next', '/page/2')] },
    mended: { pages: site(start()), links: [relation('next', '/about'), relation('prev', 'https://other.example/')] },
    says: [HOME, `${HOME}page/2`],
  },
  'redirected-hreflang': {
    defect: {
      pages: site(start(link('/de'), alternates(['en', '/'], ['de', '/de/alt'], ['x-default', '/any'])), {
        '/de/alt': { redirect: '/de' },
        '/any': { redirect: '/about' },
        '/de': third('', BOTH),
      }),
    },
    mended: { pages: site(start(link('/de'), BOTH), { '/de': third('', BOTH) }) },
    says: [HOME, `${HOME}de/alt`],
  },
  'missing-self-hreflang': {
    defect: { pages: site(start(link('/de'), alternates(['de', '/de'])), { '/de': third('', BOTH) }) },
    mended: { pages: site(start(link('/de'), BOTH), { '/de': third('', BOTH) }) },
    says: [HOME, null],
  },
  'unreciprocal-hreflang': {
    defect: { pages: site(start(link('/de'), BOTH), { '/de': third('', alternates(['de', '/de'])) }) },
    mended: { pages: site(start(link('/de'), BOTH), { '/de': third('', BOTH) }) },
    says: [HOME, `${HOME}de`],
  },
  'unlisted-hreflang': {
    defect: { pages: site(start(link('/de'), BOTH), { '/de': { html: third('', BOTH), robots: ['noindex'] } }) },
    mended: { pages: site(start(link('/de'), BOTH), { '/de': third('', BOTH) }) },
    says: [HOME, `${HOME}de`],
  },
  'conflicting-hreflang': {
    defect: {
      pages: site(start(link('/de') + link('/at'), alternates(['en', '/'], ['de', '/de'], ['DE', '/at'])), {
        '/de': third('', BOTH),
        '/at': documentOf(`${NAV}${prose('The mill')}`, {
          title: 'The mill',
          ...alternates(['en', '/'], ['de', '/at']),
        }),
      }),
    },
    mended: {
      pages: site(start(link('/de') + link('/at'), alternates(['en', '/'], ['de', '/de'], ['de-AT', '/at'])), {
        '/de': third('', BOTH),
        '/at': documentOf(`${NAV}${prose('The mill')}`, {
          title: 'The mill',
          ...alternates(['en', '/'], ['de', '/at']),
        }),
      }),
    },
    says: [HOME, null],
  },
  'missing-lang': {
    defect: { pages: site(start('', { html: '<html>' })) },
    mended: { pages: site(start()) },
    says: [HOME, null],
  },
  'invalid-lang': {
    defect: { pages: site(start('', { html: '<html lang="english">' })) },
    mended: { pages: site(start('', { html: '<html lang="en-GB-oxendict">' })) },
    says: [HOME, null],
  },
  'missing-viewport': {
    defect: { pages: site(start('', { viewport: '' })) },
    mended: { pages: site(start('', { viewport: '<meta name=viewport content="initial-scale=1.0">' })) },
    says: [HOME, null],
  },
  'conflicting-robots': {
    defect: { pages: { ...site(start()), '/': { html: start(), robots: ['index', 'noindex'] } } },
    mended: { pages: { ...site(start()), '/': { html: start(), robots: ['noindex', 'follow'] } } },
    says: [HOME, null],
  },
  'noindex-in-sitemap': {
    defect: { pages: { ...site(start()), '/about': { html: about(), robots: ['noindex'] } }, sitemap: ['/about'] },
    mended: { pages: { ...site(start()), '/about': { html: about(), robots: ['noindex'] } }, sitemap: ['/'] },
    says: [`${HOME}about`, null],
  },
  'noncanonical-in-sitemap': {
    defect: {
      pages: site(start('', canonical('/')), { '/a': third('', canonical('/')) }),
      sitemap: ['/', '/a'],
      links: A,
    },
    mended: { pages: site(start('', canonical('/')), { '/a': third('', canonical('/')) }), sitemap: ['/'], links: A },
    says: [`${HOME}a`, HOME],
  },
  'disallowed-in-sitemap': {
    defect: { pages: site(start()), sitemap: ['/', '/private'], skipped: [PRIVATE] },
    mended: { pages: site(start()), sitemap: ['/'], skipped: [PRIVATE] },
    says: [`${HOME}sitemap.xml`, `${HOME}private`],
  },
  'sitemap-entry-failed': {
    defect: { pages: site(start(), { '/gone': {} }), sitemap: ['/', '/gone'] },
    mended: { pages: site(start(), { '/gone': {} }), sitemap: ['/', '/about'] },
    says: [`${HOME}sitemap.xml`, `${HOME}gone`],
  },
  'sitemap-entry-redirects': {
    defect: { pages: site(start(), { '/old': { redirect: '/about' } }), sitemap: ['/', '/old'] },
    mended: { pages: site(start(), { '/old': { redirect: '/about' } }), sitemap: ['/', '/about'] },
    says: [`${HOME}sitemap.xml`, `${HOME}old`],
  },
  'invalid-structured-data': {
    defect: { pages: site(start('', jsonLd('{"@type":"Thing","name":"x",}'))) },
    mended: { pages: site(start('', jsonLd('{"@type":"Thing","name":"x"}'))) },
    says: [HOME, null],
  },
  'incomplete-structured-data': {
    defect: {
      pages: site(start('', jsonLd('{"@graph":[{"@type":"Event","name":"Market","startDate":"2026-01-02"}]}'))),
    },
    mended: {
      pages: site(
        start(
          '',
          jsonLd(
            '[{"@type":"Event","name":"Market","startDate":"2026-01-02","location":"Town"},{"@type":"Event","@id":"#e"}]',
          ),
        ),
      ),
    },
    says: [HOME, null],
  },
  'image-without-alt': {
    defect: { pages: site(start('<img src="/map.png" width="10" height="10">')) },
    mended: {
      pages: site(
        start(
          '<img src="/map.png" width="10" height="10" alt=""><img src="/dot.gif" width="1" height="1">' +
            '<figure><img src="/f.png" width="9" height="9"><figcaption>F</figcaption></figure>' +
            '<noscript><img src="/n.png"></noscript><div hidden><img src="/h.png"></div>',
        ),
      ),
    },
    says: [HOME, null],
  },
  'image-without-size': {
    defect: { pages: site(start('<img src="/map.png" alt="Map" width="20">')) },
    mended: {
      pages: {
        ...behaving(
          { behaviour: { steadyImages: [`${HOME}quay.png`] } },
          start(
            '<img src="/quay.png" alt="Quay"><img src="/map.png" alt="Map" style="width:100%;height:auto"><img src="/m" alt="" style="aspect-ratio: 1">' +
              '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">',
          ),
        ).pages,
        '/gallery': { html: third('<img src="/101.png" alt="">'), behaviour: { steadyImagesCut: true } },
      },
    },
    says: [HOME, null],
  },
  'soft-404': {
    defect: {
      pages: site(start(link('/lost')), { '/lost': documentOf(`${NAV}<h1>Page not found</h1>`, { title: 'Sorry' }) }),
    },
    mended: { pages: site(start(link('/lost')), { '/lost': third('<p>How we answer when a page is not found</p>') }) },
    says: [`${HOME}lost`, null],
  },
  'near-duplicate': {
    defect: {
      pages: site(start(link('/copy')), {
        '/copy': { html: start('', { title: 'Copy' }), duplicateOf: HOME, similarity: 1 },
      }),
    },
    mended: {
      pages: site(start(link('/copy') + link('/list')), {
        '/copy': { html: start('', { title: 'Copy', ...canonical('/') }), duplicateOf: HOME, similarity: 1 },
        '/list': { html: start('', { title: 'List' }), duplicateOf: HOME, similarity: 0.92 },
      }),
    },
    says: [HOME, HOME],
  },
  'encoding-conflict': {
    defect: {
      pages: site(start('', { head: '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">' })),
    },
    mended: { pages: site(start('', { head: '<meta http-equiv="Content-Type" content="text/html; charset=UTF8">' })) },
    says: [HOME, null],
  },
  'content-needs-javascript': {
    defect: behaving({ words: 200, received: received({ words: 12 }) }),
    mended: behaving({ words: 200, received: received({ words: 150 }) }),
    says: [HOME, null],
  },
  'uncaught-exception': {
    defect: behaving({ behaviour: { exceptions: some(said('TypeError: x is undefined', `${HOME}app.js`)) } }),
    mended: behaving({
      behaviour: {
        consoleWarnings: some(said('x is undefined')),
        exceptions: some(said('TypeError: Failed to fetch', `${HOME}app.js`)),
      },
    }),
    says: [HOME, null],
  },
  'console-error': {
    defect: behaving({ behaviour: { consoleErrors: some(said('no map for 12')) } }),
    mended: behaving({ behaviour: { consoleWarnings: some(said('no map for 12')) } }),
    says: [HOME, null],
  },
  'failed-request': {
    defect: behaving({ behaviour: { failed: some(request({})) } }),
    mended: behaving({}),
    says: [HOME, `${HOME}app.js`],
  },
  'failed-third-party-request': {
    defect: behaving({ behaviour: { failed: some(request({ url: 'https://ads.example/x.js', party: 'third' })) } }),
    // no other site has answered: this machine may have no Internet access
    mended: behaving({
      behaviour: {
        failed: some(
          request({ url: 'https://ads.example/x.js', party: 'third', status: null, error: 'net::ERR_FAILED' }),
        ),
      },
    }),
    says: [HOME, 'https://ads.example/x.js'],
  },
  'csp-violation': {
    defect: behaving({
      behaviour: { cspViolations: some({ directive: 'script-src', blocked: 'eval', reportOnly: false, source: null }) },
    }),
    mended: behaving({}),
    says: [HOME, null],
  },
  'deprecated-feature': {
    defect: behaving({ behaviour: { deprecations: some(said('UnloadHandler', `${HOME}app.js`)) } }),
    mended: behaving({}),
    says: [HOME, null],
  },
  'never-settles': {
    defect: behaving({ settle: { reason: 'timeout', pending: ['fetch https://example.org/api'] } }),
    mended: behaving({ settle: { reason: 'quiet', pending: ['eventsource https://example.org/news'] } }),
    says: [HOME, null],
  },
  'missing-transport-security': {
    defect: behaving({ headers: { 'strict-transport-security': 'max-age=0' } }),
    mended: {
      origin: 'http://example.org',
      pages: { '/': { html: start(), headers: { 'strict-transport-security': null } }, '/about': about() },
    },
    says: [HOME, null],
  },
  'missing-content-type-options': {
    defect: behaving({ headers: { 'x-content-type-options': null } }),
    mended: behaving({ headers: { 'x-content-type-options': 'NoSniff' } }),
    says: [HOME, null],
  },
  'missing-frame-protection': {
    defect: behaving({ headers: { 'content-security-policy': "default-src 'self'" } }),
    mended: behaving({
      headers: { 'content-security-policy': "default-src 'self'", 'x-frame-options': 'SAMEORIGIN' },
    }),
    says: [HOME, null],
  },
  'missing-referrer-policy': {
    defect: behaving({ headers: { 'referrer-policy': null } }),
    mended: behaving(
      { headers: { 'referrer-policy': null } },
      start('', { head: '<meta name="referrer" content="no-referrer">' }),
    ),
    says: [HOME, null],
  },
  'missing-content-security-policy': {
    defect: behaving({ headers: { 'content-security-policy': null, 'x-frame-options': 'DENY' } }),
    mended: behaving({
      headers: {
        'content-security-policy': null,
        'content-security-policy-report-only': "default-src 'self'",
        'x-frame-options': 'DENY',
      },
    }),
    says: [HOME, null],
  },
  'cookie-without-secure': {
    defect: behaving({ behaviour: { cookies: some(cookie({ secure: false })) } }),
    mended: behaving({ behaviour: { cookies: some(cookie({}), cookie({ name: 'theme', secure: false })) } }),
    says: [HOME, null],
  },
  'cookie-without-httponly': {
    defect: behaving({ behaviour: { cookies: some(cookie({ httpOnly: false })) } }),
    mended: behaving({ behaviour: { cookies: some(cookie({}), cookie({ name: 'csrf_session', httpOnly: false })) } }),
    says: [HOME, null],
  },
  'cookie-without-samesite': {
    defect: behaving({ behaviour: { cookies: some(cookie({ sameSite: null })) } }),
    mended: behaving({ behaviour: { cookies: some(cookie({ party: 'third', sameSite: null })) } }),
    says: [HOME, null],
  },
  'tls-problem': {
    defect: {
      pages: site(start(link('https://shop.example.org/')), {
        'https://shop.example.org/': { outcome: 'unreachable', detail: 'robots.txt: certificate has expired' },
      }),
    },
    mended: { pages: site(start(link('https://shop.example.org/')), { 'https://shop.example.org/': third() }) },
    says: ['https://shop.example.org/', null],
  },
  'certificate-expires-soon': {
    defect: behaving({ behaviour: { tls: { protocol: 'TLS 1.3', issuer: 'Some CA', daysLeft: 3 } } }),
    mended: behaving({ behaviour: { tls: { protocol: 'TLS 1.3', issuer: 'Some CA', daysLeft: 20 } } }),
    says: [HOME, null],
  },
  'secret-in-url': {
    defect: { pages: site(start(link('/about?access_token=4f9c21ab7730de11'))) },
    mended: { pages: site(start(link('/about?access_token=your_token_goes_here1') + link('/about?page=12'))) },
    says: [HOME, null],
  },
  'form-over-http': {
    defect: { pages: site(start('<form action="http://example.net/ask"><input name="q"></form>')) },
    mended: { pages: site(start('<form action="https://example.net/ask"><input name="q"></form>')) },
    says: [HOME, 'http://example.net/ask'],
  },
  'slow-first-byte': {
    defect: behaving(timing(2500)),
    mended: behaving(timing(900)),
    says: [HOME, null],
  },
  'slow-largest-contentful-paint': {
    defect: { pages: site(start()), paint: painted({ lcp: 2501 }) },
    mended: { pages: site(start()), paint: painted({ lcp: 2500 }) },
    says: [HOME, null],
  },
  'layout-shift': {
    defect: { pages: site(start()), paint: painted({ cls: 0.11 }) },
    mended: { pages: site(start()), paint: painted({ cls: 0.1 }) },
    says: [HOME, null],
  },
  'long-tasks': {
    defect: { pages: site(start()), paint: painted({ tbt: 201 }) },
    mended: { pages: site(start()), paint: painted({ tbt: 200, longTasks: 9 }) },
    says: [HOME, null],
  },
  'heavy-page': {
    defect: behaving({ behaviour: { requests: { image: { count: 3, wire: 9_000_000, decoded: 9_000_000 } } } }),
    mended: behaving({ behaviour: { requests: { image: { count: 3, wire: 900_000, decoded: 9_000_000 } } } }),
    says: [HOME, null],
  },
  'uncompressed-text': {
    defect: behaving({ behaviour: { uncompressed: some(file('app.js', 90_000)) } }),
    mended: behaving({ headers: { 'content-encoding': null }, bytes: 900 }),
    says: [HOME, `${HOME}app.js`],
  },
  'uncached-static-file': {
    defect: behaving({ behaviour: { uncached: some(file('app.js', 9000)) } }),
    mended: behaving({}),
    says: [HOME, `${HOME}app.js`],
  },
  'oversized-image': {
    defect: behaving({ behaviour: { images: some(image({})) } }),
    mended: behaving({ behaviour: { images: some(image({ bytes: 9000 }), image({ party: 'third' })) } }),
    says: [HOME, `${HOME}quay.jpg`],
  },
};

/** A path of that many clicks. */
function corridor(steps: number): AuditedSiteParts['pages'] {
  const pages: Record<string, string> = { '/': start(link('/step1')), '/about': about() };
  for (let step = 1; step <= steps; step += 1) {
    const next = step === steps ? '/' : `/step${step + 1}`;
    const body = `<a href="${next}">on</a>${prose(`Step ${step}`)}`;
    pages[`/step${step}`] = documentOf(body, { title: `Step ${step}` });
  }
  return pages;
}

describe('the rules', () => {
  it('have each a site with the defect and a mended one', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(AUDIT_RULES.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(CASES))(
    'find %s once and nothing else, and nothing in the mended site',
    async (rule, { defect, mended, says }) => {
      await using broken = await storeSite(defect);
      const found = await auditCrawl(broken.folder);
      expect(found.notes).toEqual([]);
      expect(found.findings.map(({ rule: name, url, target }) => ({ name, url, target }))).toEqual([
        { name: rule, url: says[0], target: says[1] },
      ]);
      await using whole = await storeSite(mended);
      const left = await auditCrawl(whole.folder);
      expect(left.findings.map(({ rule: name, message }) => `${name}: ${message}`)).toEqual([]);
      expect(left.coverage.judged).toBeGreaterThan(1);
    },
  );
});

describe('the rules on paint', () => {
  it('are silent where nothing was measured, with a note where they were asked for', async () => {
    await using stored = await storeSite({ pages: site(start()) });
    const { rules, notes } = await auditCrawl(stored.folder, { only: ['layout-shift', 'missing-title'] });
    expect(rules.map(({ id }) => id)).toEqual(['missing-title']);
    expect(notes).toEqual([expect.stringMatching(/measured no paint .*: nothing is said of layout-shift$/)]);
    await using interrupted = await storeSite({
      pages: site(start()),
      crawl: { options: { seeds: [HOME], audit: true, measure: true } },
    });
    expect((await auditCrawl(interrupted.folder)).notes.join()).toContain('long-tasks');
  });
});

describe('the rules of axe-core', () => {
  const rule = { id: 'button-name', help: 'Buttons must have discernible text', description: 'Ensure buttons do' };
  const catalogue = {
    ...{ version: '4.14.1', pages: 'all' as const },
    rules: [{ ...rule, helpUrl: 'https://axe.example/button-name', tags: ['cat.name-role-value', 'wcag412'] }],
  };
  const checked = (...snippets: readonly string[]): SitePage['axe'] & {} => ({
    end: 'done',
    violations:
      snippets.length === 0
        ? []
        : [
            {
              ...{ rule: 'button-name', impact: 'critical' },
              nodes: some(...snippets.map((snippet) => ({ selector: 'button', snippet, why: 'It has no name' }))),
            },
          ],
    undecided: 0,
  });
  const checkedSite = (home: SitePage['axe'] & {}, other: SitePage['axe'] & {}): AuditedSiteParts => ({
    axe: catalogue,
    pages: { '/': { html: start(), axe: home }, '/about': { html: about(), axe: other } },
  });

  it('find the defect of a layout once with its pages, and nothing in the mended site', async () => {
    // names that a script generates differ from page to page
    const defect = checkedSite(checked('<button class="menu" id="m1">'), checked('<button id="m2" class="menu">'));
    await using broken = await storeSite(defect);
    const found = await auditCrawl(broken.folder);
    expect(found.findings).toMatchObject([
      {
        ...{ rule: 'axe-button-name', severity: 'error', url: HOME, sources: { count: 2 } },
        message: '<button class="menu" id="m1">: It has no name',
        evidence: { selector: 'button', snippet: '<button class="menu" id="m1">' },
      },
    ]);
    expect(found.rules.at(-1)).toMatchObject({
      ...{ id: 'axe-button-name', category: 'accessibility', why: 'Ensure buttons do. WCAG 4.1.2.' },
      source: { url: 'https://axe.example/button-name' },
    });
    await using whole = await storeSite(checkedSite(checked(), checked()));
    const left = await auditCrawl(whole.folder);
    expect(left.findings).toEqual([]);
    expect(left.coverage.accessibility).toEqual({
      ...{ by: 'axe-core 4.14.1', pages: 'all', checked: 2, notChecked: {}, undecided: 0 },
    });
  });

  it('tell elements of content apart by their addresses, and count pages that were not checked', async () => {
    const two = checked('<a href="/shop"></a>', '<a href="https://example.org/shop?x=1"></a>', '<a href="/cart"></a>');
    await using stored = await storeSite(checkedSite(two, { end: 'timed-out', violations: [], undecided: 0 }));
    const { findings, coverage } = await auditCrawl(stored.folder);
    expect(findings.map(({ evidence }) => evidence.snippet).toSorted()).toEqual([
      '<a href="/cart"></a>',
      '<a href="/shop"></a>',
    ]);
    expect(coverage.accessibility).toMatchObject({ checked: 1, notChecked: { 'timed-out': 1 } });
  });

  it('take links into their own pages for the same element on all pages', async () => {
    const top = checked('<a class="up" href="#top"></a>');
    await using stored = await storeSite(checkedSite(top, top));
    const { findings } = await auditCrawl(stored.folder);
    expect(findings).toMatchObject([{ rule: 'axe-button-name', url: HOME, sources: { count: 2 } }]);
  });

  it('say of a page as a whole one thing, however many elements it has so', async () => {
    const found = (...tags: readonly string[]): SitePage['axe'] & {} => {
      const first = tags.map((tag) => ({ selector: tag, snippet: `<${tag}>`, why: 'It is in no landmark' }));
      return {
        end: 'done',
        violations: [{ rule: 'region', impact: 'moderate', nodes: some(...first) }],
        undecided: 2,
      };
    };
    const region = { ...rule, id: 'region', helpUrl: 'https://axe.example/region', tags: ['best-practice'] };
    const parts = checkedSite(found('h1', 'p'), found('a', 'p'));
    await using stored = await storeSite({ ...parts, axe: { ...catalogue, rules: [region] } });
    const { findings, coverage } = await auditCrawl(stored.folder);
    expect(findings).toMatchObject([{ rule: 'axe-region', severity: 'warning', sources: { count: 2 } }]);
    expect(coverage.accessibility?.undecided).toBe(4);
  });

  it('have names that can be chosen where a crawl asked for them alone', async () => {
    await using asked = await storeSite(checkedSite(checked('<button>'), checked()));
    expect((await auditCrawl(asked.folder, { except: ['axe-button-name'] })).findings).toEqual([]);
    await using bare = await storeSite({ pages: site(start()) });
    await expect(auditCrawl(bare.folder, { only: ['axe-button-name'] })).rejects.toThrow('Crawl with --audit --axe');
  });
});
