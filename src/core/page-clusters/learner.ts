/**
 * What a crawl has learnt of which pages need a browser. A *kind of page* is a host, a URL template and the scripts that
 * its document loads and holds (see fingerprint.ts). States of a kind:
 *
 *   sampling ──(SAMPLES pages rendered: none differs)──▶ plain ──(a page differs)──▶ rendered
 *       └───────────────(a page differs)────────────────────────────────────────────────▲
 *
 * A page *differs* where the browser found other links than its markup holds. Of the pages of a plain kind every
 * {@link WATCH}th is rendered and compared again. Invariants: a kind of which a page has differed is never plain again;
 * no kind is plain before {@link SAMPLES} of its pages were the same either way.
 *
 * A kind is looked at by two measures, for sites name pages by words as well as by figures: `fine` keeps the words of the
 * last part of a path, `coarse` does not. A page is plain where one of them is, and the coarse one only while no page of
 * it has differed.
 */

/** Pages of a kind that are rendered before others of it are not. An arbitrary number: five alike, then one in twenty. */
export const SAMPLES = 5;
/** Of the pages of a plain kind one in so many is rendered, to see whether it still is one. */
export const WATCH = 20;
/** So many pages of a template in a row that needed a browser: the next ones are not looked at before. */
export const HOPELESS = 10;
/** Kinds that are kept; the longest unused makes room, and is learnt again. */
export const KINDS_LIMIT = 20_000;

/**
 * - `plain`: the markup tells all.
 * - `compare`: render it, read its markup too, and tell {@link Learner.learn} whether they are the same.
 * - `render`: the markup does not tell all.
 */
export type Way = 'plain' | 'compare' | 'render';

/** What the address of a page says of it, before it is fetched. */
export interface PageAddress {
  readonly host: string;
  readonly fine: string;
  readonly coarse: string;
}

/** What a page is one of. */
export interface PageKind extends PageAddress {
  readonly fingerprint: string;
}

interface Known {
  alike: number;
  differs: boolean;
  /** Pages taken as plain since the last one that was looked at. */
  unwatched: number;
}

export class Learner {
  readonly #kinds = new Map<string, Known>();
  /** Pages of an address that were rendered in a row, and of those that would have been, how many were not looked at. */
  readonly #rows = new Map<string, { rendered: number; unseen: number }>();

  /**
   * Is it not worth looking at the document first? Of the pages of a hopeless template every {@link WATCH}th is looked at
   * all the same.
   */
  needsBrowser(address: PageAddress): boolean {
    const row = this.#rows.get(rowKey(address));
    if (row === undefined || row.rendered < HOPELESS) return false;
    row.unseen += 1;
    if (row.unseen < WATCH) return true;
    row.unseen = 0;
    return false;
  }

  /** How to treat a page. Counts it as one that was seen. */
  wayOf(kind: PageKind): Way {
    const way = this.#wayOf(kind);
    const key = rowKey(kind);
    const row = this.#rows.get(key) ?? { rendered: 0, unseen: 0 };
    row.rendered = way === 'render' ? row.rendered + 1 : 0;
    remember(this.#rows, key, row);
    return way;
  }

  #wayOf(kind: PageKind): Way {
    const fine = this.#known(fineKey(kind));
    const coarse = this.#known(coarseKey(kind));
    if (isPlain(fine) || isPlain(coarse)) return this.#watched(fine, coarse);
    return fine.differs ? 'render' : 'compare';
  }

  /** A page of this kind was rendered: were its links those of its markup? */
  learn(kind: PageKind, same: boolean): void {
    for (const key of [fineKey(kind), coarseKey(kind)]) {
      const known = this.#known(key);
      if (same) known.alike += 1;
      else known.differs = true;
    }
  }

  /** The one that was to be compared could not be: the next one is. */
  missed(kind: PageKind): void {
    for (const key of [fineKey(kind), coarseKey(kind)]) this.#known(key).unwatched = WATCH;
  }

  #watched(fine: Known, coarse: Known): Way {
    for (const known of [fine, coarse]) known.unwatched += 1;
    if (Math.max(isPlain(fine) ? fine.unwatched : 0, isPlain(coarse) ? coarse.unwatched : 0) < WATCH) return 'plain';
    fine.unwatched = 0;
    coarse.unwatched = 0;
    return 'compare';
  }

  #known(key: string): Known {
    const known = this.#kinds.get(key) ?? { alike: 0, differs: false, unwatched: 0 };
    remember(this.#kinds, key, known);
    return known;
  }
}

/** As the newest; the oldest makes room. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > KINDS_LIMIT && oldest !== undefined) map.delete(oldest);
}

function rowKey({ host, fine }: PageAddress): string {
  return `${host} ${fine}`;
}

function isPlain({ alike, differs }: Known): boolean {
  return !differs && alike >= SAMPLES;
}

function fineKey({ host, fine, fingerprint }: PageKind): string {
  return `${host} ${fine} ${fingerprint}`;
}

function coarseKey({ host, coarse, fingerprint }: PageKind): string {
  return `${host} ${coarse} ${fingerprint} *`;
}
