/** Finds the pages of a crawl with the URLs most like one that it does not have: for a slip, or another way to write it. */
import { storedPages } from '../crawl-folder/stored-lines.ts';

const SHOWN = 3;
/** Letters that may differ, without the common beginning and end. */
const SLIP = 3;

/** @returns at most three, the most similar first: of those that are equal but for query and fragment, by these */
export async function didYouMean(folder: string, url: string): Promise<readonly string[]> {
  const found: { readonly url: string; readonly distance: number; readonly whole: number }[] = [];
  const wanted = plain(url);
  for await (const page of storedPages(folder, '"outcome":"captured"', { torn: () => {}, damaged: () => {} })) {
    const distance = slip(wanted, plain(page.url));
    if (distance > SLIP) continue;
    found.push({ url: page.url, distance, whole: slip(url.toLowerCase(), page.url.toLowerCase()) });
    found.sort((one, other) => one.distance - other.distance || one.whole - other.whole);
    if (found.length > SHOWN) found.pop();
  }
  return found.map((each) => each.url);
}

/** The URL without the parts that people leave out or write otherwise: scheme, www, query, fragment, index file, last slash, case. */
function plain(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/(?:index\.\w+)?$/, '');
}

/** The number of letters between the common beginning and the common end; an upper bound of the edit distance. */
function slip(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end;
}
