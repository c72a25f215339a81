/**
 * Learns which pages need a browser. A *page cluster* is a host, a URL template and the scripts that its document loads and holds (see
 * script-fingerprint.ts). States of a cluster:
 *
 *   sampling ──(SAMPLES pages rendered: none differs)──▶ static ──(a page differs)──▶ rendered
 *       └───────────────(a page differs)────────────────────────────────────────────────▲
 *
 * A page *differs* where the browser found other links than its markup holds. Of the pages of a static cluster every
 * {@link WATCH}th is rendered and compared again. Invariants: a cluster of which a page has differed is never static again;
 * no cluster is static before {@link SAMPLES} of its pages were the same either way.
 *
 * A cluster is measured in two ways, for sites name pages by words as well as by figures: `specific` keeps the words of the last part of
 * a path, `general` does not. A page is static where either cluster is, and by the general one only while no page of it has differed.
 */
import { LruMap } from '../../base/lru-map.ts';

/** Pages of a cluster that are rendered before others of it are not. An arbitrary number: five alike, then one in twenty. */
export const SAMPLES = 5;
/** One in so many pages of a static cluster is rendered, to see whether it still is static. */
export const WATCH = 20;
/** After so many pages of a template in a row that needed a browser, the next ones go to it without a look at their markup. */
const HOPELESS = 10;
/** Clusters that are kept; the longest unused makes room, and is learnt again. */
export const CLUSTERS_LIMIT = 20_000;

/**
 * - `static`: the markup holds everything.
 * - `compare`: render it, read its markup too, and pass the comparison to {@link ClusterMemory.learn}.
 * - `render`: the markup does not hold everything.
 */
type LoadMode = 'static' | 'compare' | 'render';

/** Facts of a page's address, known before it is fetched. */
interface PageAddress {
  readonly host: string;
  readonly specific: string;
  readonly general: string;
}

/** The cluster of a page. */
export interface PageCluster extends PageAddress {
  readonly fingerprint: string;
}

interface Known {
  alike: number;
  differs: boolean;
  /** Pages taken as static since the last comparison. */
  unwatched: number;
}

export class ClusterMemory {
  /** Called with what others who load such pages need to hear of. */
  onLearnt: (kind: PageCluster, same: boolean) => void = () => {};
  readonly #clusters = new LruMap<string, Known>(CLUSTERS_LIMIT);
  /** By address: pages rendered in a row, and how many of those that would have been were not looked at. */
  readonly #rows = new LruMap<string, { rendered: number; unseen: number }>(CLUSTERS_LIMIT);

  /**
   * Is it useless to read the document first? Of the pages of a hopeless template every {@link WATCH}th is read all the same.
   */
  needsBrowser(address: PageAddress): boolean {
    const row = this.#rows.peek(rowKey(address));
    if (row === undefined || row.rendered < HOPELESS) return false;
    row.unseen += 1;
    if (row.unseen < WATCH) return true;
    row.unseen = 0;
    return false;
  }

  /** How to treat a page. Counts it as one that was seen. */
  loadModeOf(kind: PageCluster): LoadMode {
    const way = this.#loadModeOf(kind);
    const row = this.#rows.getOrMake(rowKey(kind), () => ({ rendered: 0, unseen: 0 }));
    row.rendered = way === 'render' ? row.rendered + 1 : 0;
    return way;
  }

  #loadModeOf(kind: PageCluster): LoadMode {
    const specific = this.#known(specificKey(kind));
    const general = this.#known(generalKey(kind));
    if (isStatic(specific) || isStatic(general)) return this.#watched(specific, general);
    return specific.differs ? 'render' : 'compare';
  }

  /** A page of this kind was rendered: were its links those of its markup? */
  learn(kind: PageCluster, same: boolean): void {
    if (this.note(kind, same)) this.onLearnt(kind, same);
  }

  /** Others have rendered such a page. @returns whether it was worth to be known */
  note(kind: PageCluster, same: boolean): boolean {
    let news = false;
    for (const key of [specificKey(kind), generalKey(kind)]) {
      const known = this.#known(key);
      news ||= !known.differs && (!same || known.alike < SAMPLES);
      if (same) known.alike += 1;
      else known.differs = true;
    }
    return news;
  }

  /** The page to be compared could not be: the next one is. */
  missed(kind: PageCluster): void {
    for (const key of [specificKey(kind), generalKey(kind)]) this.#known(key).unwatched = WATCH;
  }

  #watched(specific: Known, general: Known): LoadMode {
    for (const known of [specific, general]) known.unwatched += 1;
    if (Math.max(isStatic(specific) ? specific.unwatched : 0, isStatic(general) ? general.unwatched : 0) < WATCH)
      return 'static';
    specific.unwatched = 0;
    general.unwatched = 0;
    return 'compare';
  }

  #known(key: string): Known {
    return this.#clusters.getOrMake(key, () => ({ alike: 0, differs: false, unwatched: 0 }));
  }
}

function rowKey({ host, specific }: PageAddress): string {
  return `${host} ${specific}`;
}

function isStatic({ alike, differs }: Known): boolean {
  return !differs && alike >= SAMPLES;
}

function specificKey({ host, specific, fingerprint }: PageCluster): string {
  return `${host} ${specific} ${fingerprint}`;
}

function generalKey({ host, general, fingerprint }: PageCluster): string {
  return `${host} ${general} ${fingerprint} *`;
}
