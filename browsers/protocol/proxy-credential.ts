/** The credential that the crawl's proxy asks of each client before it serves it; random, made for one crawl. */
export interface ProxyCredential {
  readonly username: string;
  readonly password: string;
  /** The proxy answers this URL itself, with 204: a fresh storage of a browser asks for it, and is asked for the credential. */
  readonly greeting: string;
}
