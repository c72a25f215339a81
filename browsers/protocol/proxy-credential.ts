/** The credential that the crawl's proxy asks of each client before it serves it; random, made for one crawl. */
export interface ProxyCredential {
  readonly username: string;
  readonly password: string;
  /** The proxy answers this URL itself, with 204: a fresh storage of a browser asks for it, and is asked for the credential. */
  readonly greeting: string;
  /** Makes a greeting for one storage alone, which proves that the storage reaches the proxy. */
  readonly probe: () => ProxyProbe;
}

/** A URL that nobody else knows, and whether a client with the credential has asked the proxy for it. */
export interface ProxyProbe extends Disposable {
  /** URL of a host that browsers take for their own machine: it arrives only where loopback requests go through the proxy, too. */
  readonly url: string;
  readonly arrived: () => boolean;
}
