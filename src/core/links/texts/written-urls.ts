/** Addresses that people have written into text: whole ones, and those that begin with `www.`. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { withoutClosing } from './url-end.ts';
import { mayHoldPaths, writtenPaths } from './written-paths.ts';

const LENGTH = 2048;
/** An address ends before signs that none holds as written, and before those of other scripts that end a sentence. */
const ADDRESS =
  /(?<![\w@/.-])(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^\u201c\u201d\u2018\u2019\u00ab\u00bb\u3000-\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08\uff09]{3,2049}/gi;
/** Signs at the end of a sentence, not of an address. */
const CLOSING: ReadonlySet<string> = new Set('.,;:!?\'"*_~\u2026');
const BRACKETS = { ')': '(', ']': '[' } as const;

/** May it hold URLs? A quick test for long texts. */
export function mayHoldUrls(text: string): boolean {
  return /https?:\/\/|www\./i.test(text);
}

/** @returns absolute http(s) URLs, in order, each once; at most `limit` */
export function writtenUrls(text: string, limit = 1000): readonly string[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(ADDRESS)) {
    // an address that its author or a theme has shortened leads nowhere
    if (written.length > LENGTH || /(?:\u2026|\.\.\.)$/.test(written)) continue;
    // Markdown's `](` ends an address
    const url = withoutClosing(written.split('](', 1)[0] ?? written, CLOSING, BRACKETS);
    const whole = /^www\./i.test(url) ? `http://${url}` : url;
    if (isAddress(whole)) found.add(whole);
    if (found.size >= limit) break;
  }
  return [...found];
}

function isAddress(url: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  const name = authority.replace(/:\d{1,5}$/, '');
  const isName = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z\d-]+|\d{1,3})$/iu.test(
    name,
  );
  return (isName || name.toLowerCase() === 'localhost') && !/^www\.[^.]*$/i.test(name) && parsedUrl(url) !== null;
}

/** Attributes of markup that was commented out. */
const COMMENTED =
  /[\s"'](?:href|src|action|data-href|data-url)\s*=\s*(?:"([^"<>]{1,2048})"|'([^'<>]{1,2048})'|([^\s"'<>=`]{1,2048}))/gi;

/** Is it worth looking into a comment? */
export function mayHoldCommentUrls(comment: string): boolean {
  return /https?:|www\.|href|src|action/i.test(comment) || mayHoldPaths(comment);
}

/** Addresses in a comment: whole ones, those of commented-out markup, and those that are written without a host. */
export function commentUrls(comment: string, limit = 200): readonly string[] {
  const found = new Set<string>();
  for (const match of comment.matchAll(COMMENTED)) {
    const href = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    if (href !== '' && !/^(?:#|javascript:|data:|mailto:|tel:|about:|blob:)|[{}<>]/i.test(href)) found.add(href);
    if (found.size >= limit) return [...found];
  }
  for (const url of writtenUrls(comment, limit - found.size)) found.add(url);
  for (const path of writtenPaths(comment, limit - found.size)) found.add(path);
  return [...found];
}
