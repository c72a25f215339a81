/** The content of crawl.json (docs/crawl-folder.md, "The crawl folder"). */
import { randomBytes } from 'node:crypto';
import { parsedUrl } from '../../base/parsed-url.ts';
import { redactedText } from '../../base/redaction.ts';
import { basic } from '../../egress/proxy/proxy-door.ts';
import { crawlId, type CrawlId } from '../../model/crawl-id.ts';
import type { FoldedParameters, GivenUpHost, SuspectedTrap } from '../../model/record.ts';
import { httpAuthPlace, httpAuthSecrets } from '../../model/http-auth.ts';
import { withoutUpstreamCredential } from '../../model/upstream-proxy.ts';
import { splitHeaderLine } from '../../model/user-headers.ts';
import { VERSION } from '../../options/identity.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { CrawlTotals } from '../crawl.ts';
import { userProxyOf } from '../opening/user-proxy.ts';

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
  /** The storage of snapshots, as `s3://bucket/prefix`; left out where they are files of the folder. */
  readonly storage?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Settings derived from options, seeds and machine. */
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
  /** Can `resume` go on with it? Then something is queued, and the state of the crawl is kept. */
  readonly resumable: boolean;
  readonly suspectedTraps: readonly SuspectedTrap[];
  readonly hostsGivenUp: readonly GivenUpHost[];
  readonly foldedParameters: readonly FoldedParameters[];
  readonly notes: readonly string[];
}

export function newCrawlId(): CrawlId {
  return crawlId(`c-${randomBytes(6).toString('hex')}`);
}

/** Stands in crawl.json in place of secrets. */
export const REDACTED_OPTION = '(redacted)';

/** Options as they may be shown: headers with their names alone, URLs without user and password, the endpoint of a browser without its token. */
export function redactedOptions(options: ParsedOptions): Readonly<Record<string, unknown>> {
  const headers = options.headers.map((line) => `${splitHeaderLine(line)[0]}: ${REDACTED_OPTION}`);
  return {
    ...options,
    seeds: options.seeds.map(withoutUser),
    sitemaps: options.sitemaps.map(withoutUser),
    headers,
    httpAuth: options.httpAuth.map((text) => `${REDACTED_OPTION}@${httpAuthPlace(text)}`),
    redis: options.redis === undefined ? undefined : withoutPassword(options.redis),
    browser: options.browser === undefined ? undefined : redactedText(withoutUser(options.browser)),
    proxy: options.proxy === undefined ? undefined : withoutUpstreamCredential(options.proxy),
  };
}

/** Values of the options that no text may repeat. */
export function secretsOf({
  headers,
  proxy,
  httpAuth,
}: Pick<ParsedOptions, 'headers' | 'proxy' | 'httpAuth'>): readonly string[] {
  const credential = userProxyOf({ proxy })?.credential ?? null;
  const shown = credential === null ? [] : [credential.password, basic(credential).slice('Basic '.length)];
  return [...headers.map((line) => splitHeaderLine(line)[1]), ...shown, ...httpAuthSecrets(httpAuth)];
}

/** As {@link withoutPassword}; a text without a user, such as a path, stays as it is written. */
function withoutUser(text: string): string {
  return parsedUrl(text)?.username === '' && parsedUrl(text)?.password === '' ? text : withoutPassword(text);
}

/** A URL whose user and password are taken out. */
export function withoutPassword(text: string): string {
  const url = parsedUrl(text);
  if (url === null) return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/** @param consentEngine null where consent dialogs are left alone */
export function versions(
  browser: string,
  redis: string,
  consentEngine: string | null,
): Readonly<Record<string, string>> {
  const engine = consentEngine === null ? {} : { autoconsent: consentEngine };
  return { orbweaver: VERSION, node: process.versions.node, browser, redis, ...engine };
}
