/**
 * Renders one visit in a browser page. The contract hides the way: with frames on demand (a headless shell of ours) and with frames that
 * come by themselves (other browsers, those at endpoints) the outcomes are the same.
 *
 * Promises: `render` always returns within `pageTimeout` + 10 s, on any page; never rejects because of a page or a server; leaves
 * nothing of one registrable domain's storage to another; sends no request but through egress.
 */
import type { Bytes, Milliseconds } from '../base/units.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import type { SignedInMark } from '../core/sign-in/signed-in-mark.ts';
import type { BlockType, ExploreLevel, LinkSelector, SettleMode } from '../model/render-settings.ts';
import type { UserHeaders } from '../model/user-headers.ts';
import type { HostCookies } from '../core/cookies/host-cookies.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { AxeSettings } from './axe/check-page.ts';
import type { ConsentSettings } from './consent/engine-pass.ts';
import type { PageHook } from './hooks/page-hook.ts';
import type { SignInPage } from './sign-in-page.ts';

export interface DetailSettings {
  /** Does the browser see the certificates of the sites themselves? Not where an archive reads their connections. */
  readonly seesCertificates: boolean;
}

export interface RenderOptions {
  /** Pages at a time; 1 or more. */
  readonly workers: number;
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Further windows in which pictures are taken; left out: none. */
  readonly viewports?: readonly { readonly width: number; readonly height: number }[];
  /** Is every page loaded alike each time (`render/page/deterministic-page.ts`)? Left out: no. */
  readonly deterministic?: boolean;
  readonly settle: SettleMode;
  /** Real time from the commit of the navigation until the page is taken as it is. */
  readonly settleTimeout: Milliseconds;
  /** Real time of the whole visit. */
  readonly pageTimeout: Milliseconds;
  readonly waitFor: string | null;
  readonly explore: ExploreLevel;
  /** Classes of requests that are not sent. */
  readonly block: readonly BlockType[];
  /** Further links: the attribute of every element that matches the selector. */
  readonly selectLinks: readonly LinkSelector[];
  readonly screenshot: 'none' | 'viewport' | 'full-page';
  /** Headers sent with every request of a page to an origin, where both are of the user's origins. */
  readonly extraHeaders: UserHeaders;
  /** Cookies that hosts demand; left out: none. */
  readonly cookies?: Pick<HostCookies, 'of'>;
  /** Is an answer of this media type, though no page, worth reading for its links? Left out: yes for types of our own discoverers. */
  readonly wantsFile?: (contentType: string, url: string) => boolean;
  /** Amount of an answer that is loaded for the archive though it is not rendered; left out: the part that is read. */
  readonly wholeBodies?: Bytes | null;
  /** How consent dialogs are dealt with; null or left out: they are left alone, and nothing looks for them. */
  readonly consent?: ConsentSettings | null;
  /** Code of the user that works on some pages; left out: none. */
  readonly pageHooks?: readonly PageHook[];
  /** Settings for the details of pages that audits need; null or left out: none are recorded. */
  readonly details?: DetailSettings | null;
  /** Settings for the check of accessibility; null or left out: no page is checked. */
  readonly axe?: AxeSettings | null;
  /** The mark of a page that was loaded signed in; left out or null: pages are not asked. */
  readonly signedIn?: SignedInMark | null;
  /** Real time for one call of a hook; left out: HOOK_TIME of limits/hook-limits.ts. */
  readonly hookTime?: Milliseconds;
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
  /** @throws the signal's reason; {CrawlError} BROWSER_UNUSABLE where the browser has ended and no other one starts */
  render(visit: Visit, signal: AbortSignal): Promise<VisitOutcome>;
  /** The same with a document that was fetched already: the browser gets that very answer, the server no second request. */
  renderDocument(visit: Visit, document: FetchedDocument, signal: AbortSignal): Promise<VisitOutcome>;
  /**
   * Opens a page with a storage of its own, which may go wherever the egress gate lets it, passes it to the work of signing in, and
   * closes it.
   * @throws what the work throws; the signal's reason; where the browser does not give a page
   */
  signIn<Result>(work: (page: SignInPage) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Called when the sign-ins have changed: later pages begin with those kept now. No visit may be under way. */
  renewSignIns(): void;
  /** Changes the number of pages at a time; 1 or more. */
  resize(workers: number): void;
  stats(): RendererStats;
}

/** Is nothing done to the page but to scroll it? */
export function onlyScrolls({ explore }: Pick<RenderOptions, 'explore'>): boolean {
  return explore === 'none' || explore === 'scroll';
}
