/** Counts the requests of one visit for an audit: by type, with their bytes, their initiators, and their failures. Bounded. */
import type { EventOf } from '../../../browsers/protocol/session.ts';
import { cutText } from '../../base/cut-text.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type {
  FailedRequest,
  LoadedFile,
  PageBehaviour,
  RequestTotals,
  Sample,
  ThirdPartyHost,
  TlsFacts,
} from '../../model/page-details.ts';
import type { RegistrableDomain } from '../../model/url/host-key.ts';
import { ADDRESS_LENGTH, CHAIN, HOSTS, LARGEST, LISTED, PACKET } from '../limits/details-limits.ts';
import { REQUEST_LIMIT, URL_LENGTH } from '../page-limits.ts';
import { domainOf, partyOf } from './party.ts';

interface Entry {
  url: string;
  method: string;
  readonly type: string;
  readonly initiator: string | null;
  status: number | null;
  error: string | null;
  wire: number;
  decoded: number;
  contentType: string;
  isPacked: boolean;
  saysCache: boolean;
  ended: boolean;
  /** Was it stopped by the user's options, the page or its policy? Then it did not fail by itself. */
  isStopped: boolean;
}

type Response = EventOf<'Network.responseReceived'>['response'];

/** Media types that compress well. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*(?:json|javascript|xml)|ecmascript|wasm)|image\/svg\+xml)/;
const STATIC: ReadonlySet<string> = new Set(['script', 'stylesheet', 'image', 'font']);
/** Requests for the page's own purposes, whose failure no reader sees. */
const UNSEEN: ReadonlySet<string> = new Set(['ping', 'cspviolationreport', 'preflight', 'prefetch', 'signedexchange']);
const DAY = 86_400;

export class NetworkTally {
  readonly #entries = new Map<string, Entry>();
  /** Ids of the documents that asked for something in this visit, and in the one before. */
  #loaders = new Set<string>();
  #left: ReadonlySet<string> = new Set();
  /** Entries of redirected requests: their id now belongs to the next request. */
  readonly #hops: Entry[] = [];
  /** By host. */
  readonly #secure = new Map<string, NonNullable<Response['securityDetails']>>();

  clear(): void {
    this.#entries.clear();
    this.#hops.length = 0;
    this.#left = this.#loaders;
    this.#loaders = new Set();
    this.#secure.clear();
  }

  begin(event: EventOf<'Network.requestWillBeSent'>): void {
    const { requestId, loaderId, request, type = 'Other', initiator, redirectResponse } = event;
    if (this.#left.has(loaderId) || !/^https?:/.test(request.url)) return;
    if (loaderId !== '' && this.#loaders.size < REQUEST_LIMIT) this.#loaders.add(loaderId);
    const before = this.#entries.get(requestId);
    if (before !== undefined && redirectResponse !== undefined) {
      before.status = redirectResponse.status;
      before.wire += redirectResponse.encodedDataLength;
      before.ended = true;
      this.#hops.push(before);
    }
    if (this.#entries.size + this.#hops.length >= REQUEST_LIMIT) return;
    this.#entries.set(requestId, {
      url: cutText(request.url, URL_LENGTH),
      method: cutText(request.method, 20),
      type: type.toLowerCase(),
      initiator: before === undefined ? initiatorOf(initiator) : before.initiator,
      ...{ status: null, error: null, wire: 0, decoded: 0, contentType: '' },
      ...{ isPacked: false, saysCache: false, ended: false, isStopped: false },
    });
  }

  answered({ requestId, response }: EventOf<'Network.responseReceived'>): void {
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return;
    const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
    entry.status = response.status;
    entry.contentType = cutText(response.mimeType, 100).toLowerCase();
    entry.isPacked = headers.has('content-encoding');
    entry.saysCache = headers.has('cache-control') || headers.has('expires');
    const refused = headers.get('x-orbweaver-refused');
    const failed = headers.get('x-orbweaver-error');
    if (refused !== undefined) entry.isStopped = true;
    if (failed !== undefined) Object.assign(entry, { status: null, error: cutText(failed, 100) });
    const host = parsedUrl(entry.url)?.host;
    const { securityDetails } = response;
    // a document that was fetched before has no details of its connection: a file of its host has them
    if (securityDetails !== undefined && host !== undefined && this.#secure.size < HOSTS)
      this.#secure.set(host, securityDetails);
  }

  data({ requestId, dataLength }: EventOf<'Network.dataReceived'>): void {
    const entry = this.#entries.get(requestId);
    if (entry !== undefined) entry.decoded += dataLength;
  }

  finished({ requestId, encodedDataLength }: EventOf<'Network.loadingFinished'>): void {
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return;
    entry.ended = true;
    entry.wire += Math.max(0, encodedDataLength);
  }

  failed(event: EventOf<'Network.loadingFailed'>): void {
    const entry = this.#entries.get(event.requestId);
    if (entry === undefined) return;
    entry.ended = true;
    // a request whose answer was an error may be broken off as well
    if (entry.status !== null && entry.status >= 400) return;
    // a violated policy of the site is reported as such; a request that was stopped has not failed
    entry.isStopped ||= event.canceled === true || event.blockedReason !== undefined || isAborted(event.errorText);
    entry.error ??= cutText(event.errorText, 100);
  }

  /**
   * @param page URL of the document that is shown
   * @param isRefused did the egress gate refuse the connection to this URL?
   * @param now seconds since the epoch
   */
  behaviour(
    page: string,
    now: number,
    isRefused: (url: string) => boolean,
  ): Pick<
    PageBehaviour,
    'failed' | 'requests' | 'largest' | 'uncompressed' | 'uncached' | 'scripts' | 'thirdParties' | 'tls'
  > {
    const own = domainOf(page);
    const all = this.#all;
    const loaded = all.filter(({ ended, status, error }) => ended && error === null && status !== null && status < 300);
    const ofSite = loaded.filter(({ url }) => domainOf(url) === own);
    const failed = all.filter((entry) => hasFailed(entry, page) && !isRefused(entry.url));
    return {
      failed: sampleOf(failed, (entry) => failedRequest(entry, own)),
      requests: totalsOf(all),
      largest: loaded
        .toSorted((one, other) => sizeOf(other) - sizeOf(one))
        .slice(0, LARGEST)
        .map(fileOf),
      uncompressed: sampleOf(ofSite.filter(isUnpackedText), fileOf),
      uncached: sampleOf(
        ofSite.filter(({ type, saysCache }) => STATIC.has(type) && !saysCache),
        fileOf,
      ),
      scripts: sampleOf(
        loaded.filter(({ type, url }) => type === 'script' && domainOf(url) !== own),
        fileOf,
      ),
      thirdParties: thirdPartiesOf(all, own, page),
      tls: this.#tls(page, now),
    };
  }

  /** Hosts of other registrable domains that have been asked so far. */
  hostsAsked(page: string): readonly string[] {
    return thirdPartiesOf(this.#all, domainOf(page), page).first.map(({ host }) => host);
  }

  /** Bytes of a file that was loaded; 0 where that is not known. */
  sizeOf(url: string): number {
    const entry = this.#entryOf(url);
    return entry === undefined ? 0 : sizeOf(entry);
  }

  /** Was the file loaded as a vector drawing? It has no pixels. */
  isDrawing(url: string): boolean {
    return this.#entryOf(url)?.contentType === 'image/svg+xml';
  }

  #entryOf(url: string): Entry | undefined {
    for (const entry of this.#entries.values()) if (entry.url === url) return entry;
    return undefined;
  }

  get #all(): readonly Entry[] {
    return [...this.#hops, ...this.#entries.values()].filter(({ isStopped }) => !isStopped);
  }

  #tls(page: string, now: number): TlsFacts | null {
    const details = this.#secure.get(parsedUrl(page)?.host ?? '');
    if (details === undefined) return null;
    const { protocol, issuer, validFrom, validTo } = details;
    return {
      protocol: cutText(protocol, 50),
      issuer: cutText(issuer, 200),
      daysLeft: Math.floor((validTo - now) / DAY),
      lifetime: Math.round((validTo - validFrom) / DAY),
    };
  }
}

export function sampleOf<From, To>(
  all: readonly From[],
  shown: (item: From) => To,
  listed: number = LISTED,
): Sample<To> {
  return { count: all.length, first: all.slice(0, listed).map(shown) };
}

function initiatorOf({ url, stack }: EventOf<'Network.requestWillBeSent'>['initiator']): string | null {
  const found = url ?? stack?.callFrames.find((frame) => frame.url !== '')?.url;
  return found === undefined ? null : cutText(found, URL_LENGTH);
}

function isAborted(errorText: string): boolean {
  return errorText === 'net::ERR_ABORTED' || errorText.startsWith('net::ERR_BLOCKED_BY_');
}

function hasFailed({ type, status, error, url, ended }: Entry, page: string): boolean {
  if (UNSEEN.has(type)) return false;
  if (type === 'document' && withoutFragment(url) === withoutFragment(page)) return false;
  return (ended && error !== null) || (status !== null && status >= 400);
}

/** Leaves out documents: of one that was fetched before, the browser knows only the unpacked body. */
function isUnpackedText({ isPacked, decoded, contentType, type }: Entry): boolean {
  return !isPacked && decoded > PACKET && TEXT.test(contentType) && type !== 'document';
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

function failedRequest(
  { url, method, type, status, error, initiator }: Entry,
  own: RegistrableDomain | null,
): FailedRequest {
  const party = partyOf(url, initiator, own);
  return {
    url: shown(url),
    method,
    type,
    // the status of an answer that broke off, or could not be unpacked, says that all is well
    status: error === null ? status : null,
    error,
    party,
    initiator: initiator === null ? null : shown(initiator),
  };
}

function fileOf({ url, type, wire, decoded }: Entry): LoadedFile {
  return { url: shown(url), type, wire: Math.round(wire), decoded: Math.round(decoded) };
}

function sizeOf({ wire, decoded, isPacked }: Entry): number {
  return Math.round(isPacked && wire > 0 ? wire : Math.max(wire, decoded));
}

function shown(url: string): string {
  return cutText(url, ADDRESS_LENGTH);
}

function totalsOf(all: readonly Entry[]): Readonly<Record<string, RequestTotals>> {
  const totals: Record<string, RequestTotals> = {};
  for (const { type, wire, decoded } of all) {
    const known = totals[type] ?? { count: 0, wire: 0, decoded: 0 };
    totals[type] = {
      count: known.count + 1,
      wire: known.wire + Math.round(wire),
      decoded: known.decoded + Math.round(decoded),
    };
  }
  return totals;
}

function thirdPartiesOf(all: readonly Entry[], own: RegistrableDomain | null, page: string): Sample<ThirdPartyHost> {
  const askedBy = new Map<string, string | null>();
  for (const { url, initiator } of all) if (!askedBy.has(url)) askedBy.set(url, initiator);
  const hosts = new Map<string, ThirdPartyHost>();
  for (const { url, wire } of all) {
    const host = parsedUrl(url)?.host ?? '';
    if (host === '' || domainOf(url) === own) continue;
    const known = hosts.get(host) ?? { host, requests: 0, wire: 0, chain: chainTo(url, askedBy, page) };
    hosts.set(host, { ...known, requests: known.requests + 1, wire: known.wire + Math.round(wire) });
  }
  return sampleOf([...hosts.values()], (host) => host, HOSTS);
}

/** The chain of initiators from the page to the request. */
function chainTo(url: string, askedBy: ReadonlyMap<string, string | null>, page: string): readonly string[] {
  const chain: string[] = [];
  let at = askedBy.get(url) ?? null;
  while (at !== null && chain.length < CHAIN && withoutFragment(at) !== withoutFragment(page) && !chain.includes(at)) {
    chain.push(at);
    at = askedBy.get(at) ?? null;
  }
  return chain.reverse().map(shown);
}
