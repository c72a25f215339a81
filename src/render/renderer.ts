/**
 * Renders one visit in a browser page. The contract hides how: the fast way (virtual time, begin-frame control) and the
 * general way (real time: other browsers, remote ones) give the same outcomes.
 *
 * Promises: `render` always comes back within `pageTimeout` + 10 s, whatever the page does; never rejects for what a page
 * or a server does; leaves nothing of one registrable domain's storage to another; sends no request but through egress.
 */
import type { Bytes, Milliseconds } from '../base/units.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import type { BlockType, ExploreLevel, LinkSelector, SettleMode } from '../model/render-settings.ts';
import type { UserHeaders } from '../model/user-headers.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';

export interface RenderOptions {
  /** Pages at a time; 1 or more. */
  readonly workers: number;
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly settle: SettleMode;
  /** Real time from the commit of the navigation until the page is taken as it is. */
  readonly settleTimeout: Milliseconds;
  /** Real time of the whole visit. */
  readonly pageTimeout: Milliseconds;
  readonly waitFor: string | null;
  readonly explore: ExploreLevel;
  /** Classes of requests that are not sent. */
  readonly block: readonly BlockType[];
  /** Further links: the attribute of whatever matches the selector. */
  readonly selectLinks: readonly LinkSelector[];
  readonly screenshot: 'none' | 'viewport' | 'full-page';
  /** Sent with every request of pages of the origins that are meant to these origins. */
  readonly extraHeaders: UserHeaders;
  /** Is an answer of this media type, which is no page, worth reading for its links? Left out: what our own discoverers read. */
  readonly wantsFile?: (contentType: string, url: string) => boolean;
  /** How much of an answer that is not rendered comes over the wire, for who keeps what passes the gate; left out: what is read of it. */
  readonly wholeBodies?: Bytes | null;
}

export interface RendererStats {
  readonly browserVersion: string;
  /** Pids of the browser processes that run now; for the CPU figures and for the tests that kill one. */
  readonly browserPid: number | null;
  readonly visits: number;
  readonly pagesReplaced: number;
  readonly browsersReplaced: number;
}

export interface Renderer extends AsyncDisposable {
  render(visit: Visit, signal: AbortSignal): Promise<VisitOutcome>;
  /** The same with a document that was fetched already: the browser gets that very answer, the server no second request. */
  renderDocument(visit: Visit, document: FetchedDocument, signal: AbortSignal): Promise<VisitOutcome>;
  stats(): RendererStats;
}
