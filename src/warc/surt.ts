/**
 * The sort key of an archive's index: the address with its host reversed, so that the pages of a domain
 * are adjacent. The form is that of warcio, which replay tools use for look-ups.
 */
import { parsedUrl } from '../base/parsed-url.ts';

/** `https://www.example.org/A?b=1&a=2` → `org,example)/a?a=2&b=1`; any text but an http(s) URL is its own key. */
export function surt(url: string): string {
  if (!url.startsWith('https:') && !url.startsWith('http:')) return url;
  const parsed = parsedUrl(url.replace(/^(https?:\/\/)www\d*\./, '$1').toLowerCase());
  if (parsed === null) return url;
  const { hostname, port, pathname, search } = parsed;
  const host = hostname.split('.').toReversed().join(',');
  const query = search === '' ? '' : `?${search.slice(1).split('&').toSorted().join('&')}`;
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${query}`;
}
