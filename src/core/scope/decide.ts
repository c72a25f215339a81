/** The scope of a crawl: an ordered list of small rules; the first that does not pass decides, and is named. */
import { remembered, sameText } from '../../base/remembered.ts';
import type { SkipReason } from '../../model/record.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostWithPortOf } from '../../model/url/host-key.ts';
import type { Rule, ScopeCandidate, ScopeContext } from './rule.ts';
import {
  excluded,
  included,
  notDeeper,
  notTooManyRedirects,
  seedsPass,
  sitemapsPass,
  within,
  withoutExtensions,
} from './rules.ts';
import { liesIn, scopeRootOf, type ScopeName } from './scope-roots.ts';
import { SharedSet } from './shared-set.ts';
import { noTrap } from './trap.ts';
import { matchesUrl } from './url-pattern.ts';

export interface ScopeOptions {
  readonly scope: ScopeName;
  /** If any is given, a URL must match one, except seeds. Without flags g and y, which would keep a state. */
  readonly include: readonly RegExp[];
  /** A URL that matches one is skipped, even a seed. */
  readonly exclude: readonly RegExp[];
  /** File extensions without the dot; a URL whose path ends with one is skipped, but for seeds. */
  readonly skipExtensions?: readonly string[];
  /** A URL that matches one is no trap, whatever it looks like. */
  readonly followTraps?: readonly RegExp[];
  /** Links from a seed; null where there is no limit. */
  readonly depth: number | null;
  /** Links beyond the scope that are followed, 0 or more. */
  readonly extraHops: number;
}

type ScopeVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly rule: string };

export interface Scope {
  judge(candidate: ScopeCandidate): ScopeVerdict;
  /** Does a page lie below the scope roots? The links of one that does not are its extra hops. */
  contains(url: CanonicalUrl): boolean;
  /** Does the user say that a URL is no trap, whatever the pages of its pattern bring? */
  followsTrap(url: CanonicalUrl): boolean;
  /** The same scope with more seeds: a seed's redirect target counts as a seed. */
  withSeeds(seeds: Iterable<CanonicalUrl>): Scope;
}

/**
 * --exclude wins over all, for a redirect of a seed must not lead around it. Seeds pass the rest: --include, file extensions, the
 * scope root, traps; depth last, for a URL that was skipped for its depth alone may be found again nearer to a seed.
 */
export function buildScope(options: ScopeOptions, seeds: Iterable<CanonicalUrl>): Scope {
  const followTraps = (options.followTraps ?? []).map(stateless);
  const rules: readonly Rule[] = [
    notTooManyRedirects,
    excluded(options.exclude.map(stateless)),
    seedsPass,
    sitemapsPass(options.scope, options.depth),
    included(options.include.map(stateless)),
    withoutExtensions(options.skipExtensions ?? []),
    within(options.scope, options.extraHops),
    noTrap(followTraps),
    ...(options.depth === null ? [] : [notDeeper(options.depth)]),
  ];
  return scopeOf({ name: options.scope, rules, followTraps }, widened(NOWHERE, options.scope, seeds));
}

interface ScopeTerms {
  readonly name: ScopeName;
  readonly rules: readonly Rule[];
  readonly followTraps: readonly RegExp[];
}

const NOWHERE: ScopeContext = { seeds: SharedSet.of([]), scopeRoot: SharedSet.of([]), hosts: SharedSet.of([]) };

function widened(context: ScopeContext, name: ScopeName, more: Iterable<CanonicalUrl>): ScopeContext {
  const seeds = [...more];
  return {
    seeds: context.seeds.with(seeds),
    scopeRoot: context.scopeRoot.with(seeds.map((seed) => scopeRootOf(name, seed))),
    hosts: context.hosts.with(seeds.map(hostWithPortOf)),
  };
}

function scopeOf(terms: ScopeTerms, context: ScopeContext): Scope {
  const { name, rules, followTraps } = terms;
  return {
    judge: (candidate) => decide(rules, candidate, context),
    contains: remembered((url: CanonicalUrl) => liesIn(name, url, context.scopeRoot), { keep: sameText }),
    followsTrap: (url) => followTraps.some((pattern) => matchesUrl(pattern, url)),
    withSeeds: (more) => scopeOf(terms, widened(context, name, more)),
  };
}

/** Runs the list. A URL that every rule passes is accepted. */
function decide(rules: readonly Rule[], candidate: ScopeCandidate, context: ScopeContext): ScopeVerdict {
  for (const rule of rules) {
    const verdict = rule(candidate, context);
    if (verdict.kind === 'accept') break;
    if (verdict.kind === 'reject') return { kind: 'skipped', reason: verdict.reason, rule: verdict.words };
  }
  return { kind: 'accepted' };
}

function stateless(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
}
