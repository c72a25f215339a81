/**
 * URL parameters that say nothing about the page: sessions, campaigns, and those that a host declares itself
 * (`Clean-param`). A rule for one host never applies to another.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import { normalEscapes } from './normal-escapes.ts';

/**
 * Parameters that carry a session or the visitor's origin (design/duplicates-and-traps, "Parameters without meaning"). Some
 * sites identify pages by one of them (`sid`): `keep` then excepts it, for that host or for all.
 */
const SESSION_AND_TRACKING_PARAMETERS: readonly string[] = [
  'jsessionid',
  'phpsessid',
  'sid',
  'sessionid',
  'session_id',
  's_id',
  'aspsessionid*',
  'cfid',
  'cftoken',
  'oscsid',
  'zenid',
  'utm_*',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'yclid',
  'dclid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  'igshid',
  'ref_src',
  'spm',
  'scm',
  'vero_id',
  'mkt_tok',
  'hsa_*',
  '_hsenc',
  '_hsmi',
];

/** A user's option: `sid`, `utm_*`, and for one host `sid@example.org` or, with its subdomains, `sid@*.example.org`. */
export const PARAMETER_OPTION: RegExp = /^[^@&=#\s]+(?:@(?:\*\.)?[\p{L}\p{N}._-]+|@\[[0-9a-f:.]+\])?$/iu;

interface ParameterOptions {
  /** Parameters to drop in addition to {@link SESSION_AND_TRACKING_PARAMETERS}. */
  readonly remove: readonly string[];
  /** Parameters to keep, which outranks all rules that drop them; only a drop option that names the host outranks a keep option without host. */
  readonly keep: readonly string[];
}

export interface ParameterRules {
  /** Is no parameter ever dropped on this host? Then none needs a check. */
  keepsAll(host: string): boolean;
  /** @param name of a parameter, in lower case @param host its name, without port */
  drops(name: string, host: string): boolean;
  /** Does the user keep it, whatever else calls it meaningless? @param name in lower case @param host its name, without port */
  keeps(name: string, host: string): boolean;
}

/** Yandex' Clean-param: query parameters that do not change the page. */
export interface CleanParam {
  /** As {@link writtenName} gives them. */
  readonly names: readonly string[];
  /** Path prefix of its scope, in which `*` stands for anything; `/` where none is given. */
  readonly path: string;
}

interface Names {
  readonly exact: ReadonlySet<string>;
  /** Prefixes of names, from options such as `utm_*`. */
  readonly beginnings: readonly string[];
}

/** The rules of a crawl. @param usual parameters dropped by default */
export function parameterRules(
  { remove, keep }: ParameterOptions,
  usual: readonly string[] = SESSION_AND_TRACKING_PARAMETERS,
): ParameterRules {
  const isGeneral = (option: string): boolean => !option.includes('@');
  const kept = namesIn(keep.filter(isGeneral));
  const dropped = namesIn([...usual, ...remove.filter(isGeneral)]);
  const keptOn = byHost(keep);
  const droppedOn = byHost(remove);
  const special = keptOn.size > 0 || droppedOn.size > 0;
  const dropsNothing = dropped.exact.size === 0 && dropped.beginnings.length === 0;
  return {
    keepsAll: () => dropsNothing && droppedOn.size === 0,
    drops: (name, host) => {
      if (special) {
        const places = placesOf(host);
        if (places.some((place) => holds(keptOn.get(place), name))) return false;
        if (places.some((place) => holds(droppedOn.get(place), name))) return true;
      }
      return !holds(kept, name) && holds(dropped, name);
    },
    keeps: (name, host) => holds(kept, name) || placesOf(host).some((place) => holds(keptOn.get(place), name)),
  };
}

/** Does a host's Clean-param declare the parameter meaningless on this path? Upper and lower case differ. */
export function isCleaned(name: string, path: string, rules: readonly CleanParam[]): boolean {
  return rules.some(({ names, path: prefix }) => names.includes(name) && beginsLike(path, prefix));
}

/** Prefix match where `*` stands for anything; greedy from the left, so nothing is tried twice. */
function beginsLike(path: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (!path.startsWith(start)) return false;
  let position = start.length;
  for (const part of rest) {
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return true;
}

/** A name as it stands in the query of a canonical URL: `filter%5Bcolor%5D` for `filter[color]`. */
export function writtenName(name: string): string {
  const search = parsedUrl(`http://host/?${name}`)?.search ?? '';
  return normalEscapes(search.slice(1));
}

function namesIn(options: readonly string[]): Names {
  const named = (names: readonly string[]): readonly string[] => names.map((name) => writtenName(name).toLowerCase());
  return {
    exact: new Set(named(options.filter((option) => !option.endsWith('*')))),
    beginnings: named(options.filter((option) => option.endsWith('*')).map((option) => option.slice(0, -1))),
  };
}

function byHost(options: readonly string[]): ReadonlyMap<string, Names> {
  const found = new Map<string, string[]>();
  for (const option of options) {
    const at = option.lastIndexOf('@');
    if (at === -1) continue;
    const place = placeOf(option.slice(at + 1));
    found.set(place, [...(found.get(place) ?? []), option.slice(0, at)]);
  }
  return new Map([...found].map(([place, names]) => [place, namesIn(names)]));
}

/** The host as URLs have it: lower case, A-labels. */
function placeOf(host: string): string {
  const below = host.startsWith('*.');
  const address = `http://${below ? host.slice(2) : host}/`;
  const name = parsedUrl(address)?.hostname ?? host.toLowerCase();
  return below ? `*.${name}` : name;
}

/** A host and the wildcards that match it: `a.example.org`, `*.a.example.org`, `*.example.org`, `*.org`. */
function placesOf(host: string): readonly string[] {
  const places = [host, `*.${host}`];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) places.push(`*${host.slice(dot)}`);
  return places;
}

function holds(names: Names | undefined, name: string): boolean {
  if (names === undefined) return false;
  return names.exact.has(name) || names.beginnings.some((beginning) => name.startsWith(beginning));
}
