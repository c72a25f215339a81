/** Who the crawler says it is. */
export interface Identity {
  readonly userAgent: string;
  /** The product token that robots.txt is searched for (RFC 9309 section 2.2.1). */
  readonly robotsAgent: string;
}

export const VERSION = '0.1.0';

/** Product and contact: a site's owner who reads their log finds out what this is and how to stop it. */
export const USER_AGENT_PRODUCT: string = `Orbweaver/${VERSION}; +https://github.com/orbweaver-crawler/orbweaver#for-site-owners`;
