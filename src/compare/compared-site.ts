/** A crawl or a baseline, as a comparison looks at it. */
import type { SiteAddressBook } from '../core/diff/standings.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import type { PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import type { PageVersion, NoisePlace, PageContent } from '../model/page-version.ts';
import type { Finding, NotJudgedReason, RuleInfo } from '../model/finding.ts';

export interface ComparedSite extends SiteAddressBook, AsyncDisposable {
  readonly kind: 'crawl' | 'baseline';
  /** Absolute. */
  readonly folder: string;
  readonly seeds: readonly string[];
  /** ISO 8601. */
  readonly started: string;
  /** Settings that may make two crawls see other things, by the name of the flag. */
  readonly settings: ReadonlyMap<string, string>;
  readonly addresses: SiteAddresses;
  /** Addresses that readers of a page are led to; null where unknown. */
  readersLinks(address: string): readonly string[] | null;
  /** The text of a link of a page, as readers see it; empty where there is none, or it is unknown. */
  linkText(address: string, link: string): string;
  /** Files that the page loads, without hashes and versions; null where unknown. */
  files(address: string): readonly string[] | null;
  /** @param withText whether its text is wanted: null in its place where not */
  content(page: PageVersion, withText: boolean): Promise<PageContent>;
  /** Its screenshots; null where it has none. */
  pictures(address: string): PageScreenshots | null;
  /** Has any page a screenshot? */
  readonly hasPictures: boolean;
  /** The wall in place of the content of a captured page, such as a challenge; null where there is none, or it is unknown. */
  wallOf(page: PageVersion): Promise<NotJudgedReason | null>;
  /** Findings by id; null where it was not audited. */
  readonly findings: ReadonlyMap<string, Finding> | null;
  /** Rules by which it alone was audited: those of its axe-core. A baseline has none. */
  readonly axeRules: readonly RuleInfo[];
  /** Links to other sites whose check did not show whether they are broken. */
  readonly uncertain: ReadonlySet<string>;
  /** Addresses that a rule of robots.txt forbids, with the rule; empty where only the address is known, as in baselines. */
  readonly forbidden: ReadonlyMap<string, string>;
  /** Addresses of error pages that only guesses and one another name. */
  readonly guessedErrors: ReadonlySet<string>;
  /** Known noise. */
  readonly noise: readonly NoisePlace[];
  /** The URL of an address on this site. */
  urlOf(address: string): string;
  /** Contents that could not be read, and other facts to know. */
  notes(): readonly string[];
}

/**
 * Joins the address of a site with its origin; addresses of other hosts have theirs.
 * @param isSecure whether the address of another host is one of https; null where unknown, as in baselines
 */
export function urlMaker(
  seeds: readonly string[],
  isSecure: (address: string) => boolean | null = () => null,
): (address: string) => string {
  const [origin = 'http://localhost'] = seeds.flatMap((seed) => /^https?:\/\/[^/?#]+/.exec(seed)?.[0] ?? []);
  const scheme = origin.split(':', 1)[0] ?? 'http';
  return (address) => {
    if (!address.startsWith('//')) return address.startsWith('/') ? origin + address : address;
    const known = isSecure(address);
    return `${known === null ? scheme : known ? 'https' : 'http'}:${address}`;
  };
}
