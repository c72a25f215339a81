/** Where snapshots lie in an S3-compatible storage: `s3://bucket/prefix`. The server of it is named by the environment of each machine. */
import type { CrawlId } from '../model/crawl-id.ts';

export interface StoragePlace {
  readonly bucket: string;
  /** Without a slash at either end; may be empty. */
  readonly prefix: string;
}

/** Names of buckets as S3 has them, and segments that URLs carry as they are. */
export const STORAGE_PLACE: RegExp =
  /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])((?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]{1,200})*)\/?$/;

/** Null for any other text. */
export function readStoragePlace(text: string): StoragePlace | null {
  const [, bucket, path = ''] = STORAGE_PLACE.exec(text) ?? [];
  return bucket === undefined ? null : { bucket, prefix: path.slice(1) };
}

/** The place of one crawl: two crawls of a site have snapshots of the same names. */
export function placeOfCrawl(place: StoragePlace, crawl: CrawlId): StoragePlace {
  return { ...place, prefix: place.prefix === '' ? crawl : `${place.prefix}/${crawl}` };
}

/** @param key of an object in it; left out: the place itself */
export function placeText({ bucket, prefix }: StoragePlace, key = ''): string {
  return ['s3:/', bucket, prefix, key].filter((part) => part !== '').join('/');
}
