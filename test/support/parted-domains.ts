/** Domains by the part of a crawl that they belong to. */
import { partOfUrl } from '../../src/frontier/parts/part-of-url.ts';

export const PARTS = 3;

/** The part of a URL, where there are so many. */
export const partOf: (url: string) => number = partOfUrl(PARTS);

/** Names of domains of a part, as many as are wanted. */
export function domainsIn(part: number, count: number): readonly string[] {
  const names: string[] = [];
  for (let number = 0; names.length < count; number += 1)
    if (partOf(`https://d${number}.example/`) === part) names.push(`https://d${number}.example`);
  return names;
}
