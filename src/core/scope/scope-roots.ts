/** The part of a seed by which a scope compares URLs. */
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostWithPortOf, registrableDomainOf } from '../../model/url/host-key.ts';
import type { SharedSet } from './shared-set.ts';

export type ScopeName = 'page' | 'prefix' | 'host' | 'domain' | 'any';

/**
 * The value that a seed contributes. Schemes and a scheme's own port are not compared, since a site that moves from http
 * to https stays the same site; another port is another site. `www.` is not folded: a seed that redirects there brings
 * it into scope by itself.
 */
export function scopeRootOf(scope: ScopeName, url: CanonicalUrl): string {
  switch (scope) {
    case 'page':
      return withoutFragment(url);
    case 'prefix':
      return directoryOf(url);
    case 'host':
      return hostWithPortOf(url);
    case 'domain':
      return registrableDomainOf(url);
    case 'any':
      return '';
  }
}

/** Does the URL lie in the scope root of some seed? */
export function liesIn(scope: ScopeName, url: CanonicalUrl, scopeRoot: Pick<SharedSet, 'has'>): boolean {
  if (scope === 'any') return true;
  if (scope !== 'prefix') return scopeRoot.has(scopeRootOf(scope, url));
  // a look at each folder that it lies in, because lists name thousands of seeds
  const folder = directoryOf(url);
  for (let slash = folder.indexOf('/'); slash !== -1; slash = folder.indexOf('/', slash + 1))
    if (scopeRoot.has(folder.slice(0, slash + 1))) return true;
  return false;
}

/** Up to the last slash of the path: `example.org/docs/` for `https://example.org/docs/intro?x=/`. */
function directoryOf(url: CanonicalUrl): string {
  const address = withoutScheme(withoutFragment(url)).split('?', 1)[0] ?? '';
  return address.slice(0, address.lastIndexOf('/') + 1);
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf('://') + 3);
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
