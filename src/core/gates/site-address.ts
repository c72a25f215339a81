import { parsedUrl } from '../../base/parsed-url.ts';

/**
 * A URL as baselines and reports name it: path and query where it lies on the origin of a seed, else host, path and query. So it stays the same on
 * another port and on a preview host.
 * @param seeds URLs
 */
export function siteAddresses(seeds: readonly string[]): (url: string) => string {
  const own = new Set(seeds.map((seed) => parsedUrl(seed)?.origin));
  return (url) => {
    const parsed = parsedUrl(url);
    if (parsed === null) return url;
    const place = `${parsed.pathname}${parsed.search}${parsed.hash}`;
    return own.has(parsed.origin) ? place : `${parsed.host}${place}`;
  };
}

/** The hosts of the seeds without ports, each once, sorted: they name the site of a baseline. */
export function siteHosts(seeds: readonly string[]): readonly string[] {
  return [...new Set(seeds.flatMap((seed) => parsedUrl(seed)?.hostname ?? []))].toSorted();
}

/** Is the host this machine? A built site that is served for the audit has no name of its own. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host);
}
