/** The storage of a site in a browser, in the form of Playwright's `storageState`. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly StoredOrigin[];
}

interface StoredOrigin {
  readonly origin: string;
  readonly localStorage: readonly StoredItem[];
  /** Databases (IndexedDB), where the file has them: a browser is not asked for them. */
  readonly indexedDB?: readonly object[] | undefined;
}

interface StoredItem {
  readonly name: string;
  readonly value: string;
}

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
