/**
 * A running browser, reached over its pipe by our own client (the fast way: every browser that we start), or through Playwright (the
 * general way: a browser at an endpoint).
 */
import type { Page as PlaywrightsPage } from 'playwright-core';
import type { DevToolsSession } from './session.ts';
import type { StateDepth, StorageState } from './storage-state.ts';

/** The language of each page, and the value of its `Accept-Language`, for our own requests, too: some sites choose their texts by it. */
export const BROWSER_LANGUAGE = 'en-US';

/** How a page presents itself. */
export interface PageManner {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
}

/** Callbacks for the life of a page and of its workers and frames. */
export interface PageEvents {
  /** Called before the worker runs, where there is a session for it; calls that are sent to it now come first. */
  workerStarted(url: string, session: DevToolsSession | null): void;
  workerEnded(): void;
  /** A frame in a process of its own; called before its document runs. */
  frameStarted(session: DevToolsSession): void;
  /** The page will answer no more. Called once at least. */
  ended(how: 'crashed' | 'closed'): void;
}

/** How a page is handed over. */
export interface AdoptOptions {
  /** Called for each page that Playwright is asked to open in its context meanwhile; the page is refused. Left out: it may open some. */
  readonly refusesPages?: () => void;
}

/** A page in the hands of Playwright, for the time of a hook. */
export interface AdoptedPage {
  readonly page: PlaywrightsPage;
  /** Were its settings changed, or its context's: emulation, routes, headers, scripts of every document? Also where that is not known. */
  readonly tuned: boolean;
  /** Resolves when Playwright knows what the page has done so far: it hears of it later than we do. */
  caughtUp(): Promise<void>;
  /** Makes Playwright forget the page, which stays as it is. */
  letGo(): Promise<void>;
}

/** A page: without permissions, downloads, windows or service workers. */
export interface BrowserPage {
  readonly session: DevToolsSession;
  /** Id of the main frame; the same for the life of the page. */
  readonly frameId: string;
  /** Are frames drawn only when they are asked for? */
  readonly frameControl: boolean;
  /** Sets the callbacks. Called once, before anything is loaded into the page. */
  listen(events: PageEvents): void;
  /** Sessions of the frames that have processes of their own. */
  remoteFrames(): Promise<readonly DevToolsSession[]>;
  /**
   * Hands the page to Playwright. Only the caller draws a page with frame control meanwhile.
   * @throws where Playwright does not make its contexts, or the page has gone
   */
  adopt(options?: AdoptOptions): Promise<AdoptedPage>;
  /** Ends it; its context stays. */
  close(): Promise<void>;
}

/** A storage that pages share: cookies, caches, connections. */
export interface BrowserContext {
  openPage(): Promise<BrowserPage>;
  /** Its present storage; reading it makes no request. @throws where Playwright does not make the contexts */
  storageState(depth: StateDepth): Promise<StorageState>;
  /** Ends it and all its pages. */
  close(): Promise<void>;
}

/** The kernel's account of the memory of a browser's processes. */
export interface MemoryAccount {
  /** Bytes in use that cannot be reclaimed at once; null where they are not known. */
  used(): number | null;
  /** Processes that the kernel has ended because the memory was used up. */
  kills(): number;
  /** Empty where they are not known. */
  processes(): readonly number[];
}

/** Playwright's use of a browser; for tests and measurements. */
export interface PlaywrightUse {
  /** Contexts that it has now. */
  readonly contexts: number;
  /** Messages that it was given so far; none for a page that was never adopted. */
  readonly messages: number;
}

export interface Browser {
  /** `156.0.7800.12` */
  version(): string;
  /** Id of the main process; null where it is not a process of ours. */
  readonly pid: number | null;
  /** Null where the kernel keeps no account for it alone. */
  readonly memory: MemoryAccount | null;
  /** How often a page has ended because its scripts filled their heap. */
  readonly heapOverflows: () => number;
  /** Null where its contexts are made without Playwright. */
  readonly playwright: PlaywrightUse | null;
  /** Aborted when it has ended or can be reached no more. */
  readonly gone: AbortSignal;
  /** Process ids of all its processes. */
  processes(): Promise<readonly number[]>;
  /** Id of the process that sends its requests; null where that is not known, or not yet. */
  networkProcess(): Promise<number | null>;
  /** @param state its storage from the beginning; left out or null: none */
  openContext(manner: PageManner, state?: StorageState | null): Promise<BrowserContext>;
  /** Resolves when it has ended. */
  close(): Promise<void>;
  /** Ends a browser that does not answer. */
  kill(): void;
}
