/** Counts the lines that could not be read, so that none is left out silently. */
import type { Unread } from '../crawl-folder/stored-lines.ts';

/** The lines of a crawl folder that could not be read, in words. */
export interface UnreadLines extends Unread {
  notes(): readonly string[];
}

/** @param whose the owner of the lines, for the words: of lines that were looked at */
export function createUnread(whose = ''): UnreadLines {
  const torn = new Set<string>();
  const damaged = new Map<string, number>();
  return {
    torn: (file) => torn.add(file),
    damaged: (file) => damaged.set(file, (damaged.get(file) ?? 0) + 1),
    notes: () => [
      ...[...torn].map(
        (file) => `${file} ends within a line, for the crawl was killed while it wrote; that line is left out`,
      ),
      ...[...damaged].map(([file, count]) => `${count} of the lines in ${file}${whose} cannot be read; left out`),
    ],
  };
}
