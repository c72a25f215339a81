/** Place of snapshots in an S3-compatible storage: `s3://bucket/prefix`. The environment of each machine names its server. */
import type { CrawlId } from '../model/crawl-id.ts';

export interface StoragePlace {
  readonly bucket: string;
  /** Without a slash at either end; may be empty. */
  readonly prefix: string;
}

/** Form of a place: bucket names as in S3, and segments that need no escaping in URLs. */
export const STORAGE_PLACE: RegExp =
  /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])((?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]{1,200})*)\/?$/;

/** Parses a place; null for any other text. */
export function readStoragePlace(text: string): StoragePlace | null {
  const [, bucket, path = ''] = STORAGE_PLACE.exec(text) ?? [];
  return bucket === undefined ? null : { bucket, prefix: path.slice(1) };
}

/** The place of one crawl, because two crawls of a site have snapshots with the same names. */
export function placeOfCrawl(place: StoragePlace, crawl: CrawlId): StoragePlace {
  return { ...place, prefix: place.prefix === '' ? crawl : `${place.prefix}/${crawl}` };
}

/** @param key of an object in the place; left out for the place itself */
export function placeText({ bucket, prefix }: StoragePlace, key = ''): string {
  return ['s3:/', bucket, prefix, key].filter((part) => part !== '').join('/');
}
