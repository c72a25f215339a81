/** An answer that is no page becomes a settlement: the links of its headers, and of its body where that was read. */
import { mebibytes, type Bytes } from '../base/units.ts';
import { fileLinks } from '../core/links/catalogue.ts';
import { headerLinks } from '../core/links/header.ts';
import { pageRobots } from '../core/robots/page-robots.ts';
import type { FileSource } from '../model/file-source.ts';
import type { LinkSighting } from '../model/link.ts';
import type { PageRecord } from '../model/record.ts';
import type { SettledLink } from '../model/settlement.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer, FileBody } from '../model/visit-outcome.ts';
import { extensionLinks } from './discover-links.ts';
import { outgoingLinks } from './outgoing-links.ts';
import { answerRecord } from './page-record.ts';
import { countLinks, type PageProcessing } from './process-page.ts';

/** Links that one file may name; as many as a page may have. */
const LINK_LIMIT = 10_000;
/** Text is read up to here; sitemaps, which may be longer, are read from the bytes. */
const TEXT_LIMIT: Bytes = mebibytes(5);

export interface ProcessedFile {
  readonly record: PageRecord;
  readonly links: readonly SettledLink[];
}

/** @param body null where nothing of it was read */
export function processFile(
  visit: Visit,
  answer: Answer,
  body: FileBody | null,
  processing: PageProcessing,
): ProcessedFile {
  const sightings = [...headerLinks(answer.headers, visit.url), ...(body === null ? [] : linksIn(body))];
  const links = outgoingLinks(visit, withinLimits(sightings), {
    ...processing,
    page: visit.url,
    pageNofollow: pageRobots([], answer.headers, processing.robotsAgent).nofollow,
  });
  const record = answerRecord(visit, 'not-html', answer);
  const bytes = body === null || body.truncated ? null : body.bytes.length;
  return { record: { ...record, bytes, links: { ...countLinks(links), new: 0 } }, links };

  function linksIn({ bytes: content, truncated }: FileBody): readonly LinkSighting[] {
    const file = fileOf(visit.url, answer, content, truncated);
    return [...fileLinks(file), ...extensionLinks(file, processing)];
  }
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

function fileOf(url: string, { contentType, headers }: Answer, bytes: Uint8Array, truncated: boolean): FileSource {
  let text: string | null = null;
  return {
    url,
    contentType,
    bytes,
    truncated,
    get text() {
      return (text ??= decode(bytes.subarray(0, TEXT_LIMIT), charsetOf(headers)));
    },
  };
}

function charsetOf(headers: Answer['headers']): string {
  const [, value = ''] = headers.find(([name]) => name === 'content-type') ?? [];
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(value)?.[1] ?? 'utf-8';
}

/** Bytes that the character set does not know become U+FFFD; a set that nobody knows is taken for UTF-8. */
function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
