/** Requests the document of a visit over plain HTTP. The result is a document to read, or already an outcome. */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Bytes, type EpochMs, type Milliseconds } from '../base/units.ts';
import { answerOutcome, timingOf } from '../core/answers/answer-outcome.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import { sniffedType } from '../core/answers/sniffed-type.ts';
import { recognisesVisitors } from '../core/cookies/cookie-test.ts';
import { cookieHeader, NO_COOKIES, type Cookies, type HostCookies } from '../core/cookies/host-cookies.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import { partToRead } from '../core/links/catalogue.ts';
import type { Egress } from '../egress/egress.ts';
import { headersFor, type UserHeaders } from '../model/user-headers.ts';
import type { FileBody, VisitOutcome } from '../model/visit-outcome.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { Visit } from '../model/visit.ts';
import { unpacked } from '../render/extract/read-body.ts';
import { fetchDocument, type DocumentAnswer } from './document.ts';

export interface DocumentOptions {
  readonly userAgent: string;
  /** Time limit for an answer's head, and then for the document, which is taken as far as it came. */
  readonly pageTimeout: Milliseconds;
  readonly settleTimeout: Milliseconds;
  readonly extraHeaders: UserHeaders;
  /** Is an answer of this media type that is no page worth reading for its links? */
  readonly wantsFile: (contentType: string, url: string) => boolean;
  /** Most bytes received of an answer that is no page, for the archive; left out: the part that is read. */
  readonly wholeBodies?: Bytes | null;
  /** Cookies that hosts demand; left out: none. */
  readonly cookies?: Pick<HostCookies, 'of'>;
}

interface DocumentParts {
  readonly egress: Pick<Egress, 'dispatcher'>;
  readonly clock: Clock;
}

/** `setsCookies`: some by which the server may know the visitor again. */
type VisitDocument =
  | { readonly kind: 'document'; readonly document: FetchedDocument; readonly setsCookies: boolean }
  | { readonly kind: 'outcome'; readonly outcome: VisitOutcome; readonly setsCookies: boolean };

/** Requests the documents of visits. */
export class VisitDocuments {
  readonly #options: DocumentOptions;
  readonly #parts: DocumentParts;

  constructor(options: DocumentOptions, parts: DocumentParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** @param cookies left out: those that its host demands */
  async document(visit: Visit, signal: AbortSignal, cookies?: Cookies): Promise<VisitDocument> {
    const { clock } = this.#parts;
    const { userAgent, pageTimeout: timeout, settleTimeout: bodyTimeout, wantsFile } = this.#options;
    const { wholeBodies = null } = this.#options;
    const startedAt = clock.now();
    const started = clock.monotonic();
    const asked = {
      url: visit.url,
      userAgent,
      headers: this.#headersFor(visit.url, cookies ?? this.#options.cookies?.of(visit.url) ?? NO_COOKIES),
      timeout,
      bodyTimeout,
      wantsFile,
      isSitemap: visit.isSitemap === true,
      wholeBodies,
    };
    const answer = await fetchDocument(asked, this.#parts, signal);
    const setsCookies = answer.kind !== 'none' && recognisesVisitors(answer.head.headers);
    switch (answer.kind) {
      case 'none':
        return { kind: 'outcome', outcome: answer.outcome, setsCookies };
      case 'judged':
        return { kind: 'outcome', outcome: await this.#judged(visit, answer, { startedAt, started }), setsCookies };
      case 'document': {
        const { head, body, truncated, at } = answer;
        const type = head.contentType === '' ? sniffedType(body) : null;
        if (type !== null) {
          const { url, isSitemap } = visit;
          const isRead = partToRead({ contentType: type, url, isSitemap }, wantsFile) !== null;
          const file = isRead ? { bytes: body, truncated } : null;
          const judged = { head: { ...head, contentType: type }, verdict: { kind: 'not-html' }, at, file } as const;
          const outcome = await this.#judged(visit, { kind: 'judged', ...judged }, { startedAt, started });
          return { kind: 'outcome', outcome, setsCookies };
        }
        return { kind: 'document', document: { head, body, truncated, startedAt, started, answered: at }, setsCookies };
      }
    }
  }

  /** A Cookie header of the user's takes the place of the host's cookies. */
  #headersFor(url: CanonicalUrl, cookies: Cookies): Readonly<Record<string, string>> {
    const header = cookieHeader(cookies);
    const own = headersFor(url, this.#options.extraHeaders);
    const hasCookie = Object.keys(own).some((name) => name.toLowerCase() === 'cookie');
    return header === null || hasCookie ? own : { ...own, cookie: header };
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
