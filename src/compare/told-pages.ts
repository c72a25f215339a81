/** Reports the facet of pages, and texts that cannot be read. */
import { ADDED_PAGE, FAILED_PAGE, MOVED_PAGE, REMOVED_PAGE } from '../core/diff/pages.ts';
import { ROBOTS } from '../core/diff/robots.ts';
import { isPage } from '../core/diff/standings.ts';
import { answerWords } from '../core/diff/status.ts';
import { TEXT_RULE } from '../core/diff/text.ts';
import type { NotJudgedReason } from '../model/finding.ts';
import type { PageVersion } from '../model/page-version.ts';
import { reasonWords } from '../report/coverage-words.ts';
import type { ComparedSite } from './compared-site.ts';
import type { DifferenceBook } from './difference-book.ts';
import { obeyedAlike } from './settings.ts';
import type { Move, Standings } from './site-moves.ts';

interface Told {
  readonly gone: Standings['gone'];
  readonly come: readonly PageVersion[];
  readonly moves: readonly Move[];
  readonly failed: Standings['failed'];
}

export function tellPages({ gone, come, moves, failed }: Told, now: ComparedSite, book: DifferenceBook): void {
  const { urlOf } = now;
  for (const { page, answer } of gone) {
    const why = answer === null ? 'no page links to it any more' : `it answers with ${answerWords(answer)}`;
    book.add('pages', REMOVED_PAGE, {
      ...placeOf(page),
      url: urlOf(page.address),
      message: `${page.address} is not there any more: ${why}`,
    });
  }
  for (const page of come)
    book.add('pages', ADDED_PAGE, { ...placeOf(page), message: `${page.address} is new${titleWords(page)}` });
  for (const { old: page, now: place, similarity, redirects } of moves) {
    const share =
      similarity === null || similarity > 0.995 ? '' : `, with ${Math.round(similarity * 100)} % of its text`;
    const way = redirects ? 'and redirects there' : 'and does not redirect there';
    book.add('pages', MOVED_PAGE, {
      ...placeOf(place),
      message: `${page.address} is at ${place.address} now${share}; the old address ${way.slice(4)}`,
      target: urlOf(page.address),
      thing: page.address,
      ...(redirects ? { severity: 'notice' as const } : {}),
    });
  }
  for (const [page, answer] of failed)
    book.add('pages', FAILED_PAGE, {
      ...placeOf(page),
      url: answer.url,
      message: `${page.address} was a page, and answered with ${answerWords(answer)} this time`,
    });
}

function placeOf({ url, address }: PageVersion): { readonly url: string; readonly address: string } {
  return { url, address };
}

function titleWords({ title }: PageVersion): string {
  return title === null || title === '' ? '' : `: “${title.slice(0, 100)}”`;
}

/** Reports pages that a rule of robots.txt newly forbids, and those that none forbids any more. */
export function tellForbidden(old: ComparedSite, now: ComparedSite, book: DifferenceBook): void {
  if (!obeyedAlike(old.settings, now.settings)) return;
  for (const [address, rule] of now.forbidden) {
    const page = old.pages.get(address);
    if (page === undefined || !isPage(page) || old.forbidden.has(address)) continue;
    const message = `robots.txt did not forbid it, and forbids it now: ${rule}`;
    book.add('robots', ROBOTS.rule, { ...placeOf(page), url: now.urlOf(address), message, thing: rule });
  }
  for (const address of old.forbidden.keys()) {
    const page = now.pages.get(address);
    if (page === undefined || !isPage(page) || now.forbidden.has(address)) continue;
    const message = 'robots.txt forbade it, and does not forbid it now';
    book.add('robots', ROBOTS.rule, { ...placeOf(page), message, thing: message });
  }
}

export function tellWall(page: PageVersion, wall: NotJudgedReason, book: DifferenceBook): void {
  const what = reasonWords(wall, 1).replace(/^1 /, '');
  book.add('pages', FAILED_PAGE, {
    ...placeOf(page),
    message: `${page.address} shows something else in its place: ${what}`,
  });
}

/** A text that the digests show to differ, and that one of both crawls did not keep. */
export function tellUnreadText(page: PageVersion, book: DifferenceBook): void {
  book.add('text', TEXT_RULE, {
    ...placeOf(page),
    message: 'The text changed, and a crawl kept no text that would show where',
    thing: 'unread',
  });
}
