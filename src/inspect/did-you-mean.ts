/** The pages of a crawl whose URL is most like one that it does not have: for a slip of the hand, or another way to write it. */
import { storedPages } from '../crawl-folder/stored-lines.ts';

const SHOWN = 3;
/** Letters that may differ, once what both begin and end with is left out. */
const SLIP = 3;

/** @returns at most three, the likest first */
export async function didYouMean(folder: string, url: string): Promise<readonly string[]> {
  const found: { readonly url: string; readonly distance: number }[] = [];
  const wanted = plain(url);
  for await (const page of storedPages(folder, '"outcome":"captured"', { torn: () => {}, damaged: () => {} })) {
    const distance = slip(wanted, plain(page.url));
    if (distance > SLIP) continue;
    found.push({ url: page.url, distance });
    found.sort((one, other) => one.distance - other.distance);
    if (found.length > SHOWN) found.pop();
  }
  return found.map((each) => each.url);
}

/** Without what people leave out or write otherwise: scheme, www, query, fragment, index file, last slash, case. */
function plain(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/(?:index\.\w+)?$/, '');
}

/** How many letters differ between what both begin and what both end with; an upper bound of the edit distance. */
function slip(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > SLIP) return SLIP + 1;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end;
}
