/** The credential that the crawl's proxy asks of each client before it serves it; random, made for one crawl. */
export interface ProxyCredential {
  readonly username: string;
  readonly password: string;
  /** The proxy answers this URL itself, with 204: a fresh storage of a browser asks for it, and is asked for the credential. */
  readonly greeting: string;
  /** A greeting for one storage alone, which proves that its way leads to the proxy. */
  readonly probe: () => ProxyProbe;
}

/** A URL that nobody else knows, and whether the proxy was asked for it by a client with the credential. */
export interface ProxyProbe extends Disposable {
  /** Of a host that browsers take for their own machine: it arrives where loopback, too, is asked for through the proxy. */
  readonly url: string;
  readonly arrived: () => boolean;
}
