/** What the crawl's proxy wants to hear of each client before it does anything for it; made by chance for one crawl. */
export interface ProxyCredential {
  readonly username: string;
  readonly password: string;
  /** The proxy answers this URL itself, with 204: a fresh storage of a browser asks for it, and is asked for the credential. */
  readonly greeting: string;
}
