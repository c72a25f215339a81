/** Makes a crawl, or a part of it, the baseline that later crawls are compared with (docs/regression.md, "Baselines"). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { NoiseBook } from '../core/diff/noise.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { writeWholeFiles } from '../crawl-folder/whole-file.ts';
import type { NoisePlace, PageVersion } from '../model/page-version.ts';
import type { SkipReason } from '../model/record.ts';
import { VERSION } from '../options/identity.ts';
import { choiceOf, merged, takes, type Choice } from './approved-part.ts';
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
import { NOISE_FILE, noiseText, readNoise } from './noise-file.ts';
import { isBaseline } from './open-site.ts';

export interface ApproveOptions {
  /** Facets, and addresses or URLs in which `*` stands for anything; all of the crawl where none are given. */
  readonly only?: readonly string[];
  /** Copy the screenshots, too. @default whether the baseline has some, or `only` names them */
  readonly pictures?: boolean;
  readonly signal?: AbortSignal;
}

export interface Approval {
  /** Pages that the baseline has now, and those whose lines changed. */
  readonly pages: number;
  readonly changed: number;
  /** Bytes of all its files, pictures included. */
  readonly bytes: number;
  readonly isNew: boolean;
}

const MOST_AT_ONCE = 16;
/** Files and folders of a baseline. */
const BASELINE_NAMES = [BASELINE_FILE, PAGES_FILE, NOISE_FILE, PICTURES_FOLDER];

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
  if (there) await refuseLinks(folder, BASELINE_NAMES);
  else await refuseStrangers(folder, []);
  const before = there ? await approvedBefore(folder, only) : null;
  const choice = choiceOf(only, site, before);
  const keepsPictures = options.pictures ?? (choice.facets.has('screenshot') || (await hasPictures(folder, before)));
  const pictures = keepsPictures && takes(choice, 'screenshot') ? new BaselinePictures(site, folder) : null;
  const fresh = { head: headOf(site), pages: await pagesOf(site, { pictures, choice }, signal) };
  pictures?.check();
  const next = before === null || only.length === 0 ? fresh : merged(before, fresh, choice);
  const places = await noiseAfter(site.noise, next === fresh ? null : folder);
  const noise = places.length > 0 ? [{ path: join(folder, NOISE_FILE), content: noiseText(places) }] : [];
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

/** @param folder the baseline of which a part is approved: its own places stay; null where all of the crawl is approved */
async function noiseAfter(found: readonly NoisePlace[], folder: string | null): Promise<readonly NoisePlace[]> {
  if (found.length === 0 || folder === null) return found;
  const noise = new NoiseBook();
  for (const { facet, address, passage } of [...(await readNoise(folder)), ...found])
    noise.add(facet, address, passage);
  return noise.places();
}

/** Refuses a crawl that was cut: its missing pages would count as removed, or as new when they are seen again. */
function refuseHalf({ folder, cut }: ComparedSite): void {
  if (cut !== 'running' && cut !== 'failed' && cut !== 'interrupted') return;
  throw new CrawlError(
    'CRAWL_UNREADABLE',
    `${folder} is half a crawl (${cut}), and would be half a baseline\nLet it end first: orbweaver resume ${folder}`,
  );
}

/** Begin of a baseline.json, also where a merge left its marks in it. */
const HEAD = /"format": (\d+),\s*"orbweaver": "/;

/**
 * The baseline that is there; null where it cannot be read, is replaced as a whole, and stands alone in its folder.
 * @throws {CrawlError} BASELINE_INVALID where it is still needed, or of a later version; OUTPUT_EXISTS where it may be somebody else's
 */
async function approvedBefore(folder: string, only: readonly string[]): Promise<StoredBaseline | null> {
  try {
    return await readApproved(folder);
  } catch (error) {
    if (!(error instanceof CrawlError && error.code === 'BASELINE_INVALID') || only.length > 0) throw error;
    await refuseStrangers(folder, BASELINE_NAMES);
    const path = join(folder, BASELINE_FILE);
    const [, format] = HEAD.exec(await readFile(path, 'utf8').catch(() => '')) ?? [];
    if (format === undefined) {
      throw new CrawlError(
        'OUTPUT_EXISTS',
        `${path} is no baseline, and nothing in it says that approve wrote it\nName another folder with --to, or remove this one.`,
      );
    }
    if (Number(format) > BASELINE_FORMAT) throw error;
    return null;
  }
}

/** Refuses a folder with other things in it than the named ones. @throws {CrawlError} OUTPUT_EXISTS */
async function refuseStrangers(folder: string, own: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const strange = names.filter((name) => !name.startsWith('.') && !own.includes(name));
  if (strange.length === 0) return;
  throw new CrawlError(
    'OUTPUT_EXISTS',
    `${folder} is no baseline${own.length > 0 ? ' that can be read' : ''}, and not empty: there is ${strange[0] ?? ''} in it\nName another folder with --to.`,
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
    skipped: Object.fromEntries(forbiddenBy(site)),
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

/** Addresses that robots.txt forbids, without those that the other scheme of their host showed. */
function forbiddenBy({ skipped, pages }: ComparedSite): readonly (readonly [string, SkipReason])[] {
  return [...skipped].filter(([address, reason]) => reason === 'disallowed-by-robots' && !pages.has(address));
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
  const all = [...site.pages.values()].filter(({ address }) => !site.guessedErrors.has(address));
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
  const { url: _url, words: _words, ...page } = compared;
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

/** Does a baseline have pictures? One that cannot be read has them where its folder does. */
async function hasPictures(folder: string, before: StoredBaseline | null): Promise<boolean> {
  if (before === null) return (await readdir(join(folder, PICTURES_FOLDER)).catch(() => [])).length > 0;
  return [...before.pages.values()].some(({ pictures }) => pictures !== null);
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
