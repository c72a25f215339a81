/** The options that decide how URLs are read and judged: in a crawl, and in later questions about its decisions. */
import type { ScopeOptions } from '../core/scope/decide.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';
import { parameterRules } from '../model/url/url-parameters.ts';
import type { ParsedOptions } from './options.ts';

export function urlPolicyOf({ render, removeQueryParams, keepQueryParams }: ParsedOptions): UrlPolicy {
  return {
    // without scripts a route is no page of its own
    keepHashRoutes: render !== 'never',
    parameters: parameterRules({ remove: removeQueryParams, keep: keepQueryParams }),
  };
}

export function scopeOptionsOf(options: ParsedOptions): ScopeOptions {
  const { scope, include, exclude, skipExtensions, followTraps, depth, extraHops } = options;
  return {
    scope,
    skipExtensions,
    followTraps: followTraps.map((source) => new RegExp(source)),
    include: include.map((source) => new RegExp(source)),
    exclude: exclude.map((source) => new RegExp(source)),
    depth: depth ?? null,
    extraHops,
  };
}
