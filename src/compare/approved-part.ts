/** The part of a crawl that is approved: facets, pages, or facets of pages (docs/regression.md, "Baselines"). */
import { CrawlError } from '../base/errors.ts';
import { isRemoved, isPage } from '../core/diff/standings.ts';
import { matchesWildcard } from '../core/gates/wildcard.ts';
import { FACETS, type FacetName } from '../model/page-version.ts';
import type { BaselineFinding, BaselineHead, BaselinePage, StoredBaseline } from './baseline-site.ts';
import type { ComparedSite } from './compared-site.ts';
import { findingFacet, incomparable, WHOLE_RULES } from './finding-comparison.ts';
import { EXTERNAL_SETTING } from './settings.ts';

/** The parts of a page that belong to a facet. */
const FIELDS: Readonly<Partial<Record<FacetName, readonly (keyof BaselinePage)[]>>> = {
  status: ['outcome', 'status', 'redirect'],
  redirects: ['redirect', 'status'],
  title: ['title'],
  meta: ['description', 'lang', 'h1', 'alternates'],
  canonical: ['canonical'],
  robots: ['robots'],
  links: ['links', 'hints'],
  files: ['files'],
  text: ['text', 'digest'],
  'structured-data': ['structured'],
  errors: ['errors'],
  weight: ['weight', 'bytes'],
  screenshot: ['pictures'],
};

/** The part of a crawl that `--only` names. */
export interface Choice {
  readonly facets: ReadonlySet<FacetName>;
  /** Are pages named? */
  readonly hasNames: boolean;
  /** Is the page one of the named ones? Without names, all are. */
  readonly has: (address: string) => boolean;
}

export function takes({ facets }: Choice, facet: FacetName): boolean {
  return facets.size === 0 || facets.has(facet);
}

/**
 * @param before the baseline: a page that only it has is named to be removed
 * @throws {CrawlError} USAGE for a text that is neither a facet nor an address of the crawl or the baseline
 */
export function choiceOf(
  only: readonly string[],
  { addresses, pages }: ComparedSite,
  before: StoredBaseline | null,
): Choice {
  const facets = new Set(FACETS.filter((facet) => only.includes(facet)));
  const patterns = only
    .filter((text) => !FACETS.some((facet) => facet === text))
    .map((text) => addresses.relative(text));
  for (const pattern of patterns) {
    const isAddress = pattern.startsWith('/') || pattern.startsWith('*');
    if (isAddress && (pattern.includes('*') || pages.has(pattern) || before?.pages.has(pattern) === true)) continue;
    throw new CrawlError(
      'USAGE',
      `--only: ${JSON.stringify(pattern.slice(0, 200))} is no facet and no page of the crawl\nAccepted: ${FACETS.join(', ')}, or an address such as /blog/*.`,
    );
  }
  return {
    facets,
    hasNames: patterns.length > 0,
    has: (address) => patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, address)),
  };
}

/** The baseline with the chosen part of a crawl in place of its own. */
export function merged(before: StoredBaseline, fresh: StoredBaseline, choice: Choice): StoredBaseline {
  const { facets, has } = choice;
  const pages = new Map(before.pages);
  const whole = facets.size === 0;
  for (const [address, page] of fresh.pages) {
    const known = before.pages.get(address);
    if (!has(address)) continue;
    if (known === undefined) {
      if (whole || facets.has('pages')) pages.set(address, page);
    } else {
      const isWhole = whole || (facets.has('pages') && isPage(known) && hasLeft(page, before, fresh));
      pages.set(address, isWhole ? page : withFacets(known, page, facets));
    }
  }
  if (whole || facets.has('pages')) {
    // a page that robots.txt forbids has not left: that is for the facet of robots
    const isLeft = (address: string): boolean => !whole && fresh.head.skipped[address] !== undefined;
    for (const address of before.pages.keys())
      if (has(address) && !fresh.pages.has(address) && !isLeft(address)) pages.delete(address);
  }
  const findings = mergedFindings(before.head, fresh.head, choice);
  const settings = mergedSettings(before.head, fresh.head, choice);
  return { pages, head: { ...before.head, settings, findings, skipped: mergedSkips(before.head, fresh.head, choice) } };
}

/** What robots.txt forbids: of the named pages, that of the crawl. */
function mergedSkips(before: BaselineHead, fresh: BaselineHead, choice: Choice): BaselineHead['skipped'] {
  if (!takes(choice, 'robots')) return before.skipped;
  const kept = Object.entries(before.skipped).filter(([address]) => !choice.has(address));
  return Object.fromEntries([...kept, ...Object.entries(fresh.skipped).filter(([address]) => choice.has(address))]);
}

const MOST_HOPS = 10;

/** Does the address of a page say now that the page is gone, or redirect to a page that was not there before? */
function hasLeft(page: BaselinePage, before: StoredBaseline, fresh: StoredBaseline): boolean {
  let at: BaselinePage | undefined = page;
  for (let hops = 0; at?.outcome === 'redirected' && hops < MOST_HOPS; hops += 1)
    at = fresh.pages.get(at.redirect ?? '');
  if (at === page || at === undefined) return isRemoved(page);
  return isPage(at) && !before.pages.has(at.address);
}

/**
 * Takes findings by their pages and facets. One of a named page that the crawl still has, shown by another page, stays; so does one of a
 * rule that only one of both crawls could apply, unless the setting is taken over with it. Whether a crawl was cut never is.
 */
function mergedFindings(before: BaselineHead, fresh: BaselineHead, choice: Choice): BaselineHead['findings'] {
  const { facets, hasNames, has } = choice;
  if (fresh.findings === null || (before.findings === null && facets.size === 0)) return before.findings;
  const skips = incomparable(sideOf(before), sideOf(fresh));
  const isTaken = ({ rule, address }: BaselineFinding): boolean =>
    has(address) && takes(choice, findingFacet(rule)) && !((hasNames || WHOLE_RULES.has(rule)) && skips(rule));
  const there = new Set(fresh.findings.map(({ id }) => id));
  const kept = (before.findings ?? []).filter((finding) => there.has(finding.id) || !isTaken(finding));
  return [...new Map([...kept, ...fresh.findings.filter(isTaken)].map((finding) => [finding.id, finding])).values()];
}

function sideOf({ settings, isWhole }: BaselineHead): Parameters<typeof incomparable>[0] {
  return { settings: new Map(Object.entries(settings)), isWhole };
}

/** Settings that decide what a facet holds. */
const FACET_SETTINGS: Readonly<Partial<Record<FacetName, readonly string[]>>> = {
  screenshot: ['--viewport', '--full-page', '--deterministic'],
  accessibility: ['--axe'],
  findings: ['--measure', EXTERNAL_SETTING],
};

/** Takes over the settings of facets: those of pictures always, those of findings where all pages are taken. */
function mergedSettings(
  before: BaselineHead,
  fresh: BaselineHead,
  { facets, hasNames }: Choice,
): BaselineHead['settings'] {
  const flags = [...facets].flatMap((facet) =>
    facet !== 'screenshot' && (hasNames || fresh.findings === null) ? [] : (FACET_SETTINGS[facet] ?? []),
  );
  const taken = flags.flatMap((flag) => {
    const value = fresh.settings[flag];
    return value === undefined ? [] : [[flag, value] as const];
  });
  return { ...before.settings, ...Object.fromEntries(taken) };
}

/** Facets of the answer of an address; all others are of the page that it shows. */
const ANSWER: ReadonlySet<FacetName> = new Set(['status', 'redirects']);

/**
 * The page with the fields of some facets in place of its own. An address that shows no page now, and whose answer is not approved, has
 * no contents that could be approved: by the old ones the page is found again, at another address or at this one.
 */
function withFacets(known: BaselinePage, page: BaselinePage, facets: ReadonlySet<FacetName>): BaselinePage {
  const hasContents = isPage(page) || !isPage(known) || facets.has('status');
  const chosen = [...facets].filter((facet) => hasContents || ANSWER.has(facet));
  const fields = new Set(chosen.flatMap((facet) => FIELDS[facet] ?? []));
  const taken = Object.entries(page).filter(([key]) => [...fields].some((field) => field === key));
  return { ...known, ...Object.fromEntries(taken) };
}
