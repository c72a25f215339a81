/** Compares a page before and now: all facets of pages, its text, its links and its files. */
import { PAGE_FACETS } from '../core/diff/facets.ts';
import { rebuiltFiles, referenceChanges, type PageReferences } from '../core/diff/reference-changes.ts';
import { textHunks } from '../core/diff/text.ts';
import { normalText } from '../core/fingerprint/normal-text.ts';
import { shinglesOf } from '../core/fingerprint/shingle.ts';
import type { PageVersion, PageContent } from '../model/page-version.ts';
import type { ComparedSite } from './compared-site.ts';
import { steadyLine } from './steady-line.ts';
import type { DifferenceBook } from './difference-book.ts';

/** A pair to be compared. */
export interface ComparedPair {
  readonly old: PageVersion;
  readonly now: PageVersion;
}

interface PairContents {
  readonly old: PageContent;
  readonly now: PageContent;
}

const NOTHING: PageContent = { text: null, structured: null, alternates: null, errors: null, weight: null };
/** The fewest shingles of a text for a share: in a shorter text a few changed words are most of them. */
const LEAST_SHINGLES = 100;

export async function readPair(
  { old, now }: ComparedPair,
  before: ComparedSite,
  after: ComparedSite,
): Promise<PairContents> {
  if (old.outcome !== 'captured' || now.outcome !== 'captured') return { old: NOTHING, now: NOTHING };
  const sameText = old.digest !== null && old.digest === now.digest;
  const [one, other] = await Promise.all([before.content(old, !sameText), after.content(now, !sameText)]);
  return { old: one, now: other };
}

interface ComparedSites {
  readonly old: ComparedSite;
  readonly now: ComparedSite;
  /** The present address of an earlier one, for pages that moved; the same address for all others. */
  readonly addressNow: (address: string) => string;
  /** Removed and added pages: links to them are no differences of their own. */
  readonly implied: ReadonlySet<string>;
}

export function comparePair(
  pair: ComparedPair,
  contents: PairContents,
  sites: ComparedSites,
  book: DifferenceBook,
): void {
  const { old, now } = pair;
  const seen = { url: now.url, address: now.address };
  const [before, after] = [
    { page: old, content: contents.old },
    { page: now, content: contents.now },
  ];
  for (const { name, rule, compare } of PAGE_FACETS) {
    for (const observation of compare(before, after, steadyLine)) {
      const isLine = name === 'errors' || name === 'structured-data';
      const passage = isLine ? passageOf(observation.thing ?? '') : null;
      book.add(name, rule, { ...observation, ...seen, ...(passage === null ? {} : { passage }) });
    }
  }
  if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
  const [oldText, text] = [contents.old.text, contents.now.text];
  if (oldText !== null && text !== null) compareTexts(oldText, text, seen, book);
  const links = referenceChanges(linksOf(sites.old, old, sites.addressNow), linksOf(sites.now, now, sites.addressNow));
  const own = (address: string): boolean => !sites.implied.has(address);
  book.references('links', seen, { ...links, gone: links.gone.filter(own), come: links.come.filter(own) });
  const [oldFiles, files] = [filesOf(sites.old, old), filesOf(sites.now, now)];
  const changes = referenceChanges(rebuiltFiles(oldFiles, files), rebuiltFiles(files, oldFiles));
  book.references('files', seen, changes);
}

/** The passage of a line that was removed, was added or has another value. */
function passageOf(thing: string): string {
  if (/^[+-]/.test(thing)) return thing.slice(1);
  return `${thing.split('\n', 1)[0] ?? ''}: *`;
}

/** Do so few earlier lines remain that something else may stand in place of the page? */
export function isRewritten({ old, now }: PairContents): boolean {
  if (old.text === null || now.text === null) return false;
  const found = new Set(now.text);
  return old.text.filter((line) => found.has(line)).length * 2 < old.text.length;
}

function compareTexts(
  before: readonly string[],
  after: readonly string[],
  seen: { readonly url: string; readonly address: string },
  book: DifferenceBook,
): void {
  const [known, found] = [new Set(before), new Set(after)];
  const old = before.map((line) => (found.has(line) ? line : steadyLine(line)));
  const now = after.map((line) => (known.has(line) ? line : steadyLine(line)));
  const hunks = textHunks(old, now);
  if (hunks.length === 0) return;
  const isMuch = before.filter((line) => !found.has(line)).length * 3 > before.length;
  book.text(seen, isMuch ? similarityOf(old, now) : null, hunks);
}

/** Jaccard similarity of the shingles, 0 to 1; null where a text is too short. */
function similarityOf(old: readonly string[], now: readonly string[]): number | null {
  const [one, other] = [old, now].map((lines) => shinglesOf(normalText(lines.join('\n'))));
  if (one === undefined || other === undefined || Math.min(one.size, other.size) < LEAST_SHINGLES) return null;
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared += 1;
  return shared / (one.size + other.size - shared);
}

/** @param addressNow a link to a page that moved counts as the same link, whether it names the old address or the new one */
function linksOf(
  site: ComparedSite,
  { address }: PageVersion,
  addressNow: (link: string) => string,
): PageReferences | null {
  const links = site.readersLinks(address);
  if (links === null) return null;
  const named = new Map(links.map((link) => [addressNow(link), link]));
  const textOf = (link: string): string => site.linkText(address, named.get(link) ?? link);
  return { addresses: [...named.keys()], textOf, isOrdered: site.kind === 'crawl' };
}

function filesOf(site: ComparedSite, { address }: PageVersion): PageReferences | null {
  const files = site.files(address);
  return files === null ? null : { addresses: files, textOf: () => '', isOrdered: site.kind === 'crawl' };
}
