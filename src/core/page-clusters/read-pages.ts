/**
 * Remembers the pages that were only read, and gives back those that would be rendered by now: their cluster turned out to
 * differ, or one of their names was blamed. Parts that only scripts make were missed on them, so they are visited again. States of a page:
 *
 *   under way ──ended──▶ read ──(a page like it was not as the others)──▶ given back, once
 *                 └──────(one was meanwhile)────────────────────────────────▲
 *
 * A page whose visit ended otherwise is dropped. Where there are too many, the page that was read longest ago is forgotten.
 */
import type { SecondVisit } from '../../model/candidate.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { ClusterMemory, PageCluster } from './cluster-memory.ts';

/** Some 30 MB where each has names of its own; most share them (arbitrary). */
const READ_PAGES_LIMIT = 20_000;

/** Names of pages, each list once. */
interface NameList {
  readonly key: string;
  readonly names: readonly string[];
  pages: number;
}

/** The pages of a host with the same scripts: each of them may change the knowledge of the others. */
interface Kin {
  readonly key: string;
  readonly pages: Set<CanonicalUrl>;
  readonly lists: Map<string, NameList>;
  /** Each name once, with its number. */
  readonly names: Map<string, { readonly name: string; readonly number: number }>;
}

type Memory = Pick<ClusterMemory, 'readsOnly' | 'onMissed'>;

interface ReadPage {
  readonly visit: SecondVisit;
  readonly cluster: Omit<PageCluster, 'names'>;
  readonly clusters: Memory;
  readonly kin: Kin;
  readonly list: NameList;
  isRead: boolean;
}

export class ReadPages {
  readonly #memories: readonly [Memory, ...Memory[]];
  readonly #limit: number;
  /** In the order of reading, the oldest first. */
  readonly #pages = new Map<CanonicalUrl, ReadPage>();
  readonly #kin = new Map<string, Kin>();
  #back: SecondVisit[] = [];

  /** @param memories by which pages are only read @param limit pages that are remembered; 1 or more */
  constructor(memories: readonly [Memory, ...Memory[]], limit: number = READ_PAGES_LIMIT) {
    this.#memories = memories;
    this.#limit = limit;
    for (const memory of memories) memory.onMissed = (cluster) => this.#look(cluster);
  }

  /** Notes a page that was only read, and whose visit is under way. @param clusters the memory that decided so */
  read(visit: SecondVisit, { names, ...cluster }: PageCluster, clusters: Memory = this.#memories[0]): void {
    const { url } = visit;
    this.dropped(url);
    const kin = this.#kinOf(cluster);
    const list = listOf(kin, names);
    list.pages += 1;
    kin.pages.add(url);
    this.#pages.set(url, { visit: wayOf(visit), cluster, clusters, kin, list, isRead: false });
    if (this.#pages.size <= this.#limit) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.dropped(oldest);
  }

  /** The page's visit is over, and its reading stands. */
  ended(url: CanonicalUrl): void {
    const page = this.#pages.get(url);
    if (page === undefined) return;
    page.isRead = page.clusters.readsOnly(clusterOf(page));
    if (!page.isRead) this.#giveBack(page);
  }

  /** The page's reading does not stand: it is visited once more anyway, or is of no interest. */
  dropped(url: CanonicalUrl): void {
    const page = this.#pages.get(url);
    if (page === undefined) return;
    const { kin, list } = page;
    this.#pages.delete(url);
    kin.pages.delete(url);
    list.pages -= 1;
    if (list.pages === 0) kin.lists.delete(list.key);
    if (kin.pages.size === 0) this.#kin.delete(kin.key);
  }

  /** The pages to be visited again, each once. */
  takeBack(): readonly SecondVisit[] {
    const back = this.#back;
    this.#back = [];
    return back;
  }

  #look(cluster: PageCluster): void {
    const kin = this.#kin.get(kinKey(cluster));
    if (kin === undefined) return;
    const known = new Map<unknown, Map<string, boolean>>();
    for (const url of kin.pages) {
      const page = this.#pages.get(url);
      if (page?.isRead !== true) continue;
      const group = `${page.cluster.specific} ${page.cluster.general} ${page.list.key}`;
      const similar = known.get(page.clusters) ?? new Map<string, boolean>();
      known.set(page.clusters, similar);
      let readsOnly = similar.get(group);
      if (readsOnly === undefined) similar.set(group, (readsOnly = page.clusters.readsOnly(clusterOf(page))));
      if (!readsOnly) this.#giveBack(page);
    }
  }

  #giveBack({ visit }: ReadPage): void {
    this.dropped(visit.url);
    this.#back.push(visit);
  }

  #kinOf(cluster: Omit<PageCluster, 'names'>): Kin {
    const key = kinKey(cluster);
    let kin = this.#kin.get(key);
    if (kin === undefined) this.#kin.set(key, (kin = { key, pages: new Set(), lists: new Map(), names: new Map() }));
    return kin;
  }
}

function clusterOf({ cluster, list }: ReadPage): PageCluster {
  return { ...cluster, names: list.names };
}

function kinKey({ host, fingerprint }: Pick<PageCluster, 'host' | 'fingerprint'>): string {
  return `${host} ${fingerprint}`;
}

/** Shares names and lists: names are few, because a page is only read where others had them; lists may be many. */
function listOf(kin: Kin, given: readonly string[]): NameList {
  const known = given.map((name) => {
    let entry = kin.names.get(name);
    if (entry === undefined) kin.names.set(name, (entry = { name, number: kin.names.size }));
    return entry;
  });
  const key = known.map(({ number }) => number).join(' ');
  let list = kin.lists.get(key);
  if (list === undefined) kin.lists.set(key, (list = { key, names: known.map(({ name }) => name), pages: 0 }));
  return list;
}

/** A visit without its other fields. */
function wayOf({ url, depth, redirects, hops, referrer, kind, confidence, recorded = [] }: SecondVisit): SecondVisit {
  const way = { url, depth, redirects, hops, referrer, kind, confidence };
  return recorded.length === 0 ? way : { ...way, recorded };
}
