/** The links of a crawl that rules need: to URLs that failed or redirect, those of clicks, of sitemaps, and parts without encryption. */
import { grouped } from '../base/count-words.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { edgeLabel, hasClass } from '../core/graph/edge-label.ts';
import { leadsToPage } from '../core/links/page-link.ts';
import type { PageSummary, PlacedLink, Referrers, SiteFacts } from '../model/audit-facts.ts';
import type { LinkRecord } from '../model/record.ts';
import { inPageOrder, type AuditRecord } from './crawl-records.ts';

/** The audit's knowledge of the crawl when it reads the links. */
interface LinkBookNeeds {
  readonly records: ReadonlyMap<string, AuditRecord>;
  readonly pageOf: (url: string) => PageSummary | null;
  /** The place of a link in the stored HTML of its page; null where it is not in there. */
  readonly placeOf: (from: string, to: string) => PlacedLink | null;
  readonly isOwn: (url: string) => boolean;
  /** Is it no page of the site, such as a place in a page that might have been a route? */
  readonly isUnnamed: (url: string) => boolean;
}

const LISTED = 20;
/** Pages kept with a link to another site; those to list are chosen from them. */
const KEPT = 100;
/** Links to other sites that are kept with those pages; arbitrary. */
const MOST_EXTERNAL = 20_000;
/** Verdicts on pages that show a wall or an error: their links are those of the wall. */
const NO_SOURCES: ReadonlySet<unknown> = new Set(['challenge', 'consent-wall', 'error-page', 'soft-404']);
/** Kinds of links that a reader follows or that a script went along; not words that merely look like addresses. */
const FOLLOWED: ReadonlySet<string> = new Set(
  'anchor area frame form meta-refresh history navigation window-open click hook'.split(' '),
);
const LOADED_RELS: ReadonlySet<string> = new Set(['stylesheet', 'icon', 'manifest', 'modulepreload', 'preload']);
/**
 * Places whose addresses browsers load with the page, or scripts a little later. Other parts are for other programs: pictures for previews (Open
 * Graph, JSON-LD), vocabularies (`profile`), endpoints of reports, attributes of dead plug-ins.
 */
const LOADED =
  /^(?:importmap|xml-stylesheet)$|^(?!base\/)[^@]*\/@(?:src|srcset|imagesrcset|lowsrc|dynsrc|poster|background|data|href|xlink:href|(?:ng|data)-(?:[\w-]*-)?(?:\w*src|\w*srcset|bg|background|poster))$/;

/** Pages that refer to something, with the anchor text of each. */
type Sources = Map<string, string>;

/** Pages with a link to another site. A layout may have it on every page: the first pages visited are kept, the others counted. */
interface ExternalSources {
  count: number;
  /** The page that was counted last. */
  last: string;
  readonly sources: Sources;
}

export class LinkBook {
  readonly #linked = new Map<string, Sources>();
  readonly #mixed = new Map<string, { readonly context: string; readonly sources: Sources }>();
  readonly #related = new Map<string, { readonly relation: string; readonly sources: Sources }>();
  readonly #clicked = new Set<string>();
  readonly #otherwise = new Set<string>();
  /** Links to pages of other sites. */
  readonly #external = new Map<string, ExternalSources>();
  #hasMoreExternal = false;
  /** Kinds of links that lead to each target, as far as their findings differ. */
  readonly #kinds = new Map<string, Set<'form' | 'frame' | 'link'>>();
  readonly sitemapEntries: Map<string, string> = new Map();
  readonly #needs: LinkBookNeeds;

  constructor(needs: LinkBookNeeds) {
    this.#needs = needs;
  }

  add(link: LinkRecord): void {
    const { from, to, kind, confidence, context, rel, stage } = link;
    const leads = leadsToPage({ kind, rel, context });
    const label = edgeLabel({ kind, confidence, context, rel, to, leadsToPage: leads });
    const source = this.#needs.pageOf(from);
    if (hasClass(label, 'entry') && !this.sitemapEntries.has(to)) this.sitemapEntries.set(to, from);
    // feeds and sitemaps name pictures, too, and load none
    if (source !== null && !source.upgradesRequests && isUnencrypted(link)) this.#addMixed(link);
    if (confidence === 'low' || hasClass(label, 'subresource') || hasClass(label, 'foreign')) return;
    const isClick = stage === 'click' || stage === 'submit';
    if (isClick) this.#clicked.add(to);
    else this.#otherwise.add(to);
    if (leads && source !== null && (kind === 'link-element' || kind === 'header')) this.#addRelated(link, source);
    if (!FOLLOWED.has(kind) || NO_SOURCES.has(source?.judged) || this.#needs.isUnnamed(from)) return;
    if (kind !== 'form' && isExternal(to, this.#needs)) this.#addExternal(link);
    if (!this.#isWanted(link, isClick)) return;
    if (kind === 'frame' && from === to) return;
    const kinds = this.#kinds.get(to) ?? new Set();
    this.#kinds.set(to, kinds.add(kind === 'form' || kind === 'frame' ? kind : 'link'));
    addTo(this.#linked, to, from, link.text);
  }

  /** All sources of each linked URL, in the order of their pages. */
  linked(): SiteFacts['linked'] {
    return new Map(
      [...this.#linked].map(([to, sources]) => [
        to,
        {
          ...this.#referrers(to, sources),
          isFormAlone: this.#isAlone('form', to),
          isFrameAlone: this.#isAlone('frame', to),
        },
      ]),
    );
  }

  related(): SiteFacts['related'] {
    return new Map(
      [...this.#related].map(([to, { relation, sources }]) => [to, { relation, ...this.#referrers(to, sources) }]),
    );
  }

  /** URLs of other sites that a reader is led to, in the order in which they were found. */
  externalUrls(): readonly string[] {
    return [...this.#external.keys()];
  }

  externalNotes(): readonly string[] {
    return this.#hasMoreExternal
      ? [`there are more than ${grouped(MOST_EXTERNAL)} external links: those found later are left out`]
      : [];
  }

  /** All sources of such a URL. */
  externalSources(url: string): Referrers {
    const { count = 0, sources = new Map<string, string>() } = this.#external.get(url) ?? {};
    return { ...this.#referrers(url, sources), count };
  }

  mixed(): SiteFacts['mixed'] {
    return [...this.#mixed].map(([url, { context, sources }]) => ({ url, context, ...this.#referrers(url, sources) }));
  }

  clickOnly(seeds: readonly string[]): ReadonlySet<string> {
    return new Set([...this.#clicked].filter((to) => !this.#otherwise.has(to) && !seeds.includes(to)));
  }

  #isAlone(kind: 'form' | 'frame', to: string): boolean {
    const kinds = this.#kinds.get(to);
    return kinds?.size === 1 && kinds.has(kind);
  }

  #isWanted({ from, to }: LinkRecord, isClick: boolean): boolean {
    const record = this.#needs.records.get(to);
    if (from.startsWith('https:') && to.startsWith('http:') && this.#needs.isOwn(to)) return true;
    return record !== undefined && (isClick || hasFailed(record));
  }

  #addExternal({ from, to, text }: LinkRecord): void {
    if (this.#external.size >= MOST_EXTERNAL && !this.#external.has(to)) {
      this.#hasMoreExternal = true;
      return;
    }
    const known = this.#external.get(to) ?? { count: 0, last: '', sources: new Map<string, string>() };
    this.#external.set(to, known);
    if (known.last === from) return; // the links of a page stand together
    known.count += 1;
    known.last = from;
    if (known.sources.size < KEPT && !known.sources.has(from)) known.sources.set(from, text);
  }

  /** Canonical addresses and translations have rules of their own. */
  #addRelated({ from, to, rel }: LinkRecord, { judged, alternates }: PageSummary): void {
    const [relation = 'canonical'] = rel;
    if (rel.includes('canonical') || alternates.some(({ url }) => url === to)) return;
    if (NO_SOURCES.has(judged) || this.#needs.isUnnamed(from) || !hasFailed(this.#needs.records.get(to))) return;
    const known = this.#related.get(to) ?? { relation, sources: new Map<string, string>() };
    known.sources.set(from, '');
    this.#related.set(to, known);
  }

  #addMixed({ from, to, context }: LinkRecord): void {
    const known = this.#mixed.get(to) ?? { context, sources: new Map<string, string>() };
    known.sources.set(from, '');
    this.#mixed.set(to, known);
  }

  #referrers(to: string, sources: Sources): Referrers {
    const { records, placeOf } = this.#needs;
    const first = [...sources]
      .map(([url, text]) => ({ url, text, depth: records.get(url)?.depth ?? Number.MAX_SAFE_INTEGER }))
      .toSorted(inPageOrder)
      .slice(0, LISTED)
      .map(({ url, text }) => {
        const place = placeOf(url, to);
        const shown = text === '' ? (place?.text ?? '') : text;
        return {
          url,
          ...(place === null ? {} : { selector: place.selector }),
          ...(shown === '' ? {} : { text: shown }),
        };
      });
    return { count: sources.size, first };
  }
}

/** Is the page one of another site that the crawl did not visit? What is no URL (`http://[broken/`) is on no site. */
export function isExternal(to: string, { records, isOwn }: Pick<LinkBookNeeds, 'records' | 'isOwn'>): boolean {
  return /^https?:/.test(to) && !records.has(to) && !isOwn(to) && parsedUrl(to) !== null;
}

/** Did the visit show neither a page nor a file? */
function hasFailed(record: AuditRecord | undefined): boolean {
  return record !== undefined && record.outcome !== 'captured' && record.outcome !== 'not-html';
}

function addTo(all: Map<string, Sources>, to: string, from: string, text: string): void {
  const known = all.get(to);
  if (known === undefined) all.set(to, new Map([[from, text]]));
  else if (!known.has(from)) known.set(from, text);
}

/** Does a part of a secure page come by http from another machine? This machine's own addresses are trustworthy. */
function isUnencrypted({ from, to, kind, confidence, rel, context }: LinkRecord): boolean {
  if (!from.startsWith('https:') || !to.startsWith('http:') || confidence === 'low') return false;
  if (/^http:\/\/(?:localhost|127\.|\[::1\]|[^/]*\.localhost)(?:[:/.\d]|$)/.test(to)) return false;
  // browsers load no other target of a `link` or of a Link header, such as an API that is a resource for its type
  if (kind === 'link-element' || context.endsWith('link/@href') || context.startsWith('Link;'))
    return rel.some((token) => LOADED_RELS.has(token));
  return kind === 'css' || kind === 'frame' || kind === 'request' || (kind === 'resource' && LOADED.test(context));
}
