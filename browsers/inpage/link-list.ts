/**
 * The list of a document's links: each once, all counted. Where not all can be kept, one link to each page comes first, then links to
 * further places of these pages, then subresources.
 */
import { leadsToPage, pageOfReference } from '../../src/core/links/page-link.ts';
import type { LinkList, RawLink } from '../../src/model/page-facts.ts';

/** Speculative links kept of one document. */
const SPECULATIVE = 2000;
const URL_LENGTH = 8192;
/** Context prefix of links in a template: scripts may put its content into the document, filled in, or never. */
export const TEMPLATE = 'template:';

/** Context of links in a handler of AngularJS. */
const HANDLER = /@(?:data-)?ng-click$/;

/** Resolves a reference of the document, see resolve-links.ts. @param base of the reference, where it is not the document's base */
type Resolve = (href: string, base?: string) => string | null;

export class LinkCollector {
  readonly #limit: number;
  readonly #resolve: Resolve;
  /** Position in the list of each kept link. */
  readonly #known = new Map<string, number>();
  readonly #kept: RawLink[] = [];
  readonly #ranks: Rank[] = [];
  readonly #counts: Record<Rank, number> = { page: 0, place: 0, subresource: 0, speculative: 0 };
  /** The pages that kept links lead to. */
  readonly #pages = new Set<string>();
  #total = 0;

  constructor(limit: number, resolve: Resolve) {
    this.#limit = limit;
    this.#resolve = resolve;
  }

  /** Is the limit of links to pages reached? Further ones are only counted. */
  get full(): boolean {
    return this.#counts.page >= this.#limit;
  }

  get total(): number {
    return this.#total;
  }

  /** Counts links that exist and were not read. */
  count(links: number): void {
    this.#total += links;
  }

  add(found: RawLink, prefix = ''): void {
    this.#total += 1;
    const rank = prefix === TEMPLATE ? 'speculative' : this.#rankOf(found);
    if (this.#counts[rank] >= (rank === 'speculative' ? SPECULATIVE : this.#limit)) return;
    const link = prefix === '' ? found : asleep(found, prefix);
    const key = `${link.kind}\n${link.context}\n${link.rel}\n${link.href}\n${link.base ?? ''}`;
    const at = this.#known.get(key);
    if (at !== undefined) return this.#name(at, link.text);
    const resolved = link.resolved === undefined ? this.#resolve(link.href, link.base) : null;
    this.#known.set(key, this.#kept.length);
    this.#kept.push(resolved === null ? link : { ...link, resolved: resolved.slice(0, URL_LENGTH) });
    this.#ranks.push(rank);
    this.#counts[rank] += 1;
    if (rank === 'page') this.#pages.add(pageKeyOf(link));
  }

  /** An index of a book has ten thousand links to places of a hundred pages: its last pages must not be cut for them. */
  #rankOf(link: RawLink): Rank {
    const rank = rankOf(link);
    return rank === 'page' && this.#pages.has(pageKeyOf(link)) ? 'place' : rank;
  }

  /** The base with a route as its fragment, where the document keeps its routes in fragments. */
  routed(base: string): string {
    if (base.includes('#')) return base;
    const inUse = this.#kept.find(({ href }) => href.includes('#') && /^[^#]*#!?\//.test(href));
    return inUse === undefined ? base : base + inUse.href.slice(inUse.href.indexOf('#'));
  }

  /**
   * In an application of AngularJS, paths to which handlers go (`ng-click="go('/users')"`) are its routes, and stand behind `#` where it keeps
   * them there. To be called when all links are known.
   * @param base as {@link routed} gives it
   */
  routeHandlers(base: string): void {
    const hash = /#!?(?=\/)/.exec(base)?.[0];
    if (hash === undefined) return;
    this.#kept.forEach(({ resolved: _, ...link }, at) => {
      const isRoute = link.kind === 'script' && HANDLER.test(link.context) && /^\/(?!\/)/.test(link.href);
      if (isRoute) this.#kept[at] = { ...link, href: hash + link.href };
    });
  }

  list(): LinkList {
    if (this.#kept.length <= this.#limit) return { kept: this.#kept, total: this.#total };
    const left = { ...this.#counts };
    let room = this.#limit;
    for (const rank of RANKS) {
      left[rank] = Math.min(left[rank], room);
      room -= left[rank];
    }
    const kept = this.#kept.filter((_link, index) => {
      const rank = this.#ranks[index] ?? 'speculative';
      left[rank] -= 1;
      return left[rank] >= 0;
    });
    return { kept, total: this.#total };
  }

  /** Adds the text of another link to the same place: of a picture and the words below it, the words say more. */
  #name(at: number, text: string): void {
    const link = this.#kept[at];
    if (link !== undefined && link.text === '' && text !== '') this.#kept[at] = { ...link, text };
  }
}

function asleep(found: RawLink, prefix: string): RawLink {
  const context = `${prefix}${found.context}`.slice(0, 100);
  return prefix === TEMPLATE ? { ...found, context, confidence: 'low' } : { ...found, context };
}

/** The order in which links are kept. */
const RANKS = ['page', 'place', 'subresource', 'speculative'] as const;
type Rank = (typeof RANKS)[number];

function pageKeyOf({ href, base = '', rel, nowhere }: RawLink): string {
  return `${rel}\n${base}\n${nowhere === true ? href : pageOfReference(href)}`;
}

function rankOf({ kind, context, rel, confidence }: RawLink): Exclude<Rank, 'place'> {
  if (confidence === 'low') return 'speculative';
  return leadsToPage({ kind, context, rel: kind === 'link-element' ? tokens(rel) : [] }) ? 'page' : 'subresource';
}

function tokens(rel: string): string[] {
  return rel.split(/\s+/).filter((token) => token !== '');
}
