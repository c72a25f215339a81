/** The rules that a scope is made of. Each says what it forbids in words that name its own figures. */
import { hostWithPortOf } from '../../model/url/host-key.ts';
import { ACCEPT, PASS, reject, type Rule } from './rule.ts';
import { liesIn, type ScopeName } from './scope-roots.ts';
import type { SharedSet } from './shared-set.ts';
import { matchesUrl } from './url-pattern.ts';

/** Longer chains are loops in all but name (RFC 9110 section 15.4 asks to look out for them; browsers stop at 20). */
export const REDIRECT_LIMIT = 10;

/** A chain of redirects ends somewhere, or is given up. Stands first: it holds for seeds, too. */
export const notTooManyRedirects: Rule = ({ redirects }) =>
  redirects > REDIRECT_LIMIT ? reject('trap', `more than ${REDIRECT_LIMIT} redirects in a row`) : PASS;

/** A URL that the user named is wanted. */
export const seedsPass: Rule = ({ url }, { seeds }) => (seeds.has(url) ? ACCEPT : PASS);

/**
 * A sitemap of a seed's host lies outside of `--scope prefix` and matches no --include, but names pages that do.
 * @param depth null where there is no limit
 */
export function sitemapsPass(scope: ScopeName, depth: number | null): Rule {
  return ({ url, isSitemap }, { hosts }) => {
    if (isSitemap !== true) return PASS;
    if (depth === 0) return reject('depth', 'its pages have depth 1, which is more than 0');
    return scope !== 'page' && hosts.has(hostWithPortOf(url)) ? ACCEPT : PASS;
  };
}

export function excluded(patterns: readonly RegExp[]): Rule {
  return ({ url }) => {
    const pattern = patterns.find((each) => matchesUrl(each, url));
    return pattern === undefined ? PASS : reject('out-of-scope', `matches --exclude ${asTyped(pattern)}`);
  };
}

export function included(patterns: readonly RegExp[]): Rule {
  if (patterns.length === 0) return () => PASS;
  const names = patterns.map(asTyped).join(', ');
  return ({ url }) =>
    patterns.some((each) => matchesUrl(each, url)) ? PASS : reject('out-of-scope', `matches no --include (${names})`);
}

/** The end of the last path segment is looked at, whatever query follows it. @param extensions without the dot */
export function withoutExtensions(extensions: readonly string[]): Rule {
  if (extensions.length === 0) return () => PASS;
  const endings = extensions.map((each) => `.${each.toLowerCase()}`);
  return ({ url }) => {
    const [path = ''] = url.split(/[?#]/, 1);
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const ending = endings.find((each) => name.endsWith(each));
    return ending === undefined ? PASS : reject('out-of-scope', `ends with ${ending} (--skip-extensions)`);
  };
}

/** RegExp.source escapes slashes, which the user did not type. */
function asTyped(pattern: RegExp): string {
  return pattern.source.replaceAll('\\/', '/');
}

/**
 * Below the scope roots, or at most `extraHops` links beyond it.
 * @param extraHops 0 where nothing beyond is wanted
 */
export function within(scope: ScopeName, extraHops: number): Rule {
  return ({ url, hops }, { scopeRoot }) => {
    // most links are known already to lie within
    if (hops !== undefined && hops <= extraHops) return PASS;
    if (liesIn(scope, url, scopeRoot)) return PASS;
    if (hops !== undefined && extraHops > 0) {
      // a shorter way may still lead to it, so the reason is its depth
      return reject('depth', `${hops} links beyond the scope are more than ${extraHops}`);
    }
    return reject('out-of-scope', outside(scope, scopeRoot, hostWithPortOf(url)));
  };
}

export function notDeeper(limit: number): Rule {
  return ({ depth }) => (depth > limit ? reject('depth', `depth ${depth} is more than ${limit}`) : PASS);
}

function outside(scope: ScopeName, { first, size }: SharedSet, host: string): string {
  const seeds = size <= 1 ? (first ?? '') : `${first} or ${size - 1} more`;
  switch (scope) {
    case 'page':
      return `is not the seed ${seeds}`;
    case 'prefix':
      return `does not begin with ${seeds}`;
    case 'host':
      return `host ${host} is not ${seeds}`;
    case 'domain':
      return `host ${host} is not of the domain ${seeds}`;
    case 'any':
      return 'scope is any';
  }
}
