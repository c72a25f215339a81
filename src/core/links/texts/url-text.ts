/**
 * Finds texts of a program or of its data that may be addresses of the site: speculative links, so this file is about decoys.
 * Every pattern here runs over hostile text and is linear.
 */
import { parsedUrl } from '../../../base/parsed-url.ts';

/** sitemaps.org's limit; a longer text is data. */
const LENGTH = 2048;
/** Files that a page embeds; not documents for people (pdf, txt, …). */
const ASSET =
  /\.(?:m?js|cjs|jsx|tsx?|vue|svelte|css|s[ac]ss|less|styl|map|json5?|wasm|png|jpe?g|jfif|gif|svgz?|webp|avif|bmp|ico|cur|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gav]|wav|flac|mov|avi|m3u8|mpd|vtt|glsl|frag|vert|gltf|glb|hdr|bin|dat|node|lock|ya?ml|toml|webmanifest)$/i;
/** A media type may end like a file: `text/vnd.turbo-stream.html`. */
const MEDIA_TYPE = /^(?:text|application|multipart|model)\/(?:vnd|prs|x)[.-]/i;
const PAGE_FILE = /\.(?:html?|xhtml|shtml|php\d?|phtml|aspx?|jspx?|cfm|do|cgi|pl)$/i;
/** Characters of a path and a query as authors write them; patterns, templates and code have others. */
const PATH_TEXT = /^[\w\-.~%!@+,=&?#/:\u0080-\uffff]+$/;
/** Parameters of routes (`:id`, `@name` of parallel routes), paths that frameworks reserve, and files of the machine. */
const RESERVED =
  /^\/(?:_|@(?:vite|fs|id|react-refresh)\b|sockjs-node|ROOT\/|usr\/|Users\/|proc\/|etc\/|tmp\/|mnt\/|9j\/|[A-Za-z]:\/)|\/node_modules\/|\/[:@]?:|\/\.\.?(?:\/|$)|\.\.\.|\/[^/]*@\w+\//;
/** Parts of a date's or a number's format, and units of prices: `/yyyy`, `/month`. */
const FORMAT =
  /^\/(?:y{2,4}|Y{2,4}|M{1,4}|d{1,4}|D{1,4}|H{1,2}|h{1,2}|mm?|ss?|mo|month|wk|week|day|yr|year|hr|hour|sec|min)(?:\/|$)/;
/** Names of vocabularies, which are compared only, and the pages that libraries name in their errors. */
const NAMESPACES =
  /^https?:\/\/(?:www\.w3\.org\/(?:\d{4}|XML|TR|ns|Graphics)\/|schemas\.|ns\.adobe\.com|purl\.org\/|xmlns\.|json-schema\.org|schema\.org\/?|www\.sitemaps\.org\/schemas|(?:react(?:js)?\.(?:org|dev)|reactrouter\.com|vuejs\.org|angular\.(?:io|dev)|g\.co\/ng|fb\.me|nextjs\.org|redux\.js\.org|mui\.com|feross\.org|mths\.be)(?:\/|$))/i;

/** Is it an absolute http(s) URL, or one without its scheme? */
export function looksLikeUrl(text: string): boolean {
  if (text.length > LENGTH) return false;
  const match = /^(?:https?:)?\/\/([^/?#\s]+)((?:[/?#][^\s]*)?)$/i.exec(text);
  if (match === null) return false;
  const [, authority = '', rest = ''] = match;
  if (/[<>"'`\\{}|^*$[\];]/.test(rest) || endsOpen(text) || hasBadEscape(rest) || /\/:[a-z]/i.test(rest)) return false;
  if (!/^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.?(?::\d{1,5})?$/i.test(authority))
    return false;
  const name = authority.replace(/:\d+$/, '').toLowerCase();
  if (text.startsWith('//') && !/\.[a-z]{2,}$/.test(name)) return false;
  if (!/\.(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(name) && !/^(?:\d+\.){3}\d+$/.test(name) && name !== 'localhost')
    return false;
  return !NAMESPACES.test(text) && parsedUrl(text, 'http://base.invalid/') !== null;
}

/** Does it read like a path of a site, or like a route of one that keeps its routes behind `#`? */
export function looksLikeRoute(text: string): boolean {
  if (text.length > LENGTH || text.length < 3) return false;
  if (/^#!?\//.test(text)) return looksLikeRoute(text.replace(/^#!?/, ''));
  if (text[0] !== '/' || text[1] === '/' || !isPathText(text)) return false;
  return !RESERVED.test(text) && !FORMAT.test(text);
}

/** A relative path, named like a page: `about.html`, `../list.php?page=2`, `./guide/`. */
export function looksLikePageFile(text: string): boolean {
  if (text.length > LENGTH || !/^(?:\.{0,2}\/)*[\p{L}\d]/u.test(text) || !isPathText(text)) return false;
  const path = pathOf(text);
  if (/\/\/|:/.test(path) || MEDIA_TYPE.test(path)) return false;
  return PAGE_FILE.test(path) || (/^\.{1,2}\//.test(text) && path.endsWith('/') && !/node_modules/.test(path));
}

/** Is it, by its name, a file that pages are made of? */
export function isAssetName(text: string): boolean {
  return ASSET.test(pathOf(text));
}

function isPathText(text: string): boolean {
  if (!PATH_TEXT.test(text) || !/\p{L}/u.test(text) || hasBadEscape(text) || endsOpen(text)) return false;
  return !pathOf(text).split('/').some(isCode);
}

/** A piece of Base64 or of a hash: long, of all sorts of characters, and nothing that a person would write. */
function isCode(segment: string): boolean {
  return segment.length > 60 && !/[-_.%\u0080-\uffff]/.test(segment) && /\d/.test(segment) && /[A-Z]/.test(segment);
}

/** The beginning of an address, to which something is added: `/search?q=`, `https://example.org/?`. */
function endsOpen(text: string): boolean {
  return /[=&?#+,:@!~]$|\/\.$/.test(text);
}

function hasBadEscape(text: string): boolean {
  return /%(?![\da-f]{2})/i.test(text);
}

function pathOf(text: string): string {
  return text.split(/[?#]/, 1)[0] ?? '';
}

/** Paths of programs, not of readers. */
const PROGRAM =
  /^\/(?:[^/]+\/)?(?:api|apis|rest|graphql|gql|rpc|trpc|ajax|xmlrpc|wp-json|oauth2?|socket\.io|signalr|v\d{1,2})(?:[/?.]|$)|\/wp-admin\/admin-(?:ajax|post)\.php/i;
/** Words of addresses that change something, even by a mere visit. */
const ACTION =
  /(?:^|[/_\-.=?&])(?:log-?_?(?:out|off)|sign-?_?(?:out|off)|delete|destroy|remove|erase|purge|unsubscribe|deactivate|revoke|cancel|buy|checkout|pay|purchase|order-?now|send|publish|vote|upvote|downvote|like|unlike|follow|unfollow|report-?abuse|add-?to-?cart|reset)(?:$|[/_\-.=?&\d])/i;

/** Does it read like an action, or like a program's address? Speculative links must do no harm: it is noted and never visited. */
export function isUnwiseLink(text: string): boolean {
  const path = text.replace(/^#!?/, '').replace(/^(?:https?:)?\/\/[^/?#]*/i, '');
  return PROGRAM.test(path) || ACTION.test(path);
}
