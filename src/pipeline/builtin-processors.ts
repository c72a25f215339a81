/** Processors that read files by their media type. An extension's processors come before these. */
import { inflateSync, constants } from 'node:zlib';
import { mebibytes, type Bytes } from '../base/units.ts';
import { dataFacts } from '../core/files/data-facts.ts';
import { markdownTitle } from '../core/files/markdown-title.ts';
import { markupFacts, type MarkupFacts } from '../core/files/markup-facts.ts';
import type { FileFacts, FileFindings } from '../core/files/page-processor.ts';
import { pdfFacts } from '../core/files/pdf-facts.ts';
import type { Inflate } from '../core/files/pdf-objects.ts';
import { pictureSize } from '../core/files/picture-size.ts';
import { fileLink } from '../core/links/discoverer.ts';
import type { FileSource } from '../model/file-source.ts';
import { isJson, isMarkdown, isPdf, isPicture, isProse, isXml, urlPathOf } from '../model/media-type.ts';

/** Most characters of text kept of a file, as for a page (render/page-limits.ts). */
export const FILE_TEXT_LIMIT: number = 2 * 1024 * 1024;
/** Most bytes that all streams of one PDF may unpack to. */
const INFLATED_LIMIT: Bytes = mebibytes(16);
/** Most streams of one PDF that may be too large or broken; then unpacking stops. */
const FAILURES = 16;

/** A synchronous processor, which may run in any thread. */
interface BuiltinProcessor {
  readonly name: string;
  accepts(contentType: string, url: string): boolean;
  process(file: FileSource): FileFindings;
}

/** All processors that accept a file are asked; the finding of an earlier one wins. */
export const BUILTIN_PROCESSORS: readonly BuiltinProcessor[] = [
  { name: 'xml', accepts: isXml, process: readMarkup },
  { name: 'json', accepts: isJson, process: ({ text }) => ({ ...dataFacts(text), text: cut(text) }) },
  { name: 'markdown', accepts: isMarkdown, process: ({ text }) => ({ title: markdownTitle(text) }) },
  { name: 'text', accepts: isReadable, process: ({ text }) => ({ text: cut(text) }) },
  { name: 'picture', accepts: isPicture, process: readPicture },
  { name: 'pdf', accepts: isPdf, process: readPdf },
];

function isReadable(type: string, url: string): boolean {
  return isProse(type, url) || (type === 'text/plain' && urlPathOf(url) === '/robots.txt');
}

function cut(text: string): string {
  return text.slice(0, FILE_TEXT_LIMIT);
}

/** Reads XML. A sitemap is a list for programs, so it has no text. */
function readMarkup({ text }: FileSource): FileFindings {
  const { root, title, description, lang, text: readable, attributes } = markupFacts(text, FILE_TEXT_LIMIT);
  if (root === 'urlset' || root === 'sitemapindex') return { facts: { sitemap: root } };
  const isFeed = root === 'rss' || root === 'feed' || root === 'rdf';
  return {
    title,
    description,
    lang,
    text: readable,
    facts: { ...(isFeed ? { feed: root } : {}), ...(root === 'svg' ? drawingSize(attributes) : {}) },
  };
}

/** Size of a drawing in pixels: its own size if it has one, else that of its view box. */
function drawingSize({ width, height, viewBox }: MarkupFacts['attributes']): FileFacts {
  const [w, h] = [pixels(width), pixels(height)];
  if (w !== null && h !== null) return { format: 'svg', width: w, height: h };
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = (viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return boxWidth > 0 && boxHeight > 0 ? { format: 'svg', width: boxWidth, height: boxHeight } : { format: 'svg' };
}

function pixels(length: string | undefined): number | null {
  const [, digits] = /^\s*(\d{1,7}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(length ?? '') ?? [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

function readPicture({ bytes }: FileSource): FileFindings {
  const size = pictureSize(bytes);
  return size === null ? {} : { facts: { ...size } };
}

function readPdf({ bytes, truncated, url }: FileSource): FileFindings {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const pdf = pdfFacts(octets, truncated, inflater());
  if (pdf === null) return {};
  const { title, subject, lang, pages, encrypted, uris } = pdf;
  return {
    title,
    description: subject,
    lang,
    links: uris.map((uri) => fileLink(uri, url, { kind: 'anchor', context: 'pdf/URI' })),
    facts: { ...(pages === null ? {} : { pages }), ...(encrypted ? { encrypted } : {}) },
  };
}

/** Unpacks the streams of one file, up to its limit. */
function inflater(): Inflate {
  let left: number = INFLATED_LIMIT;
  return (octets) => {
    if (left <= 0) return null;
    try {
      const packed = Buffer.from(octets, 'latin1');
      const plain = inflateSync(packed, { maxOutputLength: left, finishFlush: constants.Z_SYNC_FLUSH });
      left -= plain.length;
      return plain.toString('latin1');
    } catch {
      left -= INFLATED_LIMIT / FAILURES; // the amount unpacked before the failure is not known
      return null;
    }
  };
}
