/** Settings with which two crawls may see other things of the same site. */
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';

/** Option: its flag, and whether it says which pages are found (`reach`) or what they look like. */
const COMPARED: Readonly<Record<string, readonly [flag: string, kind: 'reach' | 'look']>> = {
  scope: ['--scope', 'reach'],
  include: ['--include', 'reach'],
  exclude: ['--exclude', 'reach'],
  extraHops: ['--extra-hops', 'reach'],
  sitemap: ['--no-sitemap', 'reach'],
  sitemaps: ['--sitemap', 'reach'],
  selectLinks: ['--select-links', 'reach'],
  removeQueryParams: ['--remove-query-params', 'reach'],
  keepQueryParams: ['--keep-query-params', 'reach'],
  robots: ['--no-robots', 'reach'],
  robotsAgent: ['--robots-agent', 'reach'],
  followNofollow: ['--follow-nofollow', 'reach'],
  explore: ['--explore', 'reach'],
  render: ['--render', 'look'],
  block: ['--block', 'look'],
  consent: ['--consent', 'look'],
  viewport: ['--viewport', 'look'],
  fullPage: ['--full-page', 'look'],
  deterministic: ['--deterministic', 'look'],
  userAgent: ['--user-agent', 'look'],
  pageScripts: ['--page-script', 'look'],
  axe: ['--axe', 'look'],
  measure: ['--measure', 'look'],
};

/** Whether the audit asked for links to other sites: its folder tells, and no option of the crawl. */
export const EXTERNAL_SETTING = 'links to other sites';

/** Flags that two crawls must share to find the same pages. */
const REACH_FLAGS: ReadonlySet<string> = new Set(
  Object.values(COMPARED).flatMap(([flag, kind]) => (kind === 'reach' ? [flag] : [])),
);

/** Flags that decide which rules of robots.txt a crawl obeys. */
const ROBOTS_FLAGS = ['--no-robots', '--robots-agent'];

/** Did both crawls obey the same rules of robots.txt? Where nothing is known of one, it did. */
export function obeyedAlike(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return ROBOTS_FLAGS.every((flag) => !old.has(flag) || !now.has(flag) || old.get(flag) === now.get(flag));
}

/** Settings by flag. Whether a crawl was signed in counts, and with which secrets does not: they are not in crawl.json. */
export function settingsOf({ options, versions }: StoredCrawl): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const [option, [flag]] of Object.entries(COMPARED)) {
    settings.set(flag, valueWords(option, options[option]));
  }
  const headers = Array.isArray(options['headers']) ? options['headers'] : [];
  const signsIn =
    options['storageState'] !== undefined ||
    options['login'] !== undefined ||
    headers.some((line) => /^(?:authorization|cookie)\s*:/i.test(String(line)));
  settings.set('signing in', signsIn ? 'yes' : 'no');
  settings.set('the version of orbweaver', versions['orbweaver'] ?? 'unknown');
  return settings;
}

/** Lists of which an empty one is as good as none: crawls of older versions may not name them. */
const LISTS: ReadonlySet<string> = new Set(['sitemaps', 'selectLinks', 'removeQueryParams', 'keepQueryParams']);

function valueWords(option: string, value: unknown): string {
  if (value === undefined || (LISTS.has(option) && Array.isArray(value) && value.length === 0)) return 'not given';
  if (typeof value === 'string') return value;
  // a sitemap of the site at another address is the same one
  const shown = option === 'sitemaps' && Array.isArray(value) ? value.map((place) => pathIn(String(place))) : value;
  return JSON.stringify(shown);
}

/** Without its query, which may hold a key: baselines are committed. */
function pathIn(place: string): string {
  return place.replace(/^https?:\/\/[^/?#]+/i, '').replace(/[?#].*$/s, '');
}

/** Notes in words on each setting that differs. */
export function settingsNotes(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): { readonly notes: readonly string[]; readonly sameReach: boolean } {
  const differing = [...old].filter(([flag, value]) => now.has(flag) && now.get(flag) !== value);
  return {
    notes: differing.map(
      ([flag, value]) =>
        `the crawls differ in ${flag}: ${value} before, ${now.get(flag) ?? ''} now; some differences may be of that`,
    ),
    sameReach: !differing.some(([flag]) => REACH_FLAGS.has(flag)),
  };
}
