/** The last lines of a crawl folder about a URL. */
import { jsonFieldText } from '../crawl-folder/crawl-lines.ts';
import { storedPages, type StoredPage, type Unread } from '../crawl-folder/stored-lines.ts';

/** The last line of a page; no version records a page twice. */
export async function lastPage(folder: string, url: string, unread: Unread): Promise<StoredPage | null> {
  return lastOf(storedPages(folder, jsonFieldText('url', url), unread), (page) => page.url === url);
}

/** The last line that meets the test; null where none does. */
export async function lastOf<Line>(lines: AsyncIterable<Line>, isIt: (line: Line) => boolean): Promise<Line | null> {
  let last: Line | null = null;
  for await (const line of lines) if (isIt(line)) last = line;
  return last;
}
