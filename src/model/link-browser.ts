/** A browser for single pages of other sites, for the audit of external links. */

export interface BrowsedPage {
  /** Status of the document that is shown; null where there was no answer to it. */
  readonly status: number | null;
  /** The final URL. */
  readonly url: string;
  /** HTML as the browser has it, cut. */
  readonly html: string;
}

export interface LinkBrowser extends AsyncDisposable {
  /**
   * Opens a page with its own storage and waits, up to its own time limit, until `isEnough`: after a while bot walls admit a visitor
   * that they take for a reader.
   * @returns the page at that moment, or at the end of the time; or why there is none
   * @throws the signal's reason
   */
  see(
    url: string,
    isEnough: (page: BrowsedPage) => boolean,
    signal: AbortSignal,
  ): Promise<BrowsedPage | { readonly failed: string }>;
}
