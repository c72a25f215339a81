/** The HTML that a crawl kept of a page, as a file or in its archive. */
import { CrawlError } from '../base/errors.ts';
import { readStoredFile } from '../crawl-folder/stored-file.ts';
import type { StoredPage } from '../crawl-folder/stored-lines.ts';
import { declaredTypeOf } from '../model/media-type.ts';
import { decodedPayload, readRecord } from '../warc/warc-reader.ts';
import { charsetIn, encodingLabel } from './read-document.ts';

interface StoredDocument {
  readonly html: string;
  /** Encoding that the server declared; null where the answer was not kept, or declared none. */
  readonly headerCharset: string | null;
}

/** The document of a page; null where none was kept. @throws {CrawlError} NOT_STORED, ARCHIVE_DAMAGED, CRAWL_UNREADABLE */
export async function storedDocument(
  folder: string,
  { html, warc }: StoredPage['snapshot'],
): Promise<StoredDocument | null> {
  const content = html !== null ? (await readStoredFile(folder, html)).content : await archived(folder, warc);
  if (content === null) return null;
  return {
    html: new TextDecoder().decode(content),
    headerCharset: warc === null ? null : await charsetOf(folder, warc),
  };
}

async function archived(folder: string, warc: StoredPage['snapshot']['warc']): Promise<Uint8Array | null> {
  const place = warc?.html;
  if (place === undefined) return null;
  const { kind, bytes } = await decodedPayload(await readRecord(folder, place));
  if (kind === 'coded')
    throw new CrawlError('ARCHIVE_DAMAGED', `the coding of a page in ${place.file} cannot be undone`);
  return bytes;
}

async function charsetOf(folder: string, warc: NonNullable<StoredPage['snapshot']['warc']>): Promise<string | null> {
  const { httpHeaders } = await readRecord(folder, warc);
  const label = charsetIn(declaredTypeOf(httpHeaders));
  return label === null ? null : encodingLabel(label);
}
