/** Adds up the lines of a crawl for each URL: each page has one line, and as many links as that line says. */
import { leadsToPage } from '../../core/links/page-link.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';
import { isFailure, type LinkRecord, type SkippedRecord } from '../../model/record.ts';
import type { ProblemList } from './verification.ts';

interface PageAccount {
  readonly line: number;
  /** The number in its line, less the lines of links.jsonl that were seen. */
  found: number;
  parts: number;
  made: number;
}

/** Lines of robots.txt and sitemaps are recorded from files that may have no line of their own. */
const FROM_FILES: ReadonlySet<string> = new Set(['robots', 'sitemap', 'feed']);

export class UrlAccount {
  readonly #pages = new Map<string, PageAccount>();
  readonly #skipped = new Set<string>();
  /** URLs that a line of links.jsonl made known. */
  readonly #made = new Set<string>();
  /** The last line of pages.jsonl of whose page a link was seen. */
  #lastLinked = 0;
  visited = 0;
  failed = 0;

  get skipped(): number {
    return this.#skipped.size;
  }

  /** @param mayBeAgain has the run not ended, so that a page that was visited again may still have the line of its first visit? */
  addPage(
    { url, outcome, links, again }: StoredPage,
    at: { readonly line: number; readonly mayBeAgain: boolean },
    problems: ProblemList,
  ): void {
    const known = this.#pages.get(url);
    const { line } = at;
    if (known !== undefined && again === true && at.mayBeAgain) {
      known.found += links.found;
      known.parts += links.parts;
      known.made += links.new;
      return;
    }
    if (known !== undefined)
      return problems.add(`it is the second line of this URL, after line ${known.line}`, { line, url });
    this.#pages.set(url, { line, found: links.found, parts: links.parts, made: links.new });
    if (isFailure(outcome)) this.failed += 1;
    else this.visited += 1;
  }

  addLink(link: LinkRecord, line: number, problems: ProblemList): void {
    const { from, to, kind } = link;
    const page = this.#pages.get(from);
    if (page === undefined) {
      if (!FROM_FILES.has(kind))
        problems.add(`no line of pages.jsonl is of the page that it is from, ${from}`, { line });
      return;
    }
    this.#lastLinked = Math.max(this.#lastLinked, page.line);
    if (kind !== 'robots') {
      if (leadsToPage(link)) page.found -= 1;
      else page.parts -= 1;
    }
    if (!link.new) return;
    if (kind !== 'robots') page.made -= 1;
    if (this.#made.has(to)) problems.add('an earlier line says that it made this URL known', { line, url: to });
    this.#made.add(to);
  }

  addSkipped({ url }: SkippedRecord, line: number, problems: ProblemList): void {
    const page = this.#pages.get(url);
    if (page !== undefined) problems.add(`line ${page.line} of pages.jsonl says that it was visited`, { line, url });
    else if (this.#skipped.has(url)) problems.add('it is the second line of this URL', { line, url });
    this.#skipped.add(url);
  }

  /**
   * Reports the pages for which links.jsonl has more or fewer lines than their own line says.
   * @param isGrowing do the files grow? Links come in the order of their pages: those of the last ones may be on their way.
   */
  settle(problems: ProblemList, isGrowing: boolean): void {
    for (const [url, { line, found, parts, made }] of this.#pages) {
      if (isGrowing && line >= this.#lastLinked) continue;
      const of = [
        ...difference(found, 'that lead to pages'),
        ...difference(parts, 'that name parts'),
        ...difference(made, 'that made a URL known'),
      ];
      if (of.length > 0) problems.add(`links.jsonl has ${of.join(' and ')} than it says`, { line, url });
    }
  }
}

function difference(left: number, which: string): readonly string[] {
  if (left === 0) return [];
  const count = Math.abs(left);
  return [`${count} ${left > 0 ? 'fewer' : 'more'} ${count === 1 ? 'line' : 'lines'} ${which}`];
}
