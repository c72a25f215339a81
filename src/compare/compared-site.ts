/** A crawl or a baseline, as a comparison looks at it. */
import type { SiteAddressBook } from '../core/diff/standings.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import type { PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import type { PageVersion, NoisePlace, PageContent } from '../model/page-version.ts';
import type { Finding, NotJudgedReason } from '../model/finding.ts';

export interface ComparedSite extends SiteAddressBook, AsyncDisposable {
  readonly kind: 'crawl' | 'baseline';
  /** Absolute. */
  readonly folder: string;
  readonly seeds: readonly string[];
  /** ISO 8601. */
  readonly started: string;
  /** What may make two crawls see other things, by the name of its flag. */
  readonly settings: ReadonlyMap<string, string>;
  readonly addresses: SiteAddresses;
  /** Addresses that readers of a page are led to; null where nobody knows. */
  readersLinks(address: string): readonly string[] | null;
  /** What readers see of a link of a page; empty where there is nothing, or nobody knows. */
  linkText(address: string, link: string): string;
  /** Files that it loads, without hashes and versions; null where nobody knows. */
  files(address: string): readonly string[] | null;
  /** @param withText whether its text is wanted: null in its place where not */
  content(page: PageVersion, withText: boolean): Promise<PageContent>;
  /** Its screenshots; null where it has none. */
  pictures(address: string): PageScreenshots | null;
  /** Has any page a screenshot? */
  readonly hasPictures: boolean;
  /** What stands in place of the content of a captured page, such as a challenge; null where nothing does, or nobody can tell. */
  wallOf(page: PageVersion): Promise<NotJudgedReason | null>;
  /** By id; null where it was not audited. */
  readonly findings: ReadonlyMap<string, Finding> | null;
  /** Known noise. */
  readonly noise: readonly NoisePlace[];
  /** The URL of an address on this site. */
  urlOf(address: string): string;
  /** What could not be read, and other things to be known. */
  notes(): readonly string[];
}

/** Joins the address of a site with its origin; addresses of other hosts have theirs. */
export function urlMaker(seeds: readonly string[]): (address: string) => string {
  const [origin = 'http://localhost'] = seeds.flatMap((seed) => /^https?:\/\/[^/?#]+/.exec(seed)?.[0] ?? []);
  const scheme = origin.split(':', 1)[0] ?? 'http';
  return (address) => {
    if (address.startsWith('//')) return `${scheme}:${address}`;
    return address.startsWith('/') ? origin + address : address;
  };
}
