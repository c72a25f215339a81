/** What URLs of one kind of page have in common: host and path, with what looks like a name of one thing left open. */

const SEGMENTS = 12;

/** `https://shop.test/item/123?page=2` and `…/item/456?page=9` have the same. */
export function urlTemplate(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 200);
  const { host, pathname, searchParams, hash } = new URL(url);
  const path = pathname.split('/').slice(0, SEGMENTS).map(open).join('/');
  const names = [...new Set(searchParams.keys())].sort().slice(0, SEGMENTS).join('&');
  const route =
    hash.startsWith('#/') || hash.startsWith('#!')
      ? hash.split(/[?]/, 1)[0]?.split('/').slice(0, SEGMENTS).map(open).join('/')
      : '';
  return `${host}${path}?${names}${route ?? ''}`.slice(0, 500);
}

/** Numbers, dates, hashes, and titles made of many words. */
function open(segment: string): string {
  const varies = /\d/.test(segment) || segment.length > 24 || segment.split(/[-_+]|%20/).length > 3;
  return varies ? '*' : segment;
}
