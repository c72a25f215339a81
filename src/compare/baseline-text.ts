/** A baseline as the text of its files: sorted, so that the same crawl gives the same files, and a review shows what changed. */
import { MOST_TEXTS, type BaselinePage, type StoredBaseline } from './baseline-site.ts';

/** Pages that a text must be on to stand once in the head. */
const SHARED_BY = 4;
/** Shorter texts are as long as their numbers. */
const LEAST_LENGTH = 6;
const LISTS = ['text', 'links', 'hints', 'files'] as const;

export function baselineTexts({ head, pages }: StoredBaseline): { readonly head: string; readonly pages: string } {
  const all = [...pages.values()].toSorted((one, other) => (one.address < other.address ? -1 : 1));
  const shared = sharedTexts(all);
  const numbers = new Map(shared.map((text, index) => [text, index]));
  return {
    head: headText({ ...head, shared }),
    pages: all.map((page) => `${JSON.stringify(shortened(page, numbers))}\n`).join(''),
  };
}

/** A list item on each line, for reviews. */
function headText({ shared, findings, ...head }: StoredBaseline['head']): string {
  const lines = (items: readonly unknown[]): string => items.map((item) => `\n  ${JSON.stringify(item)}`).join(',');
  const first = JSON.stringify(head, null, 1).replace(/\n\}$/, '');
  const accepted = findings === null ? 'null' : `[${lines(findings)}\n ]`;
  return `${first},\n "shared": [${lines(shared)}\n ],\n "findings": ${accepted}\n}\n`;
}

/** The texts that save the most, as many as a reader takes; the pages have the others in full. */
function sharedTexts(pages: readonly BaselinePage[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const text of new Set(LISTS.flatMap((list) => page[list] ?? [])))
      if (text.length >= LEAST_LENGTH) counts.set(text, (counts.get(text) ?? 0) + 1);
  const many = [...counts].filter(([, count]) => count >= SHARED_BY);
  const saved = ([text, count]: readonly [string, number]): number => text.length * count;
  const chosen =
    many.length <= MOST_TEXTS
      ? many
      : many.toSorted((one, other) => saved(other) - saved(one) || (one[0] < other[0] ? -1 : 1)).slice(0, MOST_TEXTS);
  return chosen.map(([text]) => text).toSorted();
}

/** The fields of a page, the address first. */
function inOrder(page: BaselinePage): readonly (readonly [string, unknown])[] {
  const rank = (key: string): string => (key === 'address' ? '' : key);
  return Object.entries(page).toSorted(([one], [other]) => (rank(one) < rank(other) ? -1 : 1));
}

/** The line of a page, without numbers of shared texts: the same for the same page. */
export function pageLine(page: BaselinePage): string {
  return JSON.stringify(shortened(page, new Map()));
}

/** Lists for which null (not read) differs from empty. */
const KNOWN_EMPTY: ReadonlySet<string> = new Set(['text', 'structured', 'alternates', 'errors']);

/** The page without empty values: a reader takes a missing value for an empty one. */
function shortened(page: BaselinePage, numbers: ReadonlyMap<string, number>): object {
  const lists = new Set<string>(LISTS);
  return Object.fromEntries(
    inOrder(page).flatMap(([key, value]) => {
      if (value === null || value === false || (Array.isArray(value) && value.length === 0 && !KNOWN_EMPTY.has(key)))
        return [];
      if (!lists.has(key) || !Array.isArray(value)) return [[key, value]];
      const items: readonly unknown[] = value;
      return [[key, items.map((item) => (typeof item === 'string' ? (numbers.get(item) ?? item) : item))]];
    }),
  );
}
