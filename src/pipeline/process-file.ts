/** An answer that is no page becomes a settlement: what processors find out about it, the links of its headers, and of its body where that was read. */
import { bytes, epochMs, mebibytes, type Bytes } from '../base/units.ts';
import { fileLinks } from '../core/links/catalogue.ts';
import { headerLinks } from '../core/links/header.ts';
import { pageRobots } from '../core/robots/page-robots.ts';
import type { FileSource } from '../model/file-source.ts';
import { hostWithPortOf } from '../model/host-key.ts';
import type { LinkSighting } from '../model/link.ts';
import type { PageRecord } from '../model/record.ts';
import type { SettledLink } from '../model/settlement.ts';
import { truncationCause } from '../model/truncation.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer, FileBody } from '../model/visit-outcome.ts';
import { extensionLinks } from './discover-links.ts';
import { outgoingLinks } from './outgoing-links.ts';
import { fileRecord } from './page-record.ts';
import { pageText, textFields } from './page-text.ts';
import { countLinks, type PageProcessing } from './process-page.ts';
import { NO_FINDINGS } from './processors.ts';

/** Links that one file may name; as many as a page may have. */
const LINK_LIMIT = 10_000;
/** Text is read up to here; sitemaps, which may be longer, are read from the bytes. */
const TEXT_LIMIT: Bytes = mebibytes(5);

export interface ProcessedFile {
  readonly record: PageRecord;
  readonly links: readonly SettledLink[];
}

/**
 * Its text is digested, so that equal files can be told, and not compared with others: a feed in two formats is nearly the same text,
 * and the links of the second must be followed all the same, for what is new in a list is a small part of it.
 * @param body null where nothing of it was read
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE from the snapshot writer
 */
export async function processFile(
  visit: Visit,
  { answer, body = null }: { readonly answer: Answer; readonly body?: FileBody | null },
  processing: PageProcessing,
  signal: AbortSignal,
): Promise<ProcessedFile> {
  const file = body === null ? null : fileOf(visit.url, answer, body);
  const findings = file === null ? NO_FINDINGS : await processing.processors.find(file, signal);
  const sightings = [
    ...headerLinks(answer.headers, visit.url),
    ...(file === null ? [] : [...fileLinks(file), ...findings.links, ...extensionLinks(file, processing)]),
  ];
  if (body !== null && processing.sitemaps.placeOf(visit.url) !== null)
    processing.sitemaps.budget.read(hostWithPortOf(visit.url), body.bytes.length);
  const links = outgoingLinks(visit, withinLimits(sightings), {
    ...processing,
    page: visit.url,
    pageNofollow: pageRobots([], answer.headers, processing.robotsAgent).nofollow,
  });
  const { title, description, lang, text, facts } = findings;
  const startedAt = epochMs(visit.leasedAt + answer.timing.wait);
  const content = { url: visit.url, finalUrl: visit.url, startedAt, html: null, text, screenshot: null };
  const record = fileRecord(visit, answer, {
    bytes: body === null || body.truncated !== null ? null : bytes(body.bytes.length),
    truncated: truncationCause(body?.truncated ?? null),
    title,
    description,
    lang,
    facts,
    ...textFields(text === null ? null : pageText(text)),
    links: countLinks(links),
    snapshot: await processing.snapshots.write(content, signal),
  });
  return { record, links };
}

/** A sitemap may name more than a page may have; how much, its parser says. */
function withinLimits(sightings: readonly LinkSighting[]): readonly LinkSighting[] {
  if (sightings.length <= LINK_LIMIT) return sightings;
  let others = 0;
  return sightings.filter(({ kind }) => {
    if (kind === 'sitemap') return true;
    others += 1;
    return others <= LINK_LIMIT;
  });
}

function fileOf(url: string, { contentType, headers }: Answer, { bytes: content, truncated }: FileBody): FileSource {
  let text: string | null = null;
  return {
    url,
    contentType,
    bytes: content,
    truncated: truncated !== null,
    get text() {
      return (text ??= decode(content.subarray(0, TEXT_LIMIT), charsetOf(headers)));
    },
  };
}

/** As the server says it; null where it does not. */
function charsetOf(headers: Answer['headers']): string | null {
  const [, value = ''] = headers.find(([name]) => name === 'content-type') ?? [];
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(value)?.[1] ?? null;
}

/**
 * A byte order mark says more than the server, and the server more than an XML file of itself (RFC 7303, section 3). Bytes that the
 * character set does not know become U+FFFD; a set that nobody knows is taken for UTF-8.
 */
function decode(octets: Uint8Array, charset: string | null): string {
  const own = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;
  const declared = own.exec(Buffer.from(octets.subarray(0, 200)).toString('latin1'))?.[1] ?? 'utf-8';
  // what was read as ASCII is not in UTF-16, whatever it says
  const said = charset ?? (/^utf-?16/i.test(declared) ? 'utf-8' : declared);
  try {
    return new TextDecoder(markOf(octets) ?? said).decode(octets);
  } catch {
    return new TextDecoder().decode(octets);
  }
}

function markOf(octets: Uint8Array): string | null {
  const mark = (octets[0] ?? 0) * 256 + (octets[1] ?? 0);
  if (mark === 0xfffe) return 'utf-16le';
  return mark === 0xfeff ? 'utf-16be' : null;
}
