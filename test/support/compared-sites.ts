/** Crawl folders of a small site that a test defines, as a crawl without a browser would write them, for comparisons. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diffCrawls, type DiffOptions } from '../../src/compare/diff-crawls.ts';
import { factsOf } from '../../src/core/html/facts.ts';
import { visibleText } from '../../src/core/html/text.ts';
import { readHtml } from '../../src/core/html/tree.ts';
import { normalText } from '../../src/core/fingerprint/normal-text.ts';
import type { AuditResult } from '../../src/model/finding.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { storeSite, type SitePage } from './audited-site.ts';
import type { StoredCrawlFolder } from './stored-crawl.ts';

interface ComparedSiteParts {
  /** By path. A text is the HTML of a page. */
  readonly pages: Readonly<Record<string, SitePage | string>>;
  readonly origin?: string;
  readonly skipped?: readonly SkippedRecord[];
  /** Fields of crawl.json. */
  readonly crawl?: Readonly<Record<string, unknown>>;
  readonly findings?: readonly object[];
  /** The crawl was not audited. */
  readonly details?: false;
}

/** Stores the folder as a crawl with texts, titles and links in its lines would leave it. */
export async function storeComparedSite(parts: ComparedSiteParts): Promise<StoredCrawlFolder> {
  const origin = parts.origin ?? 'https://example.org';
  const pages = Object.fromEntries(
    Object.entries(parts.pages).map(([path, page]) => [path, typeof page === 'string' ? { html: page } : page]),
  );
  const files = Object.entries(pages).flatMap(([path, { html = '' }]) => filesIn(html, path));
  const redirects = Object.entries(pages).flatMap(([from, { redirect }]) =>
    redirect === undefined ? [] : [{ from, to: redirect, kind: 'redirect', context: '301 Location' } as const],
  );
  const stored = await storeSite({
    pages: Object.fromEntries(
      Object.entries(pages).map(([path, page]) => [path, { ...page, ...readAs(page, origin + path) }]),
    ),
    links: [...files, ...redirects],
    ...(parts.skipped === undefined ? {} : { skipped: parts.skipped }),
    ...(parts.details === undefined ? {} : { details: parts.details }),
    ...{ origin, crawl: parts.crawl ?? {} },
  });
  for (const [index, page] of Object.values(pages).entries()) {
    const text = textIn(page);
    if (text !== null) await writeFile(join(stored.folder, `snapshots/${index}.txt`), text);
  }
  await rewriteSnapshots(stored.folder, Object.values(pages));
  if (parts.findings !== undefined) {
    const lines = parts.findings.map((finding) => `${JSON.stringify(finding)}\n`).join('');
    await writeFile(join(stored.folder, 'findings.jsonl'), lines);
  }
  return stored;
}

async function rewriteSnapshots(folder: string, pages: readonly SitePage[]): Promise<void> {
  const lines = (await readFile(join(folder, 'pages.jsonl'), 'utf8')).trimEnd().split('\n');
  const records = lines.map((line, index) => {
    const record = JSON.parse(line) as PageRecord;
    const text = textIn(pages[index] ?? {});
    if (text === null) return record;
    return { ...record, snapshot: { ...record.snapshot, text: `snapshots/${index}.txt` } };
  });
  await writeFile(join(folder, 'pages.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function textIn({ html = '' }: SitePage): string | null {
  return html === '' ? null : visibleText(readHtml(html).top, 1_000_000);
}

/** The facts that a visit reads from the HTML. */
function readAs(page: SitePage, url: string): Partial<PageRecord> {
  const text = textIn(page);
  if (text === null) return {};
  const tree = readHtml(page.html ?? '');
  const { title, description, lang, h1, canonical, robots } = factsOf(tree, tree.elements, url);
  const digest = `sha256:${createHash('sha256').update(normalText(text)).digest('hex')}`;
  return { title, description, lang, h1, canonical, robots, digest, words: text.split(/\s+/).length };
}

function filesIn(
  html: string,
  from: string,
): readonly (Partial<LinkRecord> & { readonly from: string; readonly to: string })[] {
  const sources = [...html.matchAll(/<(script|img|link rel="stylesheet")[^>]* (?:src|href)="([^"]+)"/g)];
  return sources.map(([, element = '', to = '']) => ({
    ...{ from, to },
    ...(element.startsWith('link')
      ? { kind: 'link-element' as const, context: 'link/@href', rel: ['stylesheet'] }
      : { kind: 'resource' as const, context: `${element}/@src` }),
  }));
}

/** Compares two made-up sites. */
export async function comparedSites(
  old: ComparedSiteParts,
  now: ComparedSiteParts,
  options: DiffOptions = {},
): Promise<AuditResult> {
  await using before = await storeComparedSite(old);
  await using after = await storeComparedSite(now);
  return await diffCrawls(before.folder, after.folder, options);
}

/** `rule: message` of each difference. */
export function toldBy({ findings }: AuditResult): readonly string[] {
  return findings.map(
    ({ rule, message, sources }) => `${rule}: ${message}${sources.count > 1 ? ` (${sources.count})` : ''}`,
  );
}
