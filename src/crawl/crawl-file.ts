/** What crawl.json says (contract.md, section 4). */
import { randomBytes } from 'node:crypto';
import { parsedUrl } from '../base/parsed-url.ts';
import { crawlId, type CrawlId } from '../model/crawl-id.ts';
import type { GivenUpHost, SuspectedTrap } from '../model/record.ts';
import type { CrawlTotals } from './crawl.ts';
import { VERSION } from './identity.ts';
import type { ParsedOptions } from './options.ts';

export interface CrawlFileContent {
  readonly id: CrawlId;
  /** How the folder's files are laid out: see `CRAWL_FORMAT`. */
  readonly format: number;
  readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
  /** Why it ended; null while it runs. */
  readonly end: string | null;
  readonly seeds: readonly string[];
  /** Folders that are served, with the port that their URLs carry. */
  readonly served: readonly { readonly folder: string; readonly port: number }[];
  readonly options: Readonly<Record<string, unknown>>;
  /** What followed from options, seeds and machine. */
  readonly effective: {
    readonly workers: number;
    readonly hostConcurrency: number;
    readonly userAgent: string;
    readonly robotsAgent: string;
  };
  readonly versions: Readonly<Record<string, string>>;
  readonly started: string;
  readonly finished: string | null;
  readonly totals: CrawlTotals;
  readonly suspectedTraps: readonly SuspectedTrap[];
  readonly hostsGivenUp: readonly GivenUpHost[];
  readonly notes: readonly string[];
}

export function newCrawlId(): CrawlId {
  return crawlId(`c-${randomBytes(6).toString('hex')}`);
}

/** Stands in crawl.json for what is secret. */
export const REDACTED = '(redacted)';
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key|x-auth-token)$/i;

/** Options as they may be shown: no passwords, no cookies. */
export function redactedOptions(options: ParsedOptions): Readonly<Record<string, unknown>> {
  const headers = options.headers.map((line) => {
    const name = line.slice(0, line.indexOf(':'));
    return SECRET_HEADER.test(name) ? `${name}: ${REDACTED}` : line;
  });
  return { ...options, headers, redis: options.redis === undefined ? undefined : withoutPassword(options.redis) };
}

/** A URL whose user and password are taken out. */
export function withoutPassword(text: string): string {
  const url = parsedUrl(text);
  if (url === null) return text;
  url.username = '';
  url.password = '';
  return url.href;
}

export function versions(browser: string, redis: string): Readonly<Record<string, string>> {
  return { orbweaver: VERSION, node: process.versions.node, browser, redis };
}
