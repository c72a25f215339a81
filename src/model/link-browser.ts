/** A browser that looks at single pages of other sites, for the audit of external links. */

export interface BrowsedPage {
  /** Of the document that is shown; null where there was no answer to it. */
  readonly status: number | null;
  /** Where it was in the end. */
  readonly url: string;
  /** As the browser has it, cut. */
  readonly html: string;
}

export interface LinkBrowser extends AsyncDisposable {
  /**
   * Opens a page with a storage of its own and waits, for a time of its own, until `isEnough`: walls let through after a while whom they take for a reader.
   * @returns what it shows then, or shows at last; why there is none
   * @throws the signal's reason
   */
  see(
    url: string,
    isEnough: (page: BrowsedPage) => boolean,
    signal: AbortSignal,
  ): Promise<BrowsedPage | { readonly failed: string }>;
}
