/** Facts of a PDF about itself, and the targets of its links: read from its dictionaries, without its pages. */
import { pdfFile, type Inflate, type PdfFile } from './pdf-objects.ts';
import { addressAt, integerOf, nameOf, referenceOf, textAt, pdfText, type PdfObject } from './pdf-values.ts';

export interface PdfFacts {
  readonly title: string | null;
  readonly subject: string | null;
  readonly lang: string | null;
  readonly pages: number | null;
  /** If so, only the number of pages can be read. */
  readonly encrypted: boolean;
  /** The targets of its annotations and outlines, as written. */
  readonly uris: readonly string[];
}

const FIELD_LIMIT = 1000;
const URI_LIMIT = 10_000;

/**
 * @param octets a character for each byte of the file
 * @param truncated is its end missing? Then facts may be of an older state, and only its head gives a number of pages
 * @returns null where it is no PDF
 */
export function pdfFacts(octets: string, truncated: boolean, inflate: Inflate): PdfFacts | null {
  if (!octets.slice(0, 1024).includes('%PDF-')) return null;
  const file = pdfFile(octets, inflate);
  const encrypted = file.trailers.some((trailer) => /\/Encrypt(?![A-Za-z])/.test(trailer));
  const root = found(file, 'Root') ?? catalogue(file);
  const info = encrypted ? null : found(file, 'Info');
  const linearized = octets.slice(0, 2048);
  const head = linearized.includes('/Linearized') ? integerOf(linearized, 'N') : null;
  return {
    title: field(file, info, 'Title'),
    subject: field(file, info, 'Subject'),
    lang: encrypted ? null : field(file, root, 'Lang'),
    pages: (truncated ? null : pagesOf(file, root)) ?? head,
    encrypted,
    uris: encrypted ? [] : urisOf(file),
  };
}

/** The object that a trailer refers to. */
function found({ objects, trailers }: PdfFile, key: string): PdfObject | null {
  for (const trailer of trailers) {
    const number = referenceOf(trailer, key);
    const object = number === null ? undefined : objects.get(number);
    if (object !== undefined) return object;
  }
  return null;
}

/** The catalogue, where no trailer leads to it. */
function catalogue({ objects }: PdfFile): PdfObject | null {
  for (const object of objects.values()) if (nameOf(object, 'Type') === 'Catalog') return object;
  return null;
}

function pagesOf({ objects }: PdfFile, root: PdfObject | null): number | null {
  const number = root === null ? null : referenceOf(root, 'Pages');
  const pages = number === null ? undefined : objects.get(number);
  return pages === undefined ? null : integerOf(pages, 'Count');
}

function field({ objects }: PdfFile, object: PdfObject | null, key: string): string | null {
  if (object === null) return null;
  const elsewhere = referenceOf(object, key);
  const target = elsewhere === null ? undefined : objects.get(elsewhere)?.trimStart();
  const text = target === undefined ? pdfText(object, key) : textAt(target, 0);
  const clean = (text ?? '').replaceAll(/[\s\0]+/g, ' ').trim();
  return clean === '' ? null : clean.slice(0, FIELD_LIMIT);
}

function urisOf({ objects }: PdfFile): readonly string[] {
  const uris = new Set<string>();
  for (const object of objects.values()) {
    const key = /\/URI\s{0,8}(?=[(<][^<])/g;
    for (let match = key.exec(object); match !== null; match = key.exec(object)) {
      const uri = addressAt(object, key.lastIndex);
      if (uri === null) break; // a string without end takes all that follows
      key.lastIndex = uri.end; // the string's content is text
      if (uri.text.trim() !== '') uris.add(uri.text.trim());
      if (uris.size >= URI_LIMIT) return [...uris];
    }
  }
  return [...uris];
}
