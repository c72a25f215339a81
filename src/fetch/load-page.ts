/**
 * Makes the outcome of a permitted visit, with a browser or without one. The document is asked for once: where it is fetched here and a
 * browser is needed after all, the browser gets the answer.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { milliseconds, type Bytes, type EpochMs, type Milliseconds } from '../base/units.ts';
import { answerOutcome, timingOf } from '../core/answers/answer-outcome.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import { valueOf } from '../core/answers/judge-answer.ts';
import { ClusterMemory } from '../core/page-clusters/cluster-memory.ts';
import type { KnownSubresources } from '../core/page-clusters/known-subresources.ts';
import { decodeDocument } from '../core/html/encoding.ts';
import { renderDifference } from '../core/page-clusters/render-difference.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import type { Egress } from '../egress/egress.ts';
import type { Page } from '../model/page.ts';
import { registrableDomainOf, type RegistrableDomain } from '../model/url/host-key.ts';
import { urlShape } from '../model/url/url-shape.ts';
import { headersFor, type UserHeaders } from '../model/user-headers.ts';
import type { FileBody, VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { Offload, TaskText } from '../offload/offload.ts';
import { gaveUpWords } from '../offload/task.ts';
import { unpacked } from '../render/extract/read-body.ts';
import { RECEIVED_LIMIT } from '../render/limits/details-limits.ts';
import type { Renderer } from '../render/renderer.ts';
import { fetchDocument, type DocumentAnswer } from './document.ts';
import { receivedFactsOf } from './static/received-facts.ts';
import {
  STATIC_PAGE,
  unreadPage,
  withSubresources,
  type StaticDocument,
  type StaticReading,
} from './static/static-page.ts';

export interface LoadOptions {
  readonly userAgent: string;
  /** Limit until an answer's head is there, and from then on until the document is taken as it is. */
  readonly pageTimeout: Milliseconds;
  readonly settleTimeout: Milliseconds;
  readonly extraHeaders: UserHeaders;
  /** Is an answer of this media type, which is no page, worth reading for its links? */
  readonly wantsFile: (contentType: string, url: string) => boolean;
  /** How much of an answer that is no page comes over the wire, for the archive; left out: the part that is read. */
  readonly wholeBodies?: Bytes | null;
  /** Is somebody to work on the page in a browser? Left out: on none. */
  readonly mustRender?: (url: string) => boolean;
  /** Is the document as it came kept beside the rendered page, for an audit? Left out: no. */
  readonly details?: boolean;
}

interface LoaderParts {
  readonly egress: Pick<Egress, 'dispatcher'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Where documents are read. */
  readonly offload: Offload;
}

interface LearningParts extends LoaderParts {
  /** Sheets and scripts that the renderer knows. */
  readonly known: KnownSubresources;
  /** What is learnt of kinds of pages, where others share it; left out: its own. */
  readonly clusters?: ClusterMemory;
}

/** Makes visits. Never rejects because of a page or a server. */
export interface PageLoader {
  load(visit: Visit, signal: AbortSignal): Promise<VisitOutcome>;
}

/** Renders every page: `--render always`. */
export function renderedLoader(renderer: Pick<Renderer, 'render'>): PageLoader {
  return { load: (visit, signal) => renderer.render(visit, signal) };
}

/** Renders no page: `--render never`. */
export function staticLoader(options: LoadOptions, parts: LoaderParts): PageLoader {
  const fetching = new Fetching(options, parts);
  return {
    load: async (visit, signal) => {
      const got = await fetching.document(visit, signal);
      if (got.kind === 'outcome') return got.outcome;
      const page = { visit, document: got.document, ended: parts.clock.monotonic() };
      const reading = await parts.offload.run(STATIC_PAGE, page, textOf(page), signal);
      if (reading.kind === 'done') return { kind: 'captured', page: reading.value.page };
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
  readonly #fetching: Fetching;
  readonly #parts: LearningParts;
  readonly #mustRender: (url: string) => boolean;
  readonly #details: boolean;
  readonly #clusters: ClusterMemory;
  /** Domains whose servers recognise a visitor: a fetch would not send the cookies that a browser keeps for them. */
  readonly #withCookies = new Set<RegistrableDomain>();

  constructor(renderer: Pick<Renderer, 'render' | 'renderDocument'>, options: LoadOptions, parts: LearningParts) {
    this.#renderer = renderer;
    this.#parts = parts;
    this.#clusters = parts.clusters ?? new ClusterMemory();
    this.#mustRender = options.mustRender ?? (() => false);
    this.#details = options.details === true;
    this.#fetching = new Fetching(options, parts);
  }

  async load(visit: Visit, signal: AbortSignal): Promise<VisitOutcome> {
    if (this.#mustRender(visit.url)) return this.#renderer.render(visit, signal);
    const domain = registrableDomainOf(visit.url);
    const [specific, general] = [urlShape(visit.url, 'page'), urlShape(visit.url, 'place')];
    const address = { host: visit.host, specific, general };
    if (this.#withCookies.has(domain) || this.#clusters.needsBrowser(address))
      return this.#renderer.render(visit, signal);
    const got = await this.#fetching.document(visit, signal);
    if (got.kind === 'outcome') {
      if (got.setsCookies) this.#withCookies.add(domain);
      return got.outcome;
    }
    const { document } = got;
    if (got.setsCookies) this.#withCookies.add(domain);
    // XML, and documents without a type, are left to the browser's own rules
    if (got.setsCookies || document.head.contentType !== 'text/html')
      return this.#unread(document, await this.#renderer.renderDocument(visit, document, signal));
    const page = { visit, document, ended: this.#parts.clock.monotonic() };
    const read = await this.#parts.offload.run(STATIC_PAGE, page, textOf(page), signal);
    // a browser reads it in a process of its own
    if (read.kind === 'gave-up') return this.#renderer.renderDocument(visit, document, signal);
    const reading = read.value;
    if (reading.doubtful) return this.#beside(reading, await this.#renderer.renderDocument(visit, document, signal));
    const kind = reading.fingerprint === null ? null : { ...address, fingerprint: reading.fingerprint };
    const way = kind === null ? 'static' : this.#clusters.loadModeOf(kind);
    const unknown = this.#parts.known.unknownOf(reading.parts);
    if (way === 'static' && unknown.length === 0) return { kind: 'captured', page: this.#whole(reading) };
    const outcome = this.#beside(reading, await this.#renderer.renderDocument(visit, document, signal));
    const settled = outcome.kind === 'captured' && outcome.page.settle.reason !== 'timeout';
    if (settled) this.#parts.known.lookedFor(unknown);
    if (kind === null || way === 'render') return outcome;
    if (settled) {
      const difference = renderDifference(outcome.page, this.#whole(reading));
      this.#clusters.learn(kind, difference === null);
      this.#parts.log.debug('rendered page compared with its markup', { url: visit.url, difference });
    } else if (way === 'compare') this.#clusters.missed(kind);
    return outcome;
  }

  /** The same with a document that nobody has read, to be read beside. */
  #unread({ head, body }: FetchedDocument, outcome: VisitOutcome): VisitOutcome {
    if (!this.#details || outcome.kind !== 'captured' || head.contentType !== 'text/html') return outcome;
    const { text } = decodeDocument(body, valueOf(head.headers, 'content-type') ?? '');
    return { ...outcome, page: { ...outcome.page, received: text.slice(0, RECEIVED_LIMIT) } };
  }

  #beside({ page }: StaticReading, outcome: VisitOutcome): VisitOutcome {
    if (!this.#details || outcome.kind !== 'captured') return outcome;
    return { ...outcome, page: { ...outcome.page, received: receivedFactsOf(page) } };
  }

  #whole({ page, parts }: StaticReading): Page {
    return withSubresources(page, this.#parts.known.foundLinksOf(parts.sheets));
  }
}

function textOf({ visit, document }: StaticDocument): TaskText {
  return { url: visit.url, size: document.body.byteLength };
}

type Got =
  | { readonly kind: 'document'; readonly document: FetchedDocument; readonly setsCookies: boolean }
  | { readonly kind: 'outcome'; readonly outcome: VisitOutcome; readonly setsCookies: boolean };

/** Asks for the documents of visits. */
class Fetching {
  readonly #options: LoadOptions;
  readonly #parts: LoaderParts;

  constructor(options: LoadOptions, parts: LoaderParts) {
    this.#options = options;
    this.#parts = parts;
  }

  async document(visit: Visit, signal: AbortSignal): Promise<Got> {
    const { clock } = this.#parts;
    const { userAgent, pageTimeout: timeout, settleTimeout: bodyTimeout, extraHeaders, wantsFile } = this.#options;
    const { wholeBodies = null } = this.#options;
    const startedAt = clock.now();
    const started = clock.monotonic();
    const asked = {
      url: visit.url,
      userAgent,
      headers: headersFor(visit.url, extraHeaders),
      timeout,
      bodyTimeout,
      wantsFile,
      wholeBodies,
    };
    const answer = await fetchDocument(asked, this.#parts, signal);
    const setsCookies = answer.kind !== 'none' && valueOf(answer.head.headers, 'set-cookie') !== null;
    switch (answer.kind) {
      case 'none':
        return { kind: 'outcome', outcome: answer.outcome, setsCookies };
      case 'judged':
        return { kind: 'outcome', outcome: await this.#judged(visit, answer, { startedAt, started }), setsCookies };
      case 'document': {
        const { head, body, truncated, at } = answer;
        return { kind: 'document', document: { head, body, truncated, startedAt, started, answered: at }, setsCookies };
      }
    }
  }

  async #judged(
    visit: Visit,
    { head, verdict, at, file }: DocumentAnswer & { kind: 'judged' },
    { startedAt, started }: { readonly startedAt: EpochMs; readonly started: Milliseconds },
  ): Promise<VisitOutcome> {
    const { clock } = this.#parts;
    const body: FileBody | null = file === null ? null : await unpacked(file);
    const { leasedAt } = visit;
    const ended = milliseconds(clock.monotonic());
    const timing = timingOf({ leasedAt, startedAt, started, answered: at, loaded: at, settled: at, ended });
    const judged = { visit, head, startedAt, timing, ...(body === null ? {} : { body }) };
    return answerOutcome(verdict, judged, (wait) => parseRetryAfter(wait, clock.now()));
  }
}
