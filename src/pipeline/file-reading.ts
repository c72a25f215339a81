/** Reads a file, or a page as it was when it had settled, with all built-in discoverers and processors. */
import { decodedText } from '../base/decode-text.ts';
import { mebibytes, type Bytes } from '../base/units.ts';
import type { FileFindings } from '../core/files/page-processor.ts';
import { labelled, markOf } from '../core/html/encoding.ts';
import { fileLinks, type FileLinks } from '../core/links/catalogue.ts';
import type { LinkDiscoverer } from '../core/links/discoverer.ts';
import type { FileSource } from '../model/file-source.ts';
import type { FoundLink } from '../model/link.ts';
import { isProse } from '../model/media-type.ts';
import type { Task } from '../offload/task.ts';
import { BUILTIN_PROCESSORS } from './builtin-processors.ts';

/** Most links from one file; as many as a page may have. */
const LINK_LIMIT = 10_000;
/** Most bytes read as text; sitemaps, which may be longer, are read from the bytes. */
const TEXT_LIMIT: Bytes = mebibytes(5);

export interface FileToRead {
  readonly url: string;
  readonly contentType: string;
  readonly truncated: boolean;
  readonly bytes: Uint8Array;
  /** Character set declared by the server; null where it declares none. */
  readonly charset: string | null;
  /** Was its address named as a sitemap? Left out: no. */
  readonly isSitemap?: boolean;
}

/** The findings of one built-in processor, or the reason of its failure. */
export type BuiltinFinding =
  | { readonly name: string; readonly found: FileFindings }
  | { readonly name: string; readonly error: string };

export interface FileReading extends FileLinks {
  readonly findings: readonly BuiltinFinding[];
}

/** Task: reads a file as received. */
export const FILE: Task<FileToRead, FileReading> = {
  name: 'file',
  run: (file) => readFile(file),
};

/** @param discoverers replace the built-in ones, for tests */
export function readFile(file: FileToRead, discoverers?: readonly LinkDiscoverer[]): FileReading {
  const source = fileSource(file);
  const { links, failures } = fileLinks(source, discoverers, file.isSitemap);
  return { links: withinLimits(links), failures, findings: builtinFindings(source) };
}

/** Task: runs the built-in processors on a page. Its links are read elsewhere. */
export const PAGE_FINDINGS: Task<Pick<FileSource, 'url' | 'contentType' | 'text'>, readonly BuiltinFinding[]> = {
  name: 'page findings',
  run: (page) => builtinFindings(pageSource(page)),
};

/** Does any built-in processor read documents of this type? */
export function isReadByBuiltins({ contentType, url }: Pick<FileSource, 'contentType' | 'url'>): boolean {
  return BUILTIN_PROCESSORS.some((processor) => processor.accepts(contentType, url));
}

export function builtinFindings(file: FileSource): readonly BuiltinFinding[] {
  return BUILTIN_PROCESSORS.filter((processor) => processor.accepts(file.contentType, file.url)).map((processor) => {
    const { name } = processor;
    try {
      return { name, found: processor.process(file) };
    } catch (error) {
      return { name, error: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** A file whose text is decoded on first use. */
export function fileSource({ url, contentType, truncated, bytes, charset }: FileToRead): FileSource {
  let text: string | null = null;
  return {
    url,
    contentType,
    bytes,
    truncated,
    get text() {
      return (text ??= decode(bytes.subarray(0, TEXT_LIMIT), { url, contentType, charset }));
    },
  };
}

/** A page as input for discoverers; few of them need its bytes. */
export function pageSource({ url, contentType, text }: Pick<FileSource, 'url' | 'contentType' | 'text'>): FileSource {
  let bytes: Uint8Array | null = null;
  return {
    url,
    contentType,
    text,
    truncated: false,
    get bytes() {
      return (bytes ??= Buffer.from(text));
    },
  };
}

/** Cuts links to the limit. A sitemap's may be more: its parser has its own limit. */
export function withinLimits(foundLinks: readonly FoundLink[]): readonly FoundLink[] {
  if (foundLinks.length <= LINK_LIMIT) return foundLinks;
  let others = 0;
  return foundLinks.filter(({ kind }) => {
    if (kind === 'sitemap') return true;
    others += 1;
    return others <= LINK_LIMIT;
  });
}

/**
 * Decodes a text. A byte order mark outranks the server, and the server outranks an XML declaration (RFC 7303, section 3). A text for readers
 * that nobody declares, and that is not in UTF-8, is read as browsers read it. Bytes invalid in the character set become U+FFFD.
 */
function decode(octets: Uint8Array, { charset, contentType, url }: Omit<FileToRead, 'bytes' | 'truncated'>): string {
  const said = markOf(octets) ?? labelled(charset ?? '') ?? declaredIn(octets);
  if (said !== null) return decodedText(octets, said);
  const text = new TextDecoder().decode(octets);
  const isOther = text.includes('\ufffd') && isProse(contentType, url) && !isUtf8(octets);
  return isOther ? decodedText(octets, 'windows-1252') : text;
}

/** The encoding of an XML declaration. One that is readable as ASCII is not in UTF-16, even if it says so. */
function declaredIn(octets: Uint8Array): string | null {
  const own = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;
  const encoding = labelled(own.exec(Buffer.from(octets.subarray(0, 200)).toString('latin1'))?.[1] ?? '');
  return encoding?.startsWith('utf-16') === true ? 'utf-8' : encoding;
}

/** Is it UTF-8, perhaps cut within a character? */
function isUtf8(octets: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(octets, { stream: true });
    return true;
  } catch {
    return false;
  }
}
