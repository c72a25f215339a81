/** The storage of a site in a browser, in the form of Playwright's `storageState`. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly StoredOrigin[];
}

export interface StoredOrigin {
  readonly origin: string;
  readonly localStorage: readonly StoredItem[];
  /** Databases (IndexedDB): of a log-in, or of the file. A browser is not asked for them later. */
  readonly indexedDB?: readonly object[] | undefined;
  /** What each tab begins with; Playwright has none. As for databases. */
  readonly sessionStorage?: readonly StoredItem[] | undefined;
}

export interface StoredItem {
  readonly name: string;
  readonly value: string;
}

/** What is asked of a browser: `whole` includes the databases, and the session storage of the pages that are open. */
export type StateDepth = 'usual' | 'whole';

interface StoredCookie extends StoredItem {
  /** With a leading dot where subdomains get it, too. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; -1 for the end of the session. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
  /** The site of the page whose cookie alone it is (`Partitioned`). */
  readonly partitionKey?: string | undefined;
  readonly _crHasCrossSiteAncestor?: boolean | undefined;
}
