/** The links of a feed in JSON (jsonfeed.org, version 1.1): like those of other feeds, its entries are named for readers. */
import { parsedJson } from '../../../base/safe-json.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { fragmentLinks } from '../markup/html-fragment.ts';

/** As many as a file may have links. */
const ENTRIES = 10_000;
const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//;

/** Addresses of the feed and of its entries, and those of pictures and files. */
const OF_FEED = ['home_page_url', 'feed_url', 'next_url'] as const;
const OF_ENTRY = ['url', 'external_url'] as const;
const FEED_PARTS = ['icon', 'favicon'] as const;
const ENTRY_PARTS = ['image', 'banner_image'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** @param url of the feed: its references are relative to it @returns null where it is not one */
export function jsonFeedLinks(text: string, url: string): readonly FoundLink[] | null {
  if (!text.includes('jsonfeed.org/version/')) return null;
  const feed = fieldsOf(parsedJson(text.replace(/^\uFEFF/, '')));
  if (!VERSION.test(String(feed['version']))) return null;
  const links: FoundLink[] = [];
  const add = (value: unknown, kind: FoundLink['kind'], context: string, rel: readonly string[] = []): void => {
    const href = typeof value === 'string' ? value.trim() : '';
    if (href !== '' && !/\s/.test(href)) links.push(fileLink(href, url, { kind, context, rel }));
  };
  for (const key of OF_FEED) add(feed[key], 'feed', key);
  for (const key of FEED_PARTS) add(feed[key], 'resource', key);
  for (const entry of listOf(feed['items']).slice(0, ENTRIES).map(fieldsOf)) {
    for (const key of OF_ENTRY) add(entry[key], 'feed', key === 'url' ? 'entry/link' : `entry/${key}`);
    for (const key of ENTRY_PARTS) add(entry[key], 'resource', `entry/${key}`);
    for (const file of listOf(entry['attachments'])) add(fieldsOf(file)['url'], 'resource', 'entry/attachments');
    const html = entry['content_html'];
    for (const { href, rel } of typeof html === 'string' ? fragmentLinks(html, url) : [])
      add(href, 'feed', 'content_html', rel);
  }
  return links;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
