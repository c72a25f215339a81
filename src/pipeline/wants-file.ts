import { mayHoldLinks } from '../core/links/catalogue.ts';
import { boundedCall } from './bounded-call.ts';
import { BUILTIN_PROCESSORS } from './builtin-processors.ts';
import type { Extension } from './extension.ts';

/** Anything that says which documents it reads. */
interface Reader {
  accepts(contentType: string, url: string): boolean;
}

/** Is a file of this type worth reading, for its links or for facts from a processor? Never throws. */
export function wantsFile(extensions: readonly Extension[]): (contentType: string, url: string) => boolean {
  const theirs = extensions.flatMap(({ processors, discoverers }): readonly Reader[] => [
    ...processors,
    ...discoverers,
  ]);
  return (contentType, url) =>
    mayHoldLinks(contentType, url) ||
    BUILTIN_PROCESSORS.some((reader) => reader.accepts(contentType, url)) ||
    theirs.some((reader) => accepts(reader, contentType, url));
}

/** True if the reader throws: it will throw again when it reads, and that is logged. */
function accepts(reader: Reader, contentType: string, url: string): boolean {
  try {
    return boundedCall(() => reader.accepts(contentType, url));
  } catch {
    return true;
  }
}
