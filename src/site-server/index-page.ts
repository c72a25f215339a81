/** What the first page of a built site says of its own address. */
import { open } from 'node:fs/promises';

import { lookUpFile } from './file-lookup.ts';

export interface IndexPage {
  /** Its beginning, without comments and its canonical link. */
  readonly markup: string;
  /** Its canonical address; without one the first address of sitemap.xml. Null where there is neither. */
  readonly address: string | null;
}

/** Bytes of a file that are read. Arbitrary. */
const MOST_BYTES = 256 * 1024;

const COMMENT = /<!--[^]*?(?:-->|$)/g;
const CANONICAL = /<link\s(?=[^>]{0,2000}\brel\s*=\s*["']?canonical\b)[^>]{0,2000}>/i;
const LOCATION = /<loc>\s{0,100}(https?:\/\/[^\s<]{1,2000})/i;
const ADDRESS = /(?:^|[\s"'])(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Null where the folder has no such page. */
export async function readIndexPage(root: string): Promise<IndexPage | null> {
  const index = await beginningOf(root, '/');
  if (index === null) return null;
  const markup = index.replaceAll(COMMENT, '');
  const canonical = linkedAddress(CANONICAL.exec(markup)?.[0] ?? '');
  const address = canonical === '' ? LOCATION.exec((await beginningOf(root, '/sitemap.xml')) ?? '')?.[1] : canonical;
  return {
    markup: markup.replace(CANONICAL, ''),
    address: address !== undefined && linkedOrigin(address) !== null ? address : null,
  };
}

/** The origin of a whole address; null where it has none. */
export function linkedOrigin(address: string): string | null {
  return /^https?:\/\/[^/?#]+/.exec(address)?.[0] ?? null;
}

/** The address in the attributes of an element, without query and fragment; empty where there is none. */
export function linkedAddress(attributes: string): string {
  const [, double, single, bare] = ADDRESS.exec(attributes) ?? [];
  return (double ?? single ?? bare ?? '').trim().replace(/[?#][^]*$/, '');
}

async function beginningOf(root: string, path: string): Promise<string | null> {
  const found = await lookUpFile(root, path);
  if (found.kind !== 'file') return null;
  await using file = await open(found.path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
