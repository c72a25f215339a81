/**
 * Finds the links by which the first page of a built site leads to files above its folder, such as `../std/index.html` of one part of a
 * documentation. Only the folder is served, so that they are answered with 404.
 */
import { resolve } from 'node:path';

import { lookUpFile } from './file-lookup.ts';
import { linkedAddress, type IndexPage } from './index-page.ts';

export interface LinkAbove {
  /** As the page writes it, without query and fragment: `../settings.html`. */
  readonly reference: string;
  /** The folder that has all files to which such links lead. */
  readonly folder: string;
}

/** References that are looked up. Arbitrary. */
const MOST_REFERENCES = 50;

const TAG = /<(base|a|area|link|script|img|iframe)\s([^>]{0,2000})>/gi;
const ABOVE = /^(?:\.\/)?((?:\.\.\/)+)(.*)$/;

/** The first such link; null where the page has none, or the files are not there. */
export async function findLinkAbove(root: string, { markup }: IndexPage): Promise<LinkAbove | null> {
  const found: LinkAbove[] = [];
  for (const reference of relativeReferences(markup)) {
    const [, up = '', rest = ''] = ABOVE.exec(reference) ?? [];
    const folder = resolve(root, up);
    if ((await lookUpFile(folder, `/${rest}`)).kind !== 'none') found.push({ reference, folder });
  }
  const [first] = found;
  // all of them are above the same folder: the shortest path is the uppermost
  const [uppermost] = found.toSorted((one, other) => one.folder.length - other.folder.length);
  return first === undefined || uppermost === undefined ? null : { ...first, folder: uppermost.folder };
}

function relativeReferences(markup: string): readonly string[] {
  const references = new Set<string>();
  for (const [, name = '', attributes = ''] of markup.matchAll(TAG)) {
    const reference = linkedAddress(attributes);
    if (name.toLowerCase() === 'base' && reference !== '') return [];
    if (ABOVE.test(reference)) references.add(reference);
    if (references.size >= MOST_REFERENCES) break;
  }
  return [...references];
}
