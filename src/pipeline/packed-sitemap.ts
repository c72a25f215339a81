/** Sitemaps as servers send them: plain, or packed as files. */
import { gunzipSync } from 'node:zlib';
import { readSitemap as parseUnpacked, SITEMAP_BYTE_LIMIT, type Sitemap } from '../core/links/data/sitemap.ts';
import type { Task } from '../offload/task.ts';

/**
 * Reads a sitemap: XML, an index, RSS, Atom or a list of URLs; packed by gzip or not. Never throws. Entries that are not http(s)
 * URLs are skipped, and a file that would unpack to more than 50 MB is not read.
 * @param body as received
 * @param url of the sitemap; relative entries are resolved against it
 * @example parseSitemap('<urlset><url><loc>https://example.org/a</loc></url></urlset>', 'https://example.org/sitemap.xml').entries
 */
export function parseSitemap(body: Uint8Array | string, url: string): Sitemap {
  if (typeof body === 'string' || body[0] !== 0x1f || body[1] !== 0x8b) return parseUnpacked(body, url);
  try {
    return parseUnpacked(gunzipSync(body, { maxOutputLength: SITEMAP_BYTE_LIMIT }), url);
  } catch {
    return { kind: 'unknown', entries: [] };
  }
}

/** {@link parseSitemap} as a task. */
export const SITEMAP: Task<{ readonly body: Uint8Array | string; readonly url: string }, Sitemap> = {
  name: 'sitemap',
  run: ({ body, url }) => parseSitemap(body, url),
};
