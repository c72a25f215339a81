/** Makes a crawl, or a part of it, the baseline that later crawls are compared with (docs/regression.md, "Baselines"). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { matchesWildcard } from '../core/gates/wildcard.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { writeWholeFiles } from '../crawl-folder/whole-file.ts';
import { FACETS, type PageVersion, type FacetName } from '../model/page-version.ts';
import { VERSION } from '../options/identity.ts';
import {
  BASELINE_FILE,
  BASELINE_FORMAT,
  PAGES_FILE,
  readApproved,
  type BaselineFinding,
  type BaselineHead,
  type BaselinePage,
  type StoredBaseline,
} from './baseline-site.ts';
import { baselineTexts, pageLine } from './baseline-text.ts';
import type { ComparedSite } from './compared-site.ts';
import { BaselinePictures, PICTURES_FOLDER, tidyPictures } from './baseline-pictures.ts';
import { openCrawlSite } from './crawl-site.ts';
import { NOISE_FILE, noiseText } from './noise-file.ts';
import { isBaseline } from './open-site.ts';

export interface ApproveOptions {
  /** Facets, and addresses or URLs in which `*` stands for anything; all of the crawl where none are given. */
  readonly only?: readonly string[];
  /** Copy the screenshots, too. @default whether the baseline has some, or `only` names them */
  readonly pictures?: boolean;
  readonly signal?: AbortSignal;
}

interface Approval {
  /** Pages that the baseline has now, and those whose lines changed. */
  readonly pages: number;
  readonly changed: number;
  /** Bytes of all its files, pictures included. */
  readonly bytes: number;
  readonly isNew: boolean;
}

const MOST_AT_ONCE = 16;

/** The parts of a page that belong to a facet. */
const FIELDS: Readonly<Partial<Record<FacetName, readonly (keyof BaselinePage)[]>>> = {
  status: ['outcome', 'status', 'redirect'],
  redirects: ['redirect', 'status'],
  title: ['title'],
  meta: ['description', 'lang', 'h1'],
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

/**
 * Writes a baseline: all of it, or the named parts into the existing one.
 * @param crawl a crawl folder that came to its end @param folder the baseline
 * @throws {CrawlError} CRAWL_UNREADABLE, BASELINE_INVALID, USAGE, OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL; the signal's reason
 */
export async function approveCrawl(crawl: string, folder: string, options: ApproveOptions = {}): Promise<Approval> {
  const { only = [], signal = new AbortController().signal } = options;
  await using site = await openCrawlSite(crawl, [], signal);
  const there = await isBaseline(folder);
  if (!there && only.length > 0) {
    throw new CrawlError(
      'BASELINE_INVALID',
      `there is no baseline in ${folder} of which a part could be approved\nApprove all of a crawl first: leave --only out.`,
    );
  }
  refuseHalf(site);
  if (there) await refuseLinks(folder, [BASELINE_FILE, PAGES_FILE, NOISE_FILE, PICTURES_FOLDER]);
  else await refuseStrangers(folder);
  const before = there ? await readApproved(folder) : null;
  const choice = choiceOf(only, site);
  const keepsPictures = options.pictures ?? (choice.facets.has('screenshot') || hasPictures(before));
  const pictures = keepsPictures && takes(choice, 'screenshot') ? new BaselinePictures(site, folder) : null;
  const fresh = { head: headOf(site), pages: await pagesOf(site, { pictures, choice }, signal) };
  pictures?.check();
  const next = before === null || only.length === 0 ? fresh : merged(before, fresh, choice);
  const noise = site.noise.length > 0 ? [{ path: join(folder, NOISE_FILE), content: noiseText(site.noise) }] : [];
  const { head, pages } = baselineTexts(next);
  const files = [
    { path: join(folder, BASELINE_FILE), content: head },
    { path: join(folder, PAGES_FILE), content: pages },
    ...noise,
  ];
  await writeWholeFiles(files);
  const pictureBytes = await tidyPictures(folder, next.pages.values());
  return {
    pages: next.pages.size,
    changed: changedLines(before, next),
    bytes: files.reduce((sum, { content }) => sum + Buffer.byteLength(content), pictureBytes),
    isNew: !there,
  };
}

/** Refuses a crawl that was cut: its missing pages would count as removed, or as new when they are seen again. */
function refuseHalf({ folder, cut }: ComparedSite): void {
  if (cut !== 'running' && cut !== 'failed' && cut !== 'interrupted') return;
  throw new CrawlError(
    'CRAWL_UNREADABLE',
    `${folder} is half a crawl (${cut}), and would be half a baseline\nLet it end first: orbweaver resume ${folder}`,
  );
}

/** Refuses a folder with other things in it. @throws {CrawlError} OUTPUT_EXISTS */
async function refuseStrangers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const strange = names.filter((name) => !name.startsWith('.'));
  if (strange.length === 0) return;
  throw new CrawlError(
    'OUTPUT_EXISTS',
    `${folder} is no baseline, and not empty: there is ${strange[0] ?? ''} in it\nName another folder with --to.`,
  );
}

function headOf(site: ComparedSite): BaselineHead {
  const { seeds, started, isWhole, settings, findings, addresses } = site;
  return {
    format: BASELINE_FORMAT,
    orbweaver: VERSION,
    seeds: [...seeds],
    started,
    isWhole,
    settings: Object.fromEntries(settings),
    skipped: Object.fromEntries([...site.skipped].filter(([, reason]) => reason === 'disallowed-by-robots')),
    shared: [],
    findings:
      findings === null
        ? null
        : [...findings.values()].map(({ id, rule, severity, confidence, url, message }): BaselineFinding => ({
            ...{ id, rule, severity, confidence, message },
            address: addresses.relative(url),
          })),
  };
}

interface TakenPictures {
  /** Null where none are kept. */
  readonly pictures: BaselinePictures | null;
  readonly choice: Choice;
}

async function pagesOf(
  site: ComparedSite,
  { pictures, choice }: TakenPictures,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BaselinePage>> {
  const pages = new Map<string, BaselinePage>();
  const all = [...site.pages.values()];
  for (let at = 0; at < all.length; at += MOST_AT_ONCE) {
    signal.throwIfAborted();
    const some = all.slice(at, at + MOST_AT_ONCE);
    for (const page of await Promise.all(some.map((each) => baselinePage(site, each)))) {
      const kept = choice.has(page.address) ? ((await pictures?.copy(page.address)) ?? null) : null;
      pages.set(page.address, { ...page, pictures: kept });
    }
  }
  return pages;
}

async function baselinePage(site: ComparedSite, compared: PageVersion): Promise<BaselinePage> {
  const { url: _url, ...page } = compared;
  const content = await site.content(compared, true);
  const links = (site.readersLinks(page.address) ?? []).toSorted();
  return {
    ...page,
    ...content,
    links,
    hints: (site.linksOf(page.address) ?? []).filter((address) => !links.includes(address)).toSorted(),
    files: (site.files(page.address) ?? []).toSorted(),
    pictures: null,
  };
}

interface Choice {
  readonly facets: ReadonlySet<FacetName>;
  /** Is the page one of the named ones? Without names, all are. */
  readonly has: (address: string) => boolean;
}

function takes({ facets }: Choice, facet: FacetName): boolean {
  return facets.size === 0 || facets.has(facet);
}

function hasPictures(before: StoredBaseline | null): boolean {
  return [...(before?.pages.values() ?? [])].some(({ pictures }) => pictures !== null);
}

/** @throws {CrawlError} USAGE for a text that is neither a facet nor an address of the crawl */
function choiceOf(only: readonly string[], { addresses, pages }: ComparedSite): Choice {
  const facets = new Set(FACETS.filter((facet) => only.includes(facet)));
  const patterns = only
    .filter((text) => !FACETS.some((facet) => facet === text))
    .map((text) => addresses.relative(text));
  for (const pattern of patterns) {
    const isAddress = pattern.startsWith('/') || pattern.startsWith('*');
    if (isAddress && (pattern.includes('*') || pages.has(pattern))) continue;
    throw new CrawlError(
      'USAGE',
      `--only: ${JSON.stringify(pattern.slice(0, 200))} is no facet and no page of the crawl\nAccepted: ${FACETS.join(', ')}, or an address such as /blog/*.`,
    );
  }
  return {
    facets,
    has: (address) => patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, address)),
  };
}

function merged(before: StoredBaseline, fresh: StoredBaseline, { facets, has }: Choice): StoredBaseline {
  const pages = new Map(before.pages);
  const whole = facets.size === 0;
  for (const [address, page] of fresh.pages) {
    const known = before.pages.get(address);
    if (!has(address)) continue;
    if (known === undefined) {
      if (whole || facets.has('pages')) pages.set(address, page);
    } else pages.set(address, whole ? page : withFacets(known, page, facets));
  }
  if (whole || facets.has('pages'))
    for (const address of before.pages.keys()) if (has(address) && !fresh.pages.has(address)) pages.delete(address);
  const takesFindings = facets.has('findings') || facets.has('accessibility');
  const head = takesFindings ? { ...before.head, findings: fresh.head.findings } : before.head;
  return { pages, head: facets.has('screenshot') ? { ...head, settings: withWindow(head, fresh.head) } : head };
}

/** Takes over the settings that the pictures were taken with. */
function withWindow({ settings: known }: BaselineHead, { settings }: BaselineHead): BaselineHead['settings'] {
  const taken = ['--viewport', '--full-page', '--deterministic'].flatMap((flag) => {
    const value = settings[flag];
    return value === undefined ? [] : [[flag, value] as const];
  });
  return { ...known, ...Object.fromEntries(taken) };
}

function withFacets(known: BaselinePage, page: BaselinePage, facets: ReadonlySet<FacetName>): BaselinePage {
  const fields = new Set([...facets].flatMap((facet) => FIELDS[facet] ?? []));
  const taken = Object.entries(page).filter(([key]) => [...fields].some((field) => field === key));
  return { ...known, ...Object.fromEntries(taken) };
}

function changedLines(before: StoredBaseline | null, next: StoredBaseline): number {
  let changed = 0;
  for (const [address, page] of next.pages) {
    const known = before?.pages.get(address);
    if (known === undefined || pageLine(known) !== pageLine(page)) changed += 1;
  }
  for (const address of before?.pages.keys() ?? []) if (!next.pages.has(address)) changed += 1;
  return changed;
}
