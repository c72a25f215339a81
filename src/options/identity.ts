/** The identity that the crawler states: its User-Agent, and its name for robots.txt. */
import type { ParsedOptions } from './options.ts';

/** The identity as sites see it. */
export interface Identity {
  readonly userAgent: string;
  /** The product token that robots.txt is searched for (RFC 9309 section 2.2.1). */
  readonly robotsAgent: string;
}

export const VERSION = '0.1.0';

/** Product and contact: they tell a site's owner who reads the log what this is and how to stop it. */
export const USER_AGENT_PRODUCT: string = `Orbweaver/${VERSION}; +https://github.com/orbweaver-crawler/orbweaver#for-site-owners`;

/**
 * The User-Agent of the crawler: a browser of this version, as sites look at that, and its real name.
 * @param browserMajor null where the browser was not started yet
 */
export function crawlerIdentity(options: ParsedOptions, browserMajor: number | null): Identity {
  const browser = `Chrome/${browserMajor ?? '(version of the browser)'}.0.0.0`;
  const own =
    options.userAgent ??
    (options.render === 'never' ? `Mozilla/5.0 (compatible; ${USER_AGENT_PRODUCT})` : null) ??
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${browser} Safari/537.36 (compatible; ${USER_AGENT_PRODUCT})`;
  const userAgent = options.userAgentSuffix === undefined ? own : `${own} ${options.userAgentSuffix}`;
  return { userAgent, robotsAgent: options.robotsAgent ?? 'Orbweaver' };
}
