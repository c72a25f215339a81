/**
 * Loads the page of a permitted visit, with a browser or without one. The document is requested only once: if it is fetched here and a
 * browser turns out to be needed, the browser gets the answer.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import { withFinalSlashes } from '../core/page-clusters/final-slashes.ts';
import { ClusterMemory, type PageAddress, type PageCluster } from '../core/page-clusters/cluster-memory.ts';
import type { ReadPages } from '../core/page-clusters/read-pages.ts';
import type { KnownSubresources } from '../core/page-clusters/known-subresources.ts';
import { decodeDocument } from '../core/html/encoding.ts';
import {
  addedLinkOf,
  compareRendering,
  recordedHash,
  shownComparison,
} from '../core/page-clusters/render-comparison.ts';
import type { Egress } from '../egress/egress.ts';
import type { FoundLink } from '../model/link.ts';
import { declaredTypeOf } from '../model/media-type.ts';
import type { Page } from '../model/page.ts';
import { registrableDomainOf, type RegistrableDomain } from '../model/url/host-key.ts';
import { urlShape } from '../model/url/url-shape.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { Offload, TaskText } from '../offload/offload.ts';
import { gaveUpWords } from '../offload/task.ts';
import { RECEIVED_LIMIT } from '../render/limits/details-limits.ts';
import type { Renderer } from '../render/renderer.ts';
import { orByBrowser } from './other-reader.ts';
import { AskedAnswers, type AnswerParts } from './static/asked-answers.ts';
import { receivedFactsOf } from './static/received-facts.ts';
import { UnreadSubresources } from './static/unread-subresources.ts';
import {
  STATIC_PAGE,
  unpackedReading,
  unreadPage,
  withSubresources,
  type StaticDocument,
  type StaticReading,
} from './static/static-page.ts';
import { VisitDocuments, type DocumentOptions } from './visit-documents.ts';

export interface LoadOptions extends DocumentOptions {
  /** Must an extension work on the page in a browser? Left out: on none. */
  readonly mustRender?: (url: string) => boolean;
  /** Is the received document kept beside the rendered page, for an audit? Left out: no. */
  readonly details?: boolean;
}

interface LoaderParts {
  readonly egress: Pick<Egress, 'dispatcher'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Threads that read documents. */
  readonly offload: Offload;
}

interface LearningParts extends LoaderParts, Pick<AnswerParts, 'answerPlans'> {
  readonly egress: Pick<Egress, 'dispatcher' | 'subresourceTurn'> & Partial<Pick<Egress, 'authority'>>;
  /** Style sheets and scripts known to the renderer. */
  readonly known: KnownSubresources;
  /** Knowledge of page clusters, if shared with others; left out: its own. */
  readonly clusters?: ClusterMemory;
  /** The same for pages read with the answers of an API. */
  readonly answeredClusters?: ClusterMemory;
  /** Receives pages that were read without a browser; left out for no receiver. */
  readonly readPages?: Pick<ReadPages, 'read'>;
}

/** A document with its markup as read. */
interface ReadDocument {
  readonly document: FetchedDocument;
  readonly reading: StaticReading;
  readonly address: PageAddress;
}

/** Loads pages. Never rejects because of a page or a server. */
export interface PageLoader {
  load(visit: Visit, signal: AbortSignal): Promise<VisitOutcome>;
}

/** Renders every page: `--render always`. */
export function renderedLoader(renderer: Pick<Renderer, 'render'>): PageLoader {
  return { load: (visit, signal) => renderer.render(visit, signal) };
}

/** Renders no page: `--render never`. */
export function staticLoader(options: LoadOptions, parts: LoaderParts): PageLoader {
  const documents = new VisitDocuments(options, parts);
  return {
    load: async (visit, signal) => {
      const got = await documents.document(visit, signal);
      if (got.kind === 'outcome') return got.outcome;
      const page = { visit, document: got.document, ended: parts.clock.monotonic() };
      const reading = await parts.offload.run(STATIC_PAGE, page, textOf(page), signal);
      if (reading.kind === 'done') return { kind: 'captured', page: unpackedReading(reading.value).page };
      return { kind: 'captured', page: unreadPage(page, [gaveUpWords(STATIC_PAGE, reading)]) };
    },
  };
}

/** Renders the pages that need it: `--render auto`. */
export function learningLoader(
  renderer: Pick<Renderer, 'render' | 'renderDocument'>,
  options: LoadOptions,
  parts: LearningParts,
): PageLoader {
  return new LearningCapture(renderer, options, parts);
}

class LearningCapture implements PageLoader {
  readonly #renderer: Pick<Renderer, 'render' | 'renderDocument'>;
  readonly #documents: VisitDocuments;
  readonly #parts: LearningParts;
  readonly #mustRender: (url: string) => boolean;
  readonly #details: boolean;
  readonly #clusters: ClusterMemory;
  readonly #answeredClusters: ClusterMemory;
  readonly #answers: AskedAnswers;
  readonly #subresources: UnreadSubresources;
  /** Domains whose servers recognise visitors: a plain fetch would lack the cookies that a browser keeps for them. */
  readonly #withCookies = new Set<RegistrableDomain>();

  constructor(renderer: Pick<Renderer, 'render' | 'renderDocument'>, options: LoadOptions, parts: LearningParts) {
    this.#renderer = renderer;
    this.#parts = parts;
    this.#clusters = parts.clusters ?? new ClusterMemory();
    this.#answeredClusters = parts.answeredClusters ?? new ClusterMemory({ isStrict: true });
    this.#answers = new AskedAnswers(options, { ...parts, clusters: this.#answeredClusters });
    this.#subresources = new UnreadSubresources(options, parts);
    this.#mustRender = options.mustRender ?? (() => false);
    this.#details = options.details === true;
    this.#documents = new VisitDocuments(options, parts);
  }

  async load(visit: Visit, signal: AbortSignal): Promise<VisitOutcome> {
    if (this.#mustRender(visit.url)) return this.#renderer.render(visit, signal);
    const domain = registrableDomainOf(visit.url);
    const [specific, general] = [urlShape(visit.url, 'page'), urlShape(visit.url, 'place')];
    const address = { host: visit.host, specific, general };
    const isFirst = visit.again !== true;
    const isHopeless = this.#clusters.needsBrowser(address) && !this.#answers.hopesFor(address);
    if (isFirst && (this.#withCookies.has(domain) || isHopeless)) return this.#renderer.render(visit, signal);
    const got = await this.#documents.document(visit, signal);
    if (got.setsCookies) this.#withCookies.add(domain);
    if (got.kind === 'outcome')
      return orByBrowser(got.outcome, { ...this.#parts, url: visit.url }, () => this.#renderer.render(visit, signal));
    const { document } = got;
    // XML, documents without a type, and what could be decoded of a damaged one are left to the browser's own rules
    if (got.setsCookies || document.truncated === 'encoding' || document.head.contentType !== 'text/html')
      return this.#unread(document, (await this.#inBrowser(visit, document, signal))[0]);
    const page = { visit, document, ended: this.#parts.clock.monotonic() };
    const read = await this.#parts.offload.run(STATIC_PAGE, page, textOf(page), signal);
    // a browser reads it in a separate process
    if (read.kind === 'gave-up') return (await this.#inBrowser(visit, document, signal))[0];
    const reading = unpackedReading(read.value);
    if (reading.doubtful) return this.#beside(reading, (await this.#inBrowser(visit, document, signal))[0]);
    return this.#withReading(visit, { document, reading, address }, signal);
  }

  /** Decides whether a page's markup is enough, or a browser must render it, or both are compared. */
  async #withReading(
    visit: Visit,
    { document, reading, address }: ReadDocument,
    signal: AbortSignal,
  ): Promise<VisitOutcome> {
    const isFirst = visit.again !== true;
    const cluster = this.#clusterOf(address, reading);
    const way = !isFirst ? 'compare' : cluster === null ? 'static' : this.#clusters.loadModeOf(cluster);
    const unknown = this.#parts.known.unknownOf(reading.parts);
    const namesUnread = unknown.sheets.length + unknown.scripts.length > 0;
    if (way === 'static') {
      const named = namesUnread ? await this.#unreadLinks(reading, cluster, signal) : [];
      if (named !== null) {
        const page = this.#respelled(reading.page, cluster);
        const added = [...this.#addedTo(page, cluster), ...named];
        const more = [...added, ...linksBeside(reading.page, page)];
        this.#wasRead(visit, this.#clusters, cluster, more);
        return { kind: 'captured', page: this.#whole({ ...reading, page }, added) };
      }
    }
    const plain = this.#whole(reading);
    const answered = cluster === null || this.#details ? null : await this.#answers.read(plain, cluster, signal);
    if (isFirst && answered?.isSure === true && !namesUnread) {
      const more = linksBeside(plain, answered.page);
      this.#wasRead(visit, this.#answeredClusters, answered.cluster, more);
      return { kind: 'captured', page: answered.page };
    }
    const [loaded, jsonAnswers] = await this.#inBrowser(visit, document, signal);
    const rendered = this.#beside(reading, loaded);
    const outcome = isFirst ? rendered : this.#withFirst(rendered, reading, visit.recorded);
    const isSettled = outcome.kind === 'captured' && outcome.page.settle.reason !== 'timeout';
    if (isSettled) this.#parts.known.lookedFor(unknown);
    if (cluster === null) return outcome;
    const now = this.#clusterOf(address, reading) ?? cluster;
    if (isSettled && !this.#details) this.#answers.learn({ ...outcome.page, jsonAnswers }, plain, now, answered);
    else if (answered !== null) this.#answeredClusters.missed(answered.cluster);
    if (way === 'render') return outcome;
    if (!isSettled) {
      if (way === 'compare') this.#clusters.missed(cluster);
      return outcome;
    }
    const comparison = compareRendering(outcome.page, this.#whole(reading), { namesUnread });
    // the page's scripts are known by now
    this.#clusters.learn(now, comparison, way === 'static');
    const { url } = visit;
    this.#parts.log.debug('rendered page compared with its markup', { url, ...shownComparison(comparison) });
    return outcome;
  }

  /** Renders a document. Also returns the answers that its page received, which are for the comparison only. */
  async #inBrowser(
    visit: Visit,
    document: FetchedDocument,
    signal: AbortSignal,
  ): Promise<readonly [VisitOutcome, NonNullable<Page['jsonAnswers']>]> {
    const outcome = await this.#renderer.renderDocument(visit, document, signal);
    if (outcome.kind !== 'captured') return [outcome, []];
    const { jsonAnswers = [], ...page } = outcome.page;
    return [{ ...outcome, page }, jsonAnswers];
  }

  /** Reports a page read without a browser: it is visited again if similar pages turn out to hide something. */
  #wasRead(visit: Visit, clusters: ClusterMemory, cluster: PageCluster | null, more: readonly FoundLink[]): void {
    if (cluster === null || visit.kind === 'probe') return;
    this.#parts.readPages?.read({ ...visit, recorded: more.map(recordedHash) }, cluster, clusters);
  }

  /** The cluster of a page; null where nothing in the page could run. */
  #clusterOf(address: PageAddress, { page, fingerprint, names, ownNames }: StaticReading): PageCluster | null {
    if (fingerprint === null) return null;
    const own = new Set(ownNames);
    return {
      ...address,
      // where scripts may write final slashes, they do so on each page of the cluster or on none
      fingerprint: withFinalSlashes(page) === null ? fingerprint : `${fingerprint}/`,
      names: names.filter((each) => own.has(each) || this.#parts.known.isMentioned(each)),
    };
  }

  /** Adds the unread document to an outcome, for audits. */
  #unread({ head, body }: FetchedDocument, outcome: VisitOutcome): VisitOutcome {
    if (!this.#details || outcome.kind !== 'captured' || head.contentType !== 'text/html') return outcome;
    const { text } = decodeDocument(body, declaredTypeOf(head.headers));
    return { ...outcome, page: { ...outcome.page, received: text.slice(0, RECEIVED_LIMIT) } };
  }

  /** Adds the page as its first visit recorded it. */
  #withFirst(outcome: VisitOutcome, reading: StaticReading, recorded: readonly number[] = []): VisitOutcome {
    if (outcome.kind !== 'captured') return outcome;
    const hashes = new Set(recorded);
    const more = hashes.size === 0 ? [] : outcome.page.foundLinks.filter((each) => hashes.has(recordedHash(each)));
    return { ...outcome, page: { ...outcome.page, firstRead: this.#whole(reading, more) } };
  }

  #beside({ page }: StaticReading, outcome: VisitOutcome): VisitOutcome {
    if (!this.#details || outcome.kind !== 'captured') return outcome;
    return { ...outcome, page: { ...outcome.page, received: receivedFactsOf(page) } };
  }

  /** Links in files that the page names and that are not read yet; null where a browser must load it. */
  async #unreadLinks(
    { page: { url, foundLinks: links }, parts, base }: StaticReading,
    cluster: PageCluster | null,
    signal: AbortSignal,
  ): Promise<readonly FoundLink[] | null> {
    if (cluster === null || !this.#clusters.readsUnread(cluster)) return null;
    return await this.#subresources.read({ url, parts, base, links }, signal);
  }

  /** Links that the scripts of its cluster add to each page. */
  #addedTo({ finalUrl }: Page, cluster: PageCluster | null): readonly FoundLink[] {
    return cluster === null ? [] : this.#clusters.addedTo(cluster).map((each) => addedLinkOf(each, finalUrl));
  }

  /** The page with the final slashes that the scripts of its cluster write. */
  #respelled(page: Page, cluster: PageCluster | null): Page {
    return cluster !== null && this.#clusters.isRespelled(cluster) ? (withFinalSlashes(page) ?? page) : page;
  }

  /** The page with links from its style sheets, and further links. */
  #whole({ page, parts }: StaticReading, more: readonly FoundLink[] = []): Page {
    return withSubresources(page, [...this.#parts.known.foundLinksOf(parts.sheets), ...more]);
  }
}

/** The links that a page has beside those of its markup. */
function linksBeside(markup: Page, page: Page): readonly FoundLink[] {
  const inMarkup = new Set(markup.foundLinks);
  return page.foundLinks.filter((each) => !inMarkup.has(each));
}

function textOf({ visit, document }: StaticDocument): TaskText {
  return { url: visit.url, size: document.body.byteLength };
}
