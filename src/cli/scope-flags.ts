/** The flags of the group `scope`: which URLs belong to the crawl, and when it ends. Part of the table in flags.ts. */
import { PARAMETER_OPTION } from '../model/url/url-parameters.ts';
import { FILE_EXTENSION, OPTION_DEFAULTS, SCOPE_NAMES } from '../options/options.ts';
import { flag, type Flag } from './flag.ts';
import * as accept from './kind.ts';
import { LONGEST } from './page-kinds.ts';

const PARAMETER_LIST = 'names of parameters with commas between them, as in ref,utm_*,sid@example.org';

export const SCOPE_FLAGS: readonly Flag[] = [
  flag({
    name: 'scope',
    argument: '<name>',
    group: 'scope',
    option: 'scope',
    kind: accept.choice(SCOPE_NAMES),
    defaultWords: OPTION_DEFAULTS.scope,
    help: "How far from the seeds to go: page, prefix (below the seed's folder), host, domain (with subdomains), any.",
  }),
  flag({
    name: 'include',
    argument: '<regex>',
    group: 'scope',
    option: 'include',
    kind: accept.regularExpressions(),
    help: 'Visits only URLs that match one of these; seeds always; may be given several times.',
  }),
  flag({
    name: 'exclude',
    argument: '<regex>',
    group: 'scope',
    option: 'exclude',
    kind: accept.regularExpressions(),
    help: 'Skips URLs that match; may be given several times.',
  }),
  flag({
    name: 'extra-hops',
    argument: '<n>',
    group: 'scope',
    option: 'extraHops',
    kind: accept.whole({ min: 0, max: 100 }),
    defaultWords: '0',
    help: 'Visits pages outside the scope that are up to this many links beyond it.',
  }),
  flag({
    name: 'depth',
    short: 'd',
    argument: '<n>',
    group: 'scope',
    option: 'depth',
    kind: accept.whole({ min: 0, max: 10_000 }),
    defaultWords: 'no limit',
    help: 'Follows at most this many links from a seed; 0 visits the seeds alone.',
  }),
  flag({
    name: 'limit',
    argument: '<pages>',
    group: 'scope',
    option: 'limit',
    kind: accept.whole({ min: 1 }),
    defaultWords: 'no limit',
    help: 'Ends the crawl after this many pages.',
    alsoResume: true,
  }),
  flag({
    name: 'time-limit',
    argument: '<dur>',
    group: 'scope',
    option: 'timeLimit',
    kind: accept.duration({ min: 1, max: LONGEST }),
    defaultWords: 'no limit',
    help: 'Ends the crawl after this time; pages in flight are finished.',
    alsoResume: true,
  }),
  flag({
    name: 'skip-extensions',
    argument: '<list>',
    group: 'scope',
    option: 'skipExtensions',
    kind: accept.names('file extensions with commas between them, as in zip,mp4', FILE_EXTENSION),
    help: 'Skips URLs whose path ends with one of these file extensions; seeds never.',
  }),
  flag({
    name: 'follow-traps',
    argument: '<regex>',
    group: 'scope',
    option: 'followTraps',
    kind: accept.regularExpressions(),
    help: 'Follows URLs that match although they look like a trap; may be given several times.',
  }),
  flag({
    name: 'remove-query-params',
    argument: '<list>',
    group: 'scope',
    option: 'removeQueryParams',
    kind: accept.names(PARAMETER_LIST, PARAMETER_OPTION),
    defaultWords: 'sessions and campaigns, as in phpsessid,utm_*',
    help: 'Drops these parameters, too, so that URLs that differ only in them are one page; name@host for one host.',
  }),
  flag({
    name: 'keep-query-params',
    argument: '<list>',
    group: 'scope',
    option: 'keepQueryParams',
    kind: accept.names(PARAMETER_LIST, PARAMETER_OPTION),
    help: 'Keeps these parameters although they look like a session or a campaign; name@host for one host.',
  }),
];
