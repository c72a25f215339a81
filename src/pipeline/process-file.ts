/** Converts an answer that is no page to a commit: the findings of processors, the links of its headers, and those of its body if that was read. */
import { bytes, epochMs } from '../base/units.ts';
import { headerLinks } from '../core/links/data/header.ts';
import { pageRobots } from '../core/robots/page-robots.ts';
import { declaredTypeOf } from '../model/media-type.ts';
import type { PageRecord } from '../model/record.ts';
import { truncationCause } from '../model/truncation.ts';
import { hostWithPortOf } from '../model/url/host-key.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Answer, FileBody } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { gaveUpWords } from '../offload/task.ts';
import { extensionLinks, logFailures } from './discover-links.ts';
import { FILE, fileSource, withinLimits, type FileReading, type FileToRead } from './file-reading.ts';
import { outgoingLinks } from './outgoing-links.ts';
import { fileRecord } from './page-record.ts';
import { TEXT_FIGURES, textFields, textFigures } from './page-text.ts';
import { countLinks, type PageProcessing } from './process-page.ts';
import { NO_FINDINGS } from './processors.ts';

interface ProcessedFile {
  readonly record: PageRecord;
  readonly links: readonly CommittedLink[];
}

/**
 * Its text gets a digest, so that equal files are recognised, but is not compared for similarity: a feed in two formats has nearly the same
 * text, and yet the links of the second must be followed, because the new entries of a list are a small part of it.
 * @param body null where it was not read
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE from the snapshot writer
 */
export async function processFile(
  visit: Visit,
  { answer, body = null }: { readonly answer: Answer; readonly body?: FileBody | null },
  processing: PageProcessing,
  signal: AbortSignal,
): Promise<ProcessedFile> {
  const isSitemap = processing.sitemaps.placeOf(visit.url) !== null;
  const file = body === null ? null : { ...fileOf(visit.url, answer, body), isSitemap };
  const { reading, why } = file === null ? NOTHING_READ : await readingOf(file, processing, signal);
  logFailures(reading.failures, visit.url, processing.log);
  const source = file === null ? null : fileSource(file);
  const findings = source === null ? NO_FINDINGS : await processing.processors.find(source, signal, reading.findings);
  const foundLinks = [
    ...headerLinks(answer.headers, visit.url),
    ...(source === null ? [] : [...reading.links, ...findings.links, ...extensionLinks(source, processing)]),
  ];
  if (body !== null && isSitemap) processing.sitemaps.budget.read(hostWithPortOf(visit.url), body.bytes.length);
  const links = await outgoingLinks(visit, withinLimits(foundLinks), {
    ...processing,
    page: visit.url,
    pageNofollow: pageRobots([], answer.headers, processing.robotsAgent).nofollow,
  });
  const { title, description, lang, text, facts } = findings;
  const startedAt = epochMs(visit.leasedAt + answer.timing.wait);
  const content = { url: visit.url, finalUrl: visit.url, startedAt, html: null, text, screenshot: null };
  const figures = text === null ? null : await textFigures({ url: visit.url, text }, processing, signal);
  const record = fileRecord(visit, answer, {
    bytes: body === null || body.truncated !== null ? null : bytes(body.bytes.length),
    truncated: truncationCause(body?.truncated ?? null),
    title,
    description,
    lang,
    facts,
    ...textFields(figures?.kind === 'done' ? figures.value : null),
    unread: [...why, ...(figures?.kind === 'gave-up' ? [gaveUpWords(TEXT_FIGURES, figures)] : [])],
    links: countLinks(links),
    snapshot: await processing.snapshots.write(content, signal),
  });
  return { record, links };
}

const NOTHING_READ = { reading: { links: [], failures: [], findings: [] }, why: [] } as const;

/** Reads a file's links and findings; if it cannot be read completely, returns nothing but the reason. */
async function readingOf(
  file: FileToRead,
  { offload }: PageProcessing,
  signal: AbortSignal,
): Promise<{ readonly reading: FileReading; readonly why: readonly string[] }> {
  const read = await offload.run(FILE, file, { url: file.url, size: file.bytes.length }, signal);
  if (read.kind === 'done') return { reading: read.value, why: [] };
  return { ...NOTHING_READ, why: [gaveUpWords(FILE, read)] };
}

function fileOf(url: string, { contentType, headers }: Answer, { bytes: content, truncated }: FileBody): FileToRead {
  return { url, contentType, truncated: truncated !== null, bytes: content, charset: charsetOf(headers) };
}

/** Character set declared by the server; null where it declares none. */
function charsetOf(headers: Answer['headers']): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(declaredTypeOf(headers))?.[1] ?? null;
}
