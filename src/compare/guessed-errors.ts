/** Error pages that only guesses and one another name, such as `/404.html` and `/de/404.html`: they are no pages of the site, as in audits. */
import { isOwnPage } from '../audit/page-pass.ts';
import { readPageNames } from '../audit/page-names.ts';
import { CrawlError } from '../base/errors.ts';
import { isPage } from '../core/diff/standings.ts';
import type { StoredPage } from '../crawl-folder/stored-lines.ts';
import type { NotJudgedReason } from '../model/finding.ts';
import type { ComparedSite } from './compared-site.ts';
import { verdictOn, type WallSource } from './page-wall.ts';

const ERRORS: ReadonlySet<unknown> = new Set<NotJudgedReason>(['error-page', 'soft-404']);

/** Their URLs. The links are read only where there are such pages. @throws the signal's reason */
export async function guessedErrors(
  records: ReadonlyMap<string, { readonly stored: StoredPage }>,
  seeds: readonly string[],
  source: WallSource,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const errors: string[] = [];
  const isGuess = (page: StoredPage | undefined): boolean => page?.confidence === 'low';
  for (const { stored: page } of records.values()) {
    if (!isGuess(page) || page.outcome !== 'captured') continue;
    signal.throwIfAborted();
    if (ERRORS.has(await verdictOn(page, source).catch(unlessLost))) errors.push(page.url);
  }
  if (errors.length === 0) return [];
  const names = await readPageNames(source.folder, seeds, {
    isPage: (url) => {
      const page = records.get(url)?.stored;
      return page !== undefined && isOwnPage(page);
    },
    isGuess: (url) => isGuess(records.get(url)?.stored),
  });
  return errors.filter((url) => names.isGuessed(url));
}

/** A document that is gone or damaged shows nothing; reading the page's content notes it. */
export function unlessLost(error: unknown): null {
  if (error instanceof CrawlError) return null;
  throw error;
}

/** Both sites without their error pages of that sort; one that the other site has as a page stays, as in baselines of earlier versions. */
export function withoutGuessedErrors(
  old: ComparedSite,
  now: ComparedSite,
): readonly [old: ComparedSite, now: ComparedSite] {
  return [without(old, now), without(now, old)];
}

function without(site: ComparedSite, other: ComparedSite): ComparedSite {
  const stays = (address: string): boolean => {
    const page = other.guessedErrors.has(address) ? undefined : other.pages.get(address);
    return !site.guessedErrors.has(address) || (page !== undefined && isPage(page));
  };
  if (site.guessedErrors.size === 0) return site;
  return { ...site, pages: new Map([...site.pages].filter(([address]) => stays(address))) };
}
