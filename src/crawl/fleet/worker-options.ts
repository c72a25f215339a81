/**
 * The options of a crawl as a worker has them: those that its controller has posted, with the values that never leave a machine. Headers, passwords
 * and a proxy are given to each worker by its user; the posting only names them.
 */
import { CrawlError } from '../../base/errors.ts';
import { httpAuthPlace } from '../../model/http-auth.ts';
import { splitHeaderLine } from '../../model/user-headers.ts';
import type { CrawlOptions } from '../../options/options.ts';

/** What a worker is given for its crawls; what a crawl does not name is not used in it. */
export type OwnValues = Pick<CrawlOptions, 'headers' | 'httpAuth' | 'proxy'>;

/**
 * @param posted of the crawl; values of headers, and passwords, are left out of them
 * @throws {CrawlError} WORKER_REFUSED that names what is missing, and the flag
 */
export function workerOptions(
  posted: Readonly<Record<string, unknown>>,
  { headers = [], httpAuth = [], proxy }: OwnValues,
  crawl: string,
): Readonly<Record<string, unknown>> {
  const refused = (what: string, cure: string): CrawlError =>
    new CrawlError('WORKER_REFUSED', `The crawl ${crawl} ${what}.\n${cure}.`, { data: { crawl } });
  const named = chosen(linesOf(posted['headers']), headers, (line) => splitHeaderLine(line)[0].toLowerCase());
  if (named.missing.length > 0) {
    const names = named.missing.map((line) => splitHeaderLine(line)[0]).join(', ');
    throw refused(
      `sends headers whose values stay on each machine: ${names}`,
      'Give this worker the same: --header, or ORBWEAVER_HEADER',
    );
  }
  const placed = chosen(linesOf(posted['httpAuth']), httpAuth, httpAuthPlace);
  if (placed.missing.length > 0) {
    throw refused(
      `signs in at ${placed.missing.map(httpAuthPlace).join(', ')}, and passwords stay on each machine`,
      'Give this worker the same: --http-auth, or ORBWEAVER_HTTP_AUTH',
    );
  }
  if (posted['proxy'] !== undefined && proxy === undefined)
    throw refused('goes through a proxy', 'Give this worker one: --proxy, or ORBWEAVER_PROXY');
  if (posted['proxy'] === undefined && proxy !== undefined)
    throw refused('goes through no proxy, and this worker was given one', 'Start the crawl with --proxy as well');
  return { ...posted, headers: named.own, httpAuth: placed.own, proxy };
}

/** A worker's own values of what a crawl names, and the names without one. */
function chosen(
  posted: readonly string[],
  own: readonly string[],
  nameOf: (line: string) => string,
): { readonly own: readonly string[]; readonly missing: readonly string[] } {
  const names = new Set(posted.map(nameOf));
  const known = new Set(own.map(nameOf));
  return {
    own: own.filter((line) => names.has(nameOf(line))),
    missing: posted.filter((line) => !known.has(nameOf(line))),
  };
}

function linesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
