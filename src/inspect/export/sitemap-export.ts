/**
 * The pages of a crawl as a sitemap: one file, or an index and its parts where the protocol's limits ask for it, packed if their name says so. A sitemap names pages of
 * one host only: that of the first seed, or of its redirect's target.
 */
import { basename } from 'node:path';
import { storedPages, type StoredPage, type Unread } from '../../crawl-folder/stored-lines.ts';
import { canonicalise, type UrlPolicy } from '../../model/url/canonical-url.ts';
import { forwardingPages } from './forwarding-pages.ts';
import { guessedPages } from './guessed-pages.ts';
import { prepareIn, type ExportSource, type PreparedExport } from './prepared.ts';
import {
  SITEMAP_LIMITS,
  sitemapIndex,
  sitemapRefusal,
  urlEntry,
  URLSET_END,
  URLSET_HEAD,
  type SitemapLimits,
} from './sitemap-text.ts';
import { stageFile, type Staging } from './target.ts';
import { createTextFile, type TextFile } from './text-file.ts';

interface SitemapSource extends ExportSource {
  readonly seeds: readonly string[];
  readonly urlPolicy: UrlPolicy;
  /** Limits; left out: those of the protocol. */
  readonly limits?: SitemapLimits;
}

/** @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL, USAGE */
export async function prepareSitemap(
  path: string,
  source: SitemapSource,
  unread: Unread,
  signal: AbortSignal,
): Promise<PreparedExport> {
  const staging = await stageFile(path, source.rules);
  return prepareIn(staging, async () => {
    const survey = await surveyPages(source, unread, signal);
    const files = await writeSitemap({ path, staging, survey, source }, signal);
    return {
      counts: { urls: survey.urls },
      notes: notesOf(survey),
      paths: files,
    };
  });
}

interface Survey {
  readonly origin: string;
  /** Pages of the origin that the sitemap lists. */
  readonly urls: number;
  /** The size of their entries. */
  readonly bytes: number;
  /** Pages that only guesses led to, and those that only lead on. */
  readonly leftOut: ReadonlySet<string>;
  /** Pages of other hosts that it would list. */
  readonly elsewhere: number;
}

async function surveyPages(source: SitemapSource, unread: Unread, signal: AbortSignal): Promise<Survey> {
  const origins = new Map<string, { urls: number; bytes: number }>();
  const leads = new Map<string, string>();
  const silent: Unread = { torn: () => {}, damaged: () => {} };
  const guessed = await guessedPages(source.folder, silent, signal);
  const leftOut = new Set([...guessed, ...(await forwardingPages(source.folder, silent, signal))]);
  for await (const page of storedPages(source.folder, '', unread)) {
    signal.throwIfAborted();
    if (page.outcome === 'redirected' && page.depth === 0) leads.set(page.url, page.finalUrl);
    if (leftOut.has(page.url) || !belongs(page, source.urlPolicy)) continue;
    const origin = new URL(page.url).origin;
    const found = origins.get(origin) ?? { urls: 0, bytes: 0 };
    found.urls += 1;
    found.bytes += Buffer.byteLength(entryOf(page));
    origins.set(origin, found);
  }
  const origin = originOf(source.seeds, leads);
  const { urls, bytes } = origins.get(origin) ?? { urls: 0, bytes: 0 };
  const all = [...origins.values()].reduce((sum, found) => sum + found.urls, 0);
  return { origin, urls, bytes, leftOut, elsewhere: all - urls };
}

/** The origin that the first seed leads to. */
function originOf([seed = 'http://localhost/']: readonly string[], leads: ReadonlyMap<string, string>): string {
  const passed = new Set([seed]);
  let url = seed;
  for (let next = leads.get(url); next !== undefined && !passed.has(next); next = leads.get(url)) {
    passed.add(next);
    url = next;
  }
  return new URL(url).origin;
}

function belongs(page: StoredPage, policy: UrlPolicy): boolean {
  const refusal = sitemapRefusal(page, (link, base) => {
    const read = canonicalise(link, base, policy);
    return read.kind === 'canonical' ? read.url : null;
  });
  return refusal === null;
}

function entryOf({ url, lastModified }: StoredPage): string {
  return urlEntry(url, lastModified);
}

interface Writing {
  readonly path: string;
  readonly staging: Staging;
  readonly survey: Survey;
  readonly source: SitemapSource;
}

/** @returns the paths that the sitemap will have */
async function writeSitemap(writing: Writing, signal: AbortSignal): Promise<readonly string[]> {
  const { path, staging, survey, source } = writing;
  const { urls, bytes } = source.limits ?? SITEMAP_LIMITS;
  const frame = Buffer.byteLength(URLSET_HEAD + URLSET_END);
  const name = basename(path);
  if (survey.urls <= urls && survey.bytes + frame <= bytes) {
    const only = staging.file(name);
    await writeParts(
      writing,
      () => only.temporary,
      { urls: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
      signal,
    );
    return [only.path];
  }
  const parts: string[] = [];
  const paths: string[] = [];
  const [, stem = '', ending = ''] = /^(.*?)((?:\.[a-z]+)?\.gz|\.[^.]*)?$/is.exec(name) ?? [];
  const nextPart = (): string => {
    const part = `${stem}-${parts.length + 1}${ending}`;
    const target = staging.file(part);
    parts.push(part);
    paths.push(target.path);
    return target.temporary;
  };
  await writeParts(writing, nextPart, { urls, bytes: bytes - frame }, signal);
  const index = staging.file(name); // last, so that an index is never there without its parts
  await using file = await createTextFile(index.temporary, isPacked(path));
  await file.write(sitemapIndex(parts.map((part) => new URL(`/${encodeURIComponent(part)}`, survey.origin).href)));
  await file.finish();
  return [index.path, ...paths];
}

/** Writes the pages into files as long as allowed; at least one. */
async function writeParts(
  { path, survey, source }: Writing,
  nextFile: () => string,
  limits: SitemapLimits,
  signal: AbortSignal,
): Promise<void> {
  const open = (): ReturnType<typeof openPart> => openPart(nextFile(), isPacked(path));
  let part = await open();
  try {
    let left = survey.urls; // lines that a running crawl has added since the count stay out
    for await (const page of storedPages(source.folder, '', { torn: () => {}, damaged: () => {} })) {
      signal.throwIfAborted();
      if (left === 0) break;
      if (survey.leftOut.has(page.url) || !belongs(page, source.urlPolicy)) continue;
      if (new URL(page.url).origin !== survey.origin) continue;
      const entry = entryOf(page);
      if (part.urls === limits.urls || part.bytes + Buffer.byteLength(entry) > limits.bytes) {
        await closePart(part.file);
        part = await open();
      }
      await part.file.write(entry);
      part.urls += 1;
      part.bytes += Buffer.byteLength(entry);
      left -= 1;
    }
    await closePart(part.file);
  } finally {
    await part.file[Symbol.asyncDispose]();
  }
}

/** Search engines read sitemaps that are packed by gzip. */
function isPacked(path: string): boolean {
  return /\.gz$/i.test(path);
}

async function openPart(
  path: string,
  packed: boolean,
): Promise<{ readonly file: TextFile; urls: number; bytes: number }> {
  const file = await createTextFile(path, packed);
  await file.write(URLSET_HEAD);
  return { file, urls: 0, bytes: 0 };
}

async function closePart(file: TextFile): Promise<void> {
  await file.write(URLSET_END);
  await file.finish();
}

function notesOf({ origin, urls, elsewhere }: Survey): readonly string[] {
  return [
    ...(urls === 0
      ? [
          `no page of ${origin} belongs in a sitemap: it must be captured, of status 200, HTML, indexable and its own canonical page`,
        ]
      : []),
    ...(elsewhere === 0
      ? []
      : [
          `pages of other hosts, left out of the sitemap, which may name pages of one host only (${origin}): ${elsewhere}`,
        ]),
  ];
}
