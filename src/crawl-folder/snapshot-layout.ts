/**
 * The names of a page's snapshots. A name begins with a digest of the URL, so that no URL can choose a path (no
 * `..`, no reserved name, no clash on file systems that fold case); what follows is for people only. The way back from
 * a file to its URL is the digest: pages.jsonl names the file of each page.
 */
import { createHash } from 'node:crypto';
import { redactedText } from '../base/redaction.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';

/** 80 bits: two of 1e9 pages share a name with a probability of 4e-7. */
const DIGEST_DIGITS = 20;
const SLUG_LENGTH = 40;

/** @returns folder and file stem, relative to the crawl folder, with forward slashes: `snapshots/3f/3f0c…-docs-intro` */
export function snapshotStem(url: CanonicalUrl): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, DIGEST_DIGITS);
  // more people see the names of files than their contents
  const { pathname, search } = new URL(redactedText(url));
  const slug = `${pathname}${search}`
    .toLowerCase()
    .replace(/%[0-9a-f]{2}/g, '-')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `snapshots/${digest.slice(0, 2)}/${digest}${slug === '' ? '' : `-${slug}`}`;
}
