import type { FileSource } from '../../model/file-source.ts';
import type { FoundLink } from '../../model/link.ts';

/** A processor's findings about a document; a field that is left out or null is not known. */
export interface FileFindings {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** As the document says it: `en`, `pt-BR`. */
  readonly lang?: string | null | undefined;
  /** Text for readers: it is counted, digested and kept as the document's text. */
  readonly text?: string | null | undefined;
  /** Links beside those that discoverers find. */
  readonly links?: readonly FoundLink[] | undefined;
  /** Other useful facts: `{ width: 640, height: 480 }`, `{ pages: 12 }`. */
  readonly facts?: FileFacts | undefined;
}

/** Figures and short words about a document; `facts` of pages.jsonl. */
export type FileFacts = Readonly<Record<string, string | number | boolean>>;

/**
 * Reads documents of one kind. The same document must give the same findings on every call. An exception counts as
 * "nothing found".
 * @example
 * const words: PageProcessor = {
 *   name: 'subtitles',
 *   accepts: (contentType) => contentType === 'text/vtt',
 *   process: ({ text }) => ({ text: text.replaceAll(/^.*-->.*$/gm, ''), facts: { cues: text.split('-->').length - 1 } }),
 * };
 */
export interface PageProcessor {
  /** Unique among the processors of an extension; for the log. */
  readonly name: string;
  /** @param contentType as in {@link FileSource} */
  accepts(contentType: string, url: string): boolean;
  /** @param signal is aborted when the result is no longer awaited */
  process(file: FileSource, signal: AbortSignal): FileFindings | Promise<FileFindings>;
}
