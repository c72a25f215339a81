/** Looks up the links to a URL, and those of a page: by the index of the link graph and the lines that it points to. */
import { open, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EDGE_CLASSES, hasClass, hasKind, kindsOf, type EdgeClass, type EdgeLabel } from '../core/graph/edge-label.ts';
import { jsonFieldText } from '../crawl-folder/crawl-lines.ts';
import { systemCode } from '../crawl-folder/disk-error.ts';
import { linksWithin } from '../crawl-folder/stored-lines.ts';
import type { LinkKind } from '../model/link-kinds.ts';
import type { LinkRecord, RecordOutcome } from '../model/record.ts';
import type { LinkGraph } from './graph/link-graph.ts';
import type { NodeEntry } from './graph/node-entry.ts';
import { labelOfLink } from './link-label.ts';

/** Filter of links. */
export interface LinkFilter {
  /** Only links of these kinds; all where it is empty. */
  readonly kinds?: readonly LinkKind[];
  /** Only links to pages, or only the subresources of pages. */
  readonly only?: 'pages' | 'parts';
  /** Links that are listed one by one, at most. */
  readonly limit?: number;
}

/** A line of links.jsonl, and the redirect between it and the URL that was asked about. */
export type LinkMatch = LinkRecord & {
  /** The link leads to this URL, which redirects to the one that was asked about. */
  readonly via?: string;
};

/** A URL of the graph, and its links in one direction. */
export interface LinksOfUrl {
  readonly url: string;
  /** Its outcome; null where it has no line in pages.jsonl. */
  readonly outcome: RecordOutcome | null;
  readonly isSeed: boolean;
  /** The URL that it redirects to. */
  readonly redirectsTo: string | null;
  /** URLs at the other ends, each once; those beyond redirects included. */
  readonly total: number;
  /** The number of them by the way in which they are linked; a URL may be linked in several ways. */
  readonly byClass: Readonly<Partial<Record<EdgeClass, number>>>;
  readonly byKind: Readonly<Partial<Record<LinkKind, number>>>;
  /** URLs that redirect here, with how many URLs link to each. */
  readonly redirects: readonly { readonly url: string; readonly total: number }[];
  /** Links that a reader can follow first, then hints, speculative links and parts; within each the direct ones, by the URL at the other end. */
  readonly links: readonly LinkMatch[];
  /** Were links left out, as there are more than `limit`? */
  readonly more: boolean;
}

const USUAL_LIMIT = 50;
/** The most URLs that redirect to the one asked about, directly or by others. */
const MOST_REDIRECTS = 1000;

/** The order in which links are listed. */
const ORDER: readonly EdgeClass[] = ['link', 'hint', 'speculative', 'foreign', 'subresource'];

/** Answers questions about single URLs; the index and links.jsonl stay open between them. */
export class LinkLookup implements AsyncDisposable {
  readonly #graph: LinkGraph;
  /** null where there is no links.jsonl. */
  readonly #lines: FileHandle | null;

  private constructor(graph: LinkGraph, lines: FileHandle | null) {
    this.#graph = graph;
    this.#lines = lines;
  }

  /** @param graph stays the caller's */
  static async open(folder: string, graph: LinkGraph): Promise<LinkLookup> {
    const lines = await open(join(resolve(folder), 'links.jsonl'), 'r').catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    });
    return new LinkLookup(graph, lines);
  }

  /** The links to a URL, and to those that redirect there. @returns null where no line names it */
  async to(url: string, filter: LinkFilter = {}): Promise<LinksOfUrl | null> {
    const number = await this.#graph.numberOf(url);
    if (number === null) return null;
    const redirecting = await this.#redirectingTo(number);
    const groups = [await this.#edgesOf(number, 'in', { filter, via: null })];
    for (const via of redirecting) groups.push(await this.#edgesOf(via, 'in', { filter, via }));
    const edges = groups.flat(); // a hub has more of them than a call has arguments
    const listed = await this.#inLinks({ url, edges: inOrder(edges), filter });
    const redirects = await Promise.all(
      redirecting.map(async (via) => ({
        url: await this.#graph.urlOf(via),
        total: edges.filter((edge) => edge.via === via).length,
      })),
    );
    return { ...(await this.#about(url, number)), ...countsOf(edges), ...listed, redirects };
  }

  /** The links of a page. @returns null where no line names it */
  async from(url: string, filter: LinkFilter = {}): Promise<LinksOfUrl | null> {
    const number = await this.#graph.numberOf(url);
    if (number === null) return null;
    const edges = await this.#edgesOf(number, 'out', { filter, via: null });
    const listed = await this.#outLinks(number, edges, filter);
    return { ...(await this.#about(url, number)), ...countsOf(edges), ...listed, redirects: [] };
  }

  /** The first link from one page to another that a reader can follow; null where there is none. */
  async between(from: number, to: string): Promise<LinkRecord | null> {
    const target = await this.#graph.numberOf(to);
    const isPage = target !== null && (await this.#graph.node(target)).outcome === 'captured';
    for await (const link of this.#linesOf(await this.#graph.node(from), to)) {
      if (
        link.to === to &&
        hasClass(
          labelOfLink(link, () => isPage),
          'link',
        )
      )
        return link;
    }
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines?.close();
  }

  async #about(url: string, number: number): Promise<Pick<LinksOfUrl, 'url' | 'outcome' | 'isSeed' | 'redirectsTo'>> {
    const { outcome, isSeed, redirect } = await this.#graph.node(number);
    return { url, outcome, isSeed, redirectsTo: redirect === null ? null : await this.#graph.urlOf(redirect) };
  }

  async #edgesOf(number: number, direction: 'out' | 'in', { filter, via }: EdgeFilter): Promise<Edge[]> {
    const { neighbours, labels } = await this.#graph.edges(number, direction);
    const isAskedFor = byLabel((label) => passes(label, filter)); // a hub has a million edges, of a dozen labels
    const edges: Edge[] = [];
    for (const [index, neighbour] of neighbours.entries()) {
      const label = labels[index] ?? 0;
      if (isAskedFor(label)) edges.push({ neighbour, label, via });
    }
    return edges;
  }

  /** URLs that redirect to one, directly or by others, the nearest first. */
  async #redirectingTo(number: number): Promise<readonly number[]> {
    const found = new Set<number>();
    await this.#addRedirecting(number, found);
    for (const target of found) {
      if (found.size < MOST_REDIRECTS) await this.#addRedirecting(target, found);
    }
    found.delete(number);
    return [...found];
  }

  async #addRedirecting(target: number, found: Set<number>): Promise<void> {
    const { neighbours, labels } = await this.#graph.edges(target, 'in');
    const mayRedirect = byLabel(isRedirect);
    for (const [index, neighbour] of neighbours.entries()) {
      if (!mayRedirect(labels[index] ?? 0)) continue;
      const { redirect } = await this.#graph.node(neighbour);
      if (redirect === target) found.add(neighbour);
    }
  }

  async #inLinks({
    url,
    edges,
    filter,
  }: {
    url: string;
    edges: readonly Edge[];
    filter: LinkFilter;
  }): Promise<ListedLinks> {
    const { limit = USUAL_LIMIT } = filter;
    const links: LinkMatch[] = [];
    for (const { neighbour, via } of edges) {
      const to = via === null ? url : await this.#graph.urlOf(via);
      for await (const link of this.#linesOf(await this.#graph.node(neighbour), to)) {
        if (link.to !== to || !isAsked(link, filter)) continue;
        if (links.length >= limit) return { links, more: true };
        links.push(via === null ? link : { ...link, via: to });
      }
    }
    return { links, more: false };
  }

  async #outLinks(number: number, edges: readonly Edge[], filter: LinkFilter): Promise<ListedLinks> {
    const { limit = USUAL_LIMIT } = filter;
    const placeOf = new Map<string, number>();
    const ordered = inOrder(edges);
    // a sitemap has 50,000 edges, and only the first of them are listed
    const asked = ordered.slice(0, limit + 1);
    for (const [place, { neighbour }] of asked.entries()) placeOf.set(await this.#graph.urlOf(neighbour), place);
    const links: LinkRecord[] = [];
    for await (const link of this.#linesOf(await this.#graph.node(number), null)) {
      if (placeOf.has(link.to) && isAsked(link, filter)) links.push(link);
    }
    links.sort((one, other) => (placeOf.get(one.to) ?? 0) - (placeOf.get(other.to) ?? 0));
    return { links: links.slice(0, limit), more: links.length > limit || ordered.length > limit };
  }

  /** @param to only lines that lead there; null for all */
  async *#linesOf({ stretches }: NodeEntry, to: string | null): AsyncGenerator<LinkRecord> {
    const needle = to === null ? '' : jsonFieldText('to', to);
    const unread = { torn: () => {}, damaged: () => {} }; // unreadable lines are in no edge: no question leads to them
    if (this.#lines === null) return;
    for (const stretch of stretches) yield* linksWithin(this.#lines, stretch, needle, unread);
  }
}

interface Edge {
  /** The URL at the other end. */
  readonly neighbour: number;
  readonly label: EdgeLabel;
  /** The URL that the edge leads to, where it redirects to the one that was asked about. */
  readonly via: number | null;
}

interface EdgeFilter {
  readonly filter: LinkFilter;
  readonly via: number | null;
}

type ListedLinks = Pick<LinksOfUrl, 'links' | 'more'>;

/** Could the edge be a redirect of a page whose outcome is `redirected`? Only the source pages of such edges, which are few, are looked up. */
function isRedirect(label: EdgeLabel): boolean {
  const kinds = ['redirect', 'meta-refresh', 'navigation', 'header'] as const;
  return hasClass(label, 'link') && kinds.some((kind) => hasKind(label, kind));
}

function passes(label: EdgeLabel, { kinds = [], only }: LinkFilter): boolean {
  if (kinds.length > 0 && !kinds.some((kind) => hasKind(label, kind))) return false;
  if (only === 'parts') return hasClass(label, 'subresource');
  if (only === 'pages') return (['link', 'hint', 'speculative'] as const).some((name) => hasClass(label, name));
  return true;
}

/** Pages and parts are told from each other without knowing whether a speculative link was one. */
const NO_ROUTE = (): boolean => false;

/** Does a line pass the filter? An edge that passes may have lines of several kinds. */
function isAsked(link: LinkRecord, { kinds = [], only }: LinkFilter): boolean {
  if (kinds.length > 0 && !kinds.includes(link.kind)) return false;
  return only === undefined || passes(labelOfLink(link, NO_ROUTE), { only });
}

function inOrder(edges: readonly Edge[]): readonly Edge[] {
  const firstClass = byLabel((label) => ORDER.findIndex((name) => hasClass(label, name)));
  const groups = ORDER.map((): Edge[] => []);
  for (const edge of edges) groups[firstClass(edge.label)]?.push(edge);
  return groups.flat();
}

/** A function of labels that decides on each label once. */
function byLabel<Value>(decide: (label: EdgeLabel) => Value): (label: EdgeLabel) => Value {
  const known = new Map<EdgeLabel, Value>();
  return (label) => {
    const value = known.get(label) ?? decide(label);
    known.set(label, value);
    return value;
  };
}

function countsOf(edges: readonly Edge[]): Pick<LinksOfUrl, 'total' | 'byClass' | 'byKind'> {
  const counts = new Map<EdgeLabel, number>();
  for (const { label } of edges) counts.set(label, (counts.get(label) ?? 0) + 1);
  const byClass: Partial<Record<EdgeClass, number>> = {};
  const byKind: Partial<Record<LinkKind, number>> = {};
  for (const [label, count] of counts) {
    for (const name of EDGE_CLASSES) if (hasClass(label, name)) byClass[name] = (byClass[name] ?? 0) + count;
    for (const kind of kindsOf(label)) byKind[kind] = (byKind[kind] ?? 0) + count;
  }
  return { total: new Set(edges.map(({ neighbour }) => neighbour)).size, byClass, byKind };
}
