/** Domains by their part of a crawl. */
import { partOfUrl } from '../../src/frontier/parts/part-of-url.ts';

export const PARTS = 3;

/** The part of a URL, with that many parts. */
export const partOf: (url: string) => number = partOfUrl(PARTS);

/** Names of `count` domains of a part. */
export function domainsIn(part: number, count: number): readonly string[] {
  const names: string[] = [];
  for (let number = 0; names.length < count; number += 1)
    if (partOf(`https://d${number}.example/`) === part) names.push(`https://d${number}.example`);
  return names;
}
