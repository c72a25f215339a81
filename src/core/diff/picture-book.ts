/** Groups pages that look different: the same change on several pages, such as of a header, is one difference with all its pages. */
import type { Observation } from '../../model/audit-rule.ts';
import type { PictureChange } from '../../model/picture-change.ts';
import { screenshotObservation } from './screenshot.ts';

/** Pages that are listed of a difference; all are counted. */
const LISTED = 20;

interface ChangedPage {
  readonly url: string;
  readonly changes: readonly PictureChange[];
}

/** Part of a change: a region, or the size. Two pages with equal marks have the same difference there. */
interface Part {
  readonly mark: string;
  /** Null for the size. */
  readonly region: PictureChange['regions'][number] | null;
}

/** The fields of a change that say where and how much a picture differs. */
type Marked = Omit<PictureChange, 'url' | 'before' | 'after' | 'difference'>;

export class PictureBook {
  readonly #pages: ChangedPage[] = [];

  /** @param changes of one page, one for each window */
  add(url: string, changes: readonly PictureChange[]): void {
    this.#pages.push({ url, changes });
  }

  /** One for the parts that the same pages have in common, one for the parts of a single page. In the order of the first pages. */
  *observations(): Generator<Observation & { readonly url: string }> {
    const pagesOf = pagesByMark(this.#pages);
    const told = new Set<string>();
    for (const { url, changes } of this.#pages) {
      const marks = [...new Set(changes.flatMap((change) => partsOf(change).map(({ mark }) => mark)))];
      for (const set of new Set(marks.flatMap((mark) => pagesOf.get(mark) ?? []))) {
        if (told.has(set)) continue;
        told.add(set);
        const common = marks.filter((mark) => pagesOf.get(mark) === set);
        const pages = set.split(' ').map(Number);
        const first = pages.slice(0, LISTED).flatMap((page) => this.#pages[page] ?? []);
        yield {
          ...screenshotObservation(changes.flatMap((change) => withParts(change, new Set(common)))),
          url,
          ...(pages.length === 1 ? {} : { thing: common.join('\n') }),
          sources: { count: pages.length, first: first.map((page) => ({ url: page.url })) },
        };
      }
    }
  }
}

/** Equal for two pages with the same difference in all of the window. */
export function changeMark(change: Marked): string {
  return partsOf(change)
    .map(({ mark }) => mark)
    .join('\n');
}

/** A picture that differs in more regions than are listed is one part as a whole. */
function partsOf(change: Marked): readonly Part[] {
  const { viewport, regions, regionsTotal, sizes, share, uncompared } = change;
  if (regionsTotal > regions.length)
    return [{ mark: JSON.stringify([viewport, regionsTotal, share, regions]), region: null }];
  const [before, after] = sizes;
  const grown = [(after?.width ?? 0) - (before?.width ?? 0), (after?.height ?? 0) - (before?.height ?? 0)];
  return [
    ...regions.map((region) => {
      const { x, y, width, height, pixels, selector } = region;
      return { mark: JSON.stringify([viewport, x, y, width, height, pixels, selector]), region };
    }),
    ...(uncompared > 0 ? [{ mark: JSON.stringify([viewport, ...grown]), region: null }] : []),
  ];
}

/** Mark → the numbers of the pages that have it, as a text. */
function pagesByMark(pages: readonly ChangedPage[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, number[]>();
  for (const [number, { changes }] of pages.entries()) {
    for (const mark of new Set(changes.flatMap((change) => partsOf(change).map((part) => part.mark)))) {
      const known = numbers.get(mark);
      if (known === undefined) numbers.set(mark, [number]);
      else known.push(number);
    }
  }
  return new Map([...numbers].map(([mark, of]) => [mark, of.join(' ')]));
}

/** The change with only its parts of these marks; empty where it has none of them. */
function withParts(change: PictureChange, marks: ReadonlySet<string>): readonly PictureChange[] {
  const all = partsOf(change);
  const parts = all.filter(({ mark }) => marks.has(mark));
  if (parts.length === 0) return [];
  if (parts.length === all.length) return [change];
  const regions = parts.flatMap(({ region }) => region ?? []);
  const hasSize = parts.some(({ region }) => region === null);
  const uncompared = hasSize ? change.uncompared : 0;
  const pixels = regions.reduce((sum, region) => sum + region.pixels, uncompared);
  const { sizes } = change;
  return [
    {
      ...change,
      ...{ regions, uncompared, regionsTotal: regions.length, share: pixels / Math.max(1, areaOf(sizes)) },
      sizes: hasSize ? sizes : sizes.slice(-1).flatMap((size) => [size, size]),
    },
  ];
}

/** Pixels that any of the pictures has. */
function areaOf(sizes: PictureChange['sizes']): number {
  const common = Math.min(...sizes.map(({ width }) => width)) * Math.min(...sizes.map(({ height }) => height));
  return sizes.reduce((sum, { width, height }) => sum + width * height - common, common);
}
