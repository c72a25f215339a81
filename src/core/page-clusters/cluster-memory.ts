/**
 * Learns which pages need a browser. A *page cluster* is a host, a URL template and the scripts that its document loads and holds (see
 * script-fingerprint.ts). States of a cluster:
 *
 *   sampling ──(enough pages rendered: all the same)──▶ static ──(a page differs)──▶ rendered
 *       └───────────────(a page differs)───────────────────────────────────────────────▲
 *
 * A page *differs* where the browser found something else than its markup and the links that scripts *add* to every page of the cluster, such
 * as a part that a script inserts (render-comparison.ts). Some pages of a static cluster are rendered and compared again.
 * Invariants: a cluster is never static again once a page has differed that no name tells apart; no cluster is static before
 * {@link SAMPLES} of its pages were the same either way.
 *
 * A static cluster has a *cover*: the names (classes, ids, elements) by which scripts may find elements, as far as three of its
 * compared pages had them (name-cover.ts). A page with another name, or without one that each of them had, is compared, and its difference
 * says nothing of the cluster. A page within the cover that differs blames its rarest names, and pages with these are rendered.
 *
 * A cluster is measured in three ways. `specific` keeps the words of the last part of a path; `general` does not, because sites name pages by
 * words as well as by figures; `shared` has only the host and the scripts, because a documentation has thousands of folders with a page
 * or two, and it needs pages of several templates. A page is static where one of the three is. None of that one's pages has
 * differed, because a difference counts in all three.
 *
 * An audit observes more: `shared` does not count there, and a page differs if scripts add anything to it.
 */
import { LruMap } from '../../base/lru-map.ts';
import { classOfKind } from '../../model/link-kinds.ts';
import type { FoundLink } from '../../model/link.ts';
import { HopelessTemplates } from './hopeless-templates.ts';
import { NameCover } from './name-cover.ts';
import { addedKeyOf, addedLinkKey, observedDifference, type RenderComparison } from './render-comparison.ts';

/** Pages of a cluster that are rendered before others of it are not. An arbitrary number. */
export const SAMPLES = 5;
/** The same for a cluster by its scripts alone, and the number of templates (`general`) that its pages must have. */
export const SHARED_SAMPLES = 10;
export const SHARED_TEMPLATES = 3;
/** The same for a cluster whose scripts add more than subresources: links that may lead on need more samples. */
const LEADING_SAMPLES = 10;
/** One in WATCH pages of a static cluster is rendered, to check that it still is static. */
export const WATCH = 20;
/** The same for a cluster by its scripts alone: at first, the factor after each page that was the same, and at most. */
export const SHARED_WATCH = 11;
const RARER = 1.5;
const RAREST = 50;
/** New starts of a sampled cluster, each after a page that adds something else than those before; after them it differs. */
const FRESH_STARTS = 2;
/** Links that scripts add to each page of a cluster; with more it differs. */
export const ADDED_LIMIT = 50;
/** Pages in a row that named unread files, and were the same: then reading such files is enough. */
export const UNREAD_SAMPLES = 8;
/** Clusters that are kept; the longest unused makes room, and is learnt again. */
export const CLUSTERS_LIMIT = 20_000;

/**
 * - `static`: the markup holds everything, but for what scripts add to each page ({@link ClusterMemory.addedTo}).
 * - `compare`: render it, read its markup too, and pass the comparison to {@link ClusterMemory.learn}.
 * - `render`: the markup does not hold everything.
 */
type LoadMode = 'static' | 'compare' | 'render';

/** Facts of a page's address, known before it is fetched. */
export interface PageAddress {
  readonly host: string;
  readonly specific: string;
  readonly general: string;
}

/** The cluster of a page. */
export interface PageCluster extends PageAddress {
  readonly fingerprint: string;
  /** Names in the page's own markup that scripts mention. */
  readonly names: readonly string[];
}

interface ClusterUse {
  /** Are pages judged by what a browser observes on them? Left out: no. */
  readonly isAudit?: boolean;
  /** Is each cluster sampled like one by its scripts alone? Left out: no. */
  readonly isStrict?: boolean;
}

interface Known {
  readonly isShared: boolean;
  readonly isStrict: boolean;
  /** Pages in a row that were the same, and their templates as far as they count. */
  alike: number;
  readonly templates: Set<string>;
  differs: boolean;
  /** Those that named unread files. */
  unread: number;
  /** Links that scripts added to each of them, and their key. */
  added: readonly FoundLink[];
  addedKey: string;
  /** Do scripts write final slashes into their heads? */
  isRespelled: boolean;
  /** Files of code that scripts loaded on each of them. */
  code: readonly FoundLink[];
  readonly cover: NameCover;
  freshStarts: number;
  /** Pages taken as static since the last comparison, and the number after which there is another. */
  unwatched: number;
  watch: number;
}

const NOTHING: readonly FoundLink[] = [];

export class ClusterMemory {
  /** Called with facts that other loaders of such pages need. */
  onLearnt: (cluster: PageCluster, seen: RenderComparison, isOwn: boolean) => void = () => {};
  /** Called where a page of a static cluster differed from the others: see read-pages.ts. */
  onMissed: (cluster: PageCluster) => void = () => {};
  readonly #clusters = new LruMap<string, Known>(CLUSTERS_LIMIT);
  readonly #use: ClusterUse;
  readonly #hopeless = new HopelessTemplates(CLUSTERS_LIMIT, WATCH);

  constructor(use: ClusterUse = {}) {
    this.#use = use;
  }

  /**
   * Is it useless to read the document first? Every {@link WATCH}th page of a hopeless template is read all the same.
   */
  needsBrowser(address: PageAddress): boolean {
    return this.#hopeless.skips(address);
  }

  /** How to treat a page. Counts it as one that was seen. */
  loadModeOf(cluster: PageCluster): LoadMode {
    const way = this.#loadModeOf(cluster);
    this.#hopeless.note(cluster, way === 'render');
    return way;
  }

  #loadModeOf(cluster: PageCluster): LoadMode {
    const levels = this.#levels(cluster);
    const [specific] = levels;
    if (levels.some((known) => covers(known, cluster))) return watched(levels);
    return specific.differs ? 'render' : 'compare';
  }

  /** Would such a page be only read, as far as is known now? Counts nothing. */
  readsOnly(cluster: PageCluster): boolean {
    return this.#levels(cluster).some((known) => covers(known, cluster));
  }

  /** The links that scripts add to a page of a static cluster: absolute. */
  addedTo(cluster: PageCluster): readonly FoundLink[] {
    const known = this.#levels(cluster).find((each) => covers(each, cluster));
    return known === undefined ? NOTHING : [...known.added, ...known.code];
  }

  /** Do scripts write final slashes into the head of such a page (final-slashes.ts)? */
  isRespelled(cluster: PageCluster): boolean {
    return this.#levels(cluster).find((known) => covers(known, cluster))?.isRespelled === true;
  }

  /** Is it enough to read the unread files that a page of a static cluster names, as far as is known? */
  readsUnread(cluster: PageCluster): boolean {
    return this.#levels(cluster).some((known) => covers(known, cluster) && known.unread >= UNREAD_SAMPLES);
  }

  /**
   * A page of this cluster was rendered, and compared with its markup.
   * @param isOwn it names files that only a browser could read: it says nothing of pages that were read with their files
   */
  learn(cluster: PageCluster, seen: RenderComparison, isOwn = false): void {
    if (this.note(cluster, seen, isOwn)) this.onLearnt(cluster, seen, isOwn);
  }

  /** Notes a page that others have rendered. @returns whether that was news */
  note(cluster: PageCluster, seen: RenderComparison, isOwn = false): boolean {
    const observed = this.#use.isAudit === true ? observedDifference(seen) : seen;
    let [news, missed] = [false, false];
    for (const known of this.#levels(cluster)) {
      missed ||= isStatic(known) && !isLike(known, observed);
      if (noted(known, cluster, observed)) news = true;
    }
    if (missed && !isOwn) this.onMissed(cluster);
    return news;
  }

  /** The page could not be compared: the next one is. */
  missed(cluster: PageCluster): void {
    for (const known of this.#levels(cluster)) known.unwatched = known.watch;
  }

  #levels(cluster: PageCluster): readonly [specific: Known, ...others: Known[]] {
    const { host, specific, general, fingerprint } = cluster;
    const at = (key: string, isShared = false): Known =>
      this.#clusters.getOrMake(key, () => unknown(isShared, this.#use.isStrict === true));
    return [
      at(`${host} ${specific} ${fingerprint}`),
      at(`${host} ${general} ${fingerprint} *`),
      ...(this.#use.isAudit === true ? [] : [at(`${host} ${fingerprint}`, true)]),
    ];
  }
}

function unknown(isShared: boolean, isStrict: boolean): Known {
  return {
    isShared,
    isStrict: isStrict || isShared,
    alike: 0,
    templates: new Set(),
    differs: false,
    unread: 0,
    added: NOTHING,
    addedKey: '',
    isRespelled: false,
    code: NOTHING,
    cover: new NameCover(),
    freshStarts: 0,
    unwatched: 0,
    watch: isShared || isStrict ? SHARED_WATCH : WATCH,
  };
}

/** Enters the comparison of one page. @returns whether that was news */
function noted(known: Known, cluster: PageCluster, seen: RenderComparison): boolean {
  if (known.differs) return false;
  if (isStatic(known) && !isLike(known, seen)) return notedOther(known, cluster);
  if (seen.kind === 'differs' || seen.added.length > ADDED_LIMIT) {
    known.differs = true;
    return true;
  }
  if (!seen.isClear) {
    beginAnew(known);
    return false;
  }
  const key = addedKeyOf(seen);
  if (known.alike > 0 && key !== known.addedKey) {
    known.differs = known.freshStarts >= FRESH_STARTS;
    known.freshStarts += 1;
    beginAnew(known);
    enter(known, cluster, seen);
    return true;
  }
  if (isStatic(known) && known.isStrict) known.watch = Math.min(known.watch * RARER, RAREST);
  return enter(known, cluster, seen);
}

/** Notes that a page of a static cluster is not like the others. @returns whether that was news */
function notedOther(known: Known, { names }: PageCluster): boolean {
  const wasCovered = known.cover.holds(names);
  if (!known.cover.blame(names)) known.differs = true;
  return wasCovered;
}

/** Is it like the pages of a static cluster? */
function isLike(known: Known, seen: RenderComparison): boolean {
  return seen.kind === 'alike' && seen.isClear && addedKeyOf(seen) === known.addedKey;
}

/** Begins to sample it anew. */
function beginAnew(known: Known): void {
  known.alike = 0;
  known.cover.clear();
  known.unread = 0;
  known.templates.clear();
}

/** @returns whether the cluster is nearer to being static, or covers more */
function enter(
  known: Known,
  { general, names }: PageCluster,
  seen: RenderComparison & { readonly kind: 'alike' },
): boolean {
  const [templates, unread] = [known.templates.size, known.unread];
  const codeKeys = new Set(seen.code.map(addedLinkKey));
  known.code = known.alike === 0 ? seen.code : known.code.filter((each) => codeKeys.has(addedLinkKey(each)));
  const coversMore = known.cover.enter(names);
  known.alike += 1;
  if (seen.namesUnread && unread < UNREAD_SAMPLES) known.unread += 1;
  known.added = seen.added;
  known.addedKey = addedKeyOf(seen);
  known.isRespelled = seen.isRespelled === true;
  if (known.isShared && templates < SHARED_TEMPLATES) known.templates.add(general);
  return known.alike <= samplesOf(known) || known.templates.size > templates || known.unread > unread || coversMore;
}

/** Counts a page, and compares it where one of the static ones is due to be checked again. */
function watched(levels: readonly Known[]): LoadMode {
  for (const known of levels) known.unwatched += 1;
  if (!levels.some((known) => isStatic(known) && known.unwatched >= known.watch)) return 'static';
  for (const known of levels) known.unwatched = 0;
  return 'compare';
}

function isStatic(known: Known): boolean {
  if (known.differs || known.alike < samplesOf(known)) return false;
  return !known.isShared || known.templates.size >= SHARED_TEMPLATES;
}

function covers(known: Known, { names }: PageCluster): boolean {
  return isStatic(known) && known.cover.holds(names);
}

function samplesOf({ isStrict, added }: Known): number {
  if (isStrict) return SHARED_SAMPLES;
  return added.some(({ kind }) => classOfKind(kind) !== 'subresource') ? LEADING_SAMPLES : SAMPLES;
}
