/**
 * Links that do something: they carry a token by which a site tells a reader's own request from a forged one (CSRF). A page to read needs
 * none. Where a crawl is signed in they are recorded and not visited: "Trash", "Approve" and "Deactivate" are such links, and a visit would
 * do just that. Names that systems write into each of their addresses (`token`, `user_token`, `_token`) say nothing.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

/** WordPress, DokuWiki, Moodle, MyBB, XenForo, Magento, phpBB, Django, Rails, ASP.NET, Spring and others. */
const TOKEN =
  /^(?:_?wp_?nonce|_ajax_nonce|sectok|sesskey|my_post_key|_xftoken|form_?key|form_?token|csrf_?middleware_?token|authenticity_token|__requestverificationtoken|[_-]{0,2}[cx]srf(?:[_-]?(?:token|key|hash|name|value))?)$/i;
/** Joomla's name of the token is the token. */
const TOKEN_NAME = /^[\da-f]{32}$/;

/** The reason why a link acts, in words for a record; null where nothing says so. */
export function forgedRequestRule(address: string): string | null {
  if (!address.includes('?')) return null;
  for (const [name, value] of parsedUrl(address)?.searchParams ?? []) {
    if (value !== '' && TOKEN.test(name)) return `its address does something: ?${name}`;
    if (value === '1' && TOKEN_NAME.test(name)) return 'its address does something: a token';
  }
  return null;
}
