/** A crawl folder of a small site that a test defines, for audits. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PaintMetrics } from '../../src/model/paint.ts';
import type { AxeCatalogue, AxeCheck } from '../../src/model/accessibility.ts';
import type { ExternalRecord } from '../../src/model/external-record.ts';
import type { PageBehaviour, PageDetails, ReceivedFacts } from '../../src/model/page-details.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { linkRecord } from './frontier-nouns.ts';
import { storeCrawl, type StoredCrawlFolder } from './stored-crawl.ts';

/** The crawl's result at an address. */
export interface SitePage extends Partial<
  Pick<
    PageRecord,
    | 'outcome'
    | 'finalUrl'
    | 'status'
    | 'detail'
    | 'duplicateOf'
    | 'similarity'
    | 'robots'
    | 'rendered'
    | 'settle'
    | 'empty'
    | 'depth'
    | 'confidence'
    | 'truncated'
    | 'words'
    | 'canonical'
    | 'timing'
    | 'bytes'
    | 'signedIn'
    | 'contentType'
  >
> {
  readonly html?: string;
  /** Fields of its line in details.jsonl that replace those of {@link QUIET}. */
  readonly behaviour?: Partial<PageBehaviour>;
  readonly received?: ReceivedFacts;
  /** Result of axe-core; left out: no findings, if the crawl ran it. */
  readonly axe?: AxeCheck;
  /** Header lines of the document that replace or extend those of a careful server; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The target of its redirect. */
  readonly redirect?: string;
}

export interface AuditedSiteParts {
  /** By path, or by URL for other origins. A text is the HTML of a page. */
  readonly pages: Readonly<Record<string, SitePage | string>>;
  /** Links besides the anchors of the pages, by paths or URLs. */
  readonly links?: readonly (Partial<LinkRecord> & { readonly from: string; readonly to: string })[];
  readonly sitemap?: readonly string[];
  readonly skipped?: readonly SkippedRecord[];
  /** Results of the check of links to other sites. */
  readonly external?: readonly ExternalRecord[];
  readonly origin?: string;
  /** false: the crawl recorded no details. */
  readonly details?: false;
  /** Rules of axe-core that the crawl applied; left out: it did not run. */
  readonly axe?: AxeCatalogue;
  /** Measurements of the first page; left out: none. */
  readonly paint?: PaintMetrics;
  /** Fields of crawl.json. */
  readonly crawl?: Readonly<Record<string, unknown>>;
}

const NONE = { count: 0, first: [] };
/** The behaviour of a page without any fault. */
const QUIET: PageBehaviour = {
  ...{ exceptions: NONE, consoleErrors: NONE, consoleWarnings: NONE, failed: NONE, cspViolations: NONE },
  ...{ deprecations: NONE, requests: { document: { count: 1, wire: 1000, decoded: 1000 } }, largest: [] },
  ...{ uncompressed: NONE, uncached: NONE, scripts: NONE, thirdParties: NONE, images: NONE, cookies: NONE },
  ...{
    fonts: [],
    steadyImages: [],
    beforeConsent: null,
    storage: { local: 0, session: 0 },
    tls: { protocol: 'TLS 1.3', issuer: 'Some CA', daysLeft: 60 },
  },
};
const CAREFUL: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-encoding': 'gzip',
};

function detailsOf(record: PageRecord, { behaviour, received, axe, headers = {} }: SitePage): PageDetails {
  const all = Object.entries({ ...CAREFUL, ...headers });
  return {
    url: record.url,
    rendered: record.rendered,
    headers: all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    received: received ?? null,
    behaviour: record.rendered ? { ...QUIET, ...behaviour } : null,
    axe: axe ?? null,
  };
}

interface DocumentParts {
  readonly title?: string;
  readonly description?: string;
  readonly head?: string;
  readonly html?: string;
  readonly viewport?: string;
}

/** A page without faults around a body. */
export function documentOf(body: string, parts: DocumentParts = {}): string {
  const title = parts.title ?? 'A page of the site';
  const description = parts.description ?? `About: ${title}`;
  const viewport = parts.viewport ?? '<meta name="viewport" content="width=device-width, initial-scale=1">';
  return (
    `<!doctype html>${parts.html ?? '<html lang="en">'}<head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="description" content="${description}">${viewport}${parts.head ?? ''}</head><body>${body}</body></html>`
  );
}

const PROSE = 'The harbour of the town was built by fishermen, who sold herring to the villages around it. '.repeat(8);

/** Enough text to be a page about something. @param words its individual text */
export function prose(words: string): string {
  return `<h1>${words}</h1><p>${words}. ${PROSE}</p>`;
}

export async function storeSite(parts: AuditedSiteParts): Promise<StoredCrawlFolder> {
  const origin = parts.origin ?? 'https://example.org';
  const at = (address: string): string => (/^\w+:/.test(address) ? address : origin + address);
  const pages = Object.entries(parts.pages).map(([path, page], index) => {
    const given: SitePage = typeof page === 'string' ? { html: page } : page;
    return { ...recordOf(at(path), given, index, at), given };
  });
  const links = [
    ...pages.flatMap(({ record, html }) => anchorsOf(record.url, html)),
    ...(parts.links ?? []).map((link) => linkOf({ ...link, from: at(link.from), to: at(link.to) })),
    ...(parts.sitemap ?? []).map((path) =>
      linkOf({ from: `${origin}/sitemap.xml`, to: at(path), kind: 'sitemap', context: 'urlset/loc' }),
    ),
  ];
  const stored = await storeCrawl({
    crawl: { seeds: [`${origin}/`], options: { seeds: [`${origin}/`] }, ...parts.crawl },
    pages: pages.map(({ record }) => record),
    links,
    skipped: parts.skipped ?? [],
  });
  if (parts.external !== undefined) {
    const lines = parts.external.map((record) => `${JSON.stringify(record)}\n`).join('');
    await writeFile(join(stored.folder, 'external.jsonl'), lines);
  }
  if (parts.paint !== undefined) {
    const { paint } = parts;
    const page = { url: `${origin}/`, alike: 1, loads: [paint, paint, paint], median: paint };
    const machine = { cores: 2, load: [0.5, 0.8], browser: '156.0.0.0', viewport: '1280x800' };
    const pages = [{ ...page, largest: '<h1>', moved: '<main>', failure: null }];
    await writeFile(join(stored.folder, 'measurements.json'), JSON.stringify({ loads: 3, machine, pages, left: 0 }));
  }
  if (parts.axe !== undefined) await writeFile(join(stored.folder, 'axe.json'), JSON.stringify(parts.axe));
  await mkdir(join(stored.folder, 'snapshots'));
  if (parts.details !== false) {
    const captured = pages.filter(({ record }) => record.outcome === 'captured');
    const lines = captured.map(({ record, given }) => `${JSON.stringify(detailsOf(record, given))}\n`);
    await writeFile(join(stored.folder, 'details.jsonl'), lines.join(''));
  }
  for (const { record, html } of pages) {
    if (record.snapshot.html !== null) await writeFile(join(stored.folder, record.snapshot.html), html);
  }
  return stored;
}

function recordOf(
  url: string,
  page: SitePage,
  index: number,
  at: (address: string) => string,
): { readonly record: PageRecord; readonly html: string } {
  const {
    html = '',
    redirect,
    behaviour: _behaviour,
    received: _received,
    axe: _axe,
    headers: _headers,
    ...rest
  } = page;
  const outcome = redirect === undefined ? (html === '' ? 'http-error' : 'captured') : 'redirected';
  const record: PageRecord = {
    url,
    finalUrl: redirect === undefined ? url : at(redirect),
    outcome,
    status: { captured: 200, redirected: 301, 'http-error': 404 }[outcome],
    redirects: [],
    contentType: 'text/html',
    bytes: html.length,
    truncated: null,
    depth: index === 0 ? 0 : 1,
    referrer: null,
    attempt: 1,
    confidence: 'high',
    startedAt: '2026-01-02T03:04:05.678Z',
    rendered: true,
    timing: null,
    settle: { reason: 'timer-drained', pending: [] },
    empty: false,
    title: null,
    description: null,
    canonical: /<link rel="?canonical"? href="([^"]*)"/.exec(html)?.[1] ?? null,
    lang: null,
    h1: [],
    facts: {},
    words: null,
    robots: [],
    robotsRule: null,
    consent: null,
    lastModified: null,
    digest: null,
    duplicateOf: null,
    similarity: null,
    credit: { cash: 0, history: 0, importance: 0 },
    links: { found: 0, new: 0, parts: 0 },
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
    snapshot: { html: html === '' ? null : `snapshots/${index}.html`, text: null, screenshot: null, warc: null },
    detail: null,
    ...rest,
  };
  return { record, html };
}

function anchorsOf(from: string, html: string): readonly LinkRecord[] {
  const targets = [...html.matchAll(/<a href="([^"#]*)[^"]*"[^>]*>([^<]*)/g)].filter(([, href]) => href !== '');
  const seen = new Map(targets.map(([, href = '', text = '']) => [new URL(href, from).href, text]));
  return [...seen].map(([to, text]) => linkOf({ from, to, text }));
}

function linkOf(link: Partial<LinkRecord> & { readonly from: string; readonly to: string }): LinkRecord {
  return { ...linkRecord(link.from, link.to), new: false, ...link };
}
