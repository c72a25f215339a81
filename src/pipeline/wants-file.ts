import { mayHoldLinks } from '../core/links/catalogue.ts';
import { boundedCall } from './bounded-call.ts';
import { BUILTIN_PROCESSORS } from './builtin-processors.ts';
import type { Extension } from './extension.ts';

/** Says which documents it reads. */
interface Reader {
  accepts(contentType: string, url: string): boolean;
}

/** Whether a file of this type is worth reading: for its links, or for what a processor finds out. Never throws. */
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

/** One that throws here throws again when it is asked to read, and the log says so then. */
function accepts(reader: Reader, contentType: string, url: string): boolean {
  try {
    return boundedCall(() => reader.accepts(contentType, url));
  } catch {
    return true;
  }
}
