/** Settings of the groups `what` and `scope`: where a crawl begins, which URLs belong to it, and when it ends. */
import { PARAMETER_OPTION } from '../model/url/url-parameters.ts';
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import * as textType from './text-type.ts';
import * as type from './value-type.ts';

const what = rowsOf('what');
const scope = rowsOf('scope');

const SCOPE_NAMES = ['page', 'prefix', 'host', 'domain', 'any'] as const;
type ScopeName = (typeof SCOPE_NAMES)[number];

const PARAMETER_LIST = {
  accepts: 'names of parameters with commas between them, as in ref,utm_*,sid@example.org',
  pattern: PARAMETER_OPTION,
  must: 'must be written `name` or `name@host`',
} as const;

export const SCOPE_OPTIONS = {
  /** Further sitemaps: http(s) URLs, or paths (`/sitemap.xml`) on each host of the seeds. */
  sitemaps: what.defaulted({
    type: textType.places(
      {
        accepts: 'an http(s) URL, or a path that begins with /',
        pattern: /^(?:https?:\/\/[^\s/]\S*|\/\S*)$/i,
        must: 'must be an http(s) URL or begin with /',
      },
      '/sitemap.xml',
    ),
    flag: '--sitemap [url]',
    default: [],
    otherwise: 'those that robots.txt names, else /sitemap.xml where there is one',
    help: "Reads this sitemap, too; without a URL /sitemap.xml of the seeds' hosts; may be given several times.",
  }) as DefaultedRow<readonly string[]>,
  /** Read the sitemaps that robots.txt names, and ask for /sitemap.xml where it names none; default true. */
  sitemap: what.defaulted({
    type: type.switchTo(false),
    flag: '--no-sitemap',
    default: true,
    help: 'Reads no sitemap that robots.txt names, and does not ask for /sitemap.xml where it names none.',
  }) as DefaultedRow<boolean>,

  /** Distance to go from the seeds; default `host`. */
  scope: scope.defaulted({
    type: type.choice(SCOPE_NAMES),
    flag: '--scope <name>',
    default: 'host',
    help: "How far from the seeds to go: page, prefix (below the seed's folder), host, domain (with subdomains), any.",
  }) as DefaultedRow<ScopeName>,
  /** Regular expressions; where any is given a URL must match one (seeds excepted). */
  include: scope.defaulted({
    type: textType.regularExpressions(),
    flag: '--include <regex>',
    default: [],
    help: 'Visits only URLs that match one of these; seeds always; may be given several times.',
  }) as DefaultedRow<readonly string[]>,
  /** Regular expressions; a URL that matches one is skipped. */
  exclude: scope.defaulted({
    type: textType.regularExpressions(),
    flag: '--exclude <regex>',
    default: [],
    help: 'Skips URLs that match; may be given several times.',
  }) as DefaultedRow<readonly string[]>,
  /** Out-of-scope pages are visited up to this many links beyond the scope. */
  extraHops: scope.defaulted({
    type: type.whole({ min: 0, max: 100 }),
    flag: '--extra-hops <n>',
    default: 0,
    help: 'Visits pages outside the scope that are up to this many links beyond it.',
  }) as DefaultedRow<number>,
  /** Links from a seed. */
  depth: scope.option({
    type: type.whole({ min: 0, max: 10_000 }),
    flag: '-d, --depth <n>',
    otherwise: 'no limit',
    help: 'Follows at most this many links from a seed; 0 visits the seeds alone.',
  }) as OptionRow<number>,
  /** Pages to visit. */
  limit: scope.option({
    type: type.whole({ min: 1 }),
    flag: '--limit <pages>',
    otherwise: 'no limit',
    help: 'Ends the crawl after this many pages.',
    alsoResume: true,
  }) as OptionRow<number>,
  /** Pages to visit of one host (scheme, name and port); its other known URLs are skipped as `host-limit`. */
  hostLimit: scope.option({
    type: type.whole({ min: 1 }),
    flag: '--host-limit <pages>',
    otherwise: 'no limit',
    help: 'Visits at most this many pages of each host, and skips its others.',
    alsoResume: true,
  }) as OptionRow<number>,
  /** Milliseconds; pages in flight are finished then. */
  timeLimit: scope.option({
    type: type.duration(1),
    flag: '--time-limit <dur>',
    otherwise: 'no limit',
    help: 'Ends the crawl after this time; pages in flight are finished.',
    alsoResume: true,
  }) as OptionRow<number>,
  /** Bytes that the crawl folder keeps of pages: records, snapshots and archive; pages in flight are finished then. */
  sizeLimit: scope.option({
    type: type.size(1),
    flag: '--size-limit <bytes>',
    otherwise: 'no limit',
    help: 'Ends the crawl when its folder has this much of pages, as in 20mb or 1gb; pages in flight are finished.',
    alsoResume: true,
  }) as OptionRow<number>,
  /** File extensions, without the dot; a URL whose path ends with one is skipped, but for seeds. */
  skipExtensions: scope.defaulted({
    type: textType.names({
      accepts: 'file extensions with commas between them, as in zip,mp4',
      pattern: /^[a-z0-9]+(?:\.[a-z0-9]+)*$/i,
      must: 'must be letters and digits',
    }),
    flag: '--skip-extensions <list>',
    default: [],
    help: 'Skips URLs whose path ends with one of these file extensions; seeds never.',
  }) as DefaultedRow<readonly string[]>,
  /** Regular expressions; a URL that matches one is followed even if it looks like part of a space without end. */
  followTraps: scope.defaulted({
    type: textType.regularExpressions(),
    flag: '--follow-traps <regex>',
    default: [],
    help: 'Follows URLs that match although they look like a trap; may be given several times.',
  }) as DefaultedRow<readonly string[]>,
  /** Follow links marked nofollow, and links of pages that say so; robots.txt is still obeyed. */
  followNofollow: scope.defaulted({
    type: type.switchTo(true),
    flag: '--follow-nofollow',
    default: false,
    help: 'Follows nofollow links (rel, meta robots, X-Robots-Tag), too; robots.txt stays obeyed.',
  }) as DefaultedRow<boolean>,
  /** Parameters that do not count: `ref`, `utm_*`; on one host alone `ref@example.org`, with subdomains `ref@*.example.org`. */
  removeQueryParams: scope.defaulted({
    type: textType.names(PARAMETER_LIST),
    flag: '--remove-query-params <list>',
    default: [],
    otherwise: 'sessions and campaigns, as in phpsessid,utm_*',
    help: 'Drops these parameters, too, so that URLs that differ only in them are one page; name@host for one host.',
  }) as DefaultedRow<readonly string[]>,
  /** Parameters that count although they look like a session or a campaign, or were seen to change nothing; written like `removeQueryParams`. */
  keepQueryParams: scope.defaulted({
    type: textType.names(PARAMETER_LIST),
    flag: '--keep-query-params <list>',
    default: [],
    help: 'Keeps these parameters although they look like a session or a campaign, or change nothing; name@host for one host, * for all.',
  }) as DefaultedRow<readonly string[]>,
};
