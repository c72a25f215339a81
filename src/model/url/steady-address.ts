/** Addresses without what changes from crawl to crawl though the site did not: hashes of builds, versions, moments, sessions. */

import { queryParts, withParts } from './query-parts.ts';

/** Parameters whose value names a version, a moment or a visitor. */
const PASSING_PARAMETERS =
  /^(?:v|ver|version|rev|revision|build|hash|h|cb|cachebust(?:er)?|cache|t|ts|time|timestamp|_|nonce|token|csrf|rnd|rand|random|sid|s_?id|session(?:_?id)?|phpsessid|jsessionid|cfid|cftoken|dt)$/i;

/** The same for addresses of pages: other parameters may say which page it is. */
const PASSING_IN_LINKS =
  /^(?:cachebust(?:er)?|timestamp|_|nonce|token|csrf|rnd|rand|random|s_?id|session(?:_?id)?|phpsessid|jsessionid|cfid|cftoken)$/i;

const MOST_ADDRESS = 4000;

/** The address of a page without nonces and sessions. */
export function steadyLink(address: string): string {
  const at = address.indexOf('?');
  if (at === -1 || address.length > MOST_ADDRESS) return address;
  const [query = '', ...rest] = address.slice(at + 1).split('#');
  const steady = withParts(query, (pair) => {
    const [name = ''] = pair.split('=', 1);
    return PASSING_IN_LINKS.test(name) ? `${name}=*` : pair;
  });
  return [`${address.slice(0, at)}?${steady}`, ...rest].join('#');
}

/**
 * The address of a file without the hash of a build in its name (`/app.3f9a1c02.js`, `/assets/index-BsdFfGhk.css`), and without versions, moments and
 * sessions in its parameters.
 */
export function steadyAddress(address: string): string {
  const cut = address.slice(0, MOST_ADDRESS);
  const at = cut.search(/[?#]/);
  const path = at === -1 ? cut : cut.slice(0, at);
  const [query = ''] = at === -1 || cut[at] === '#' ? [''] : cut.slice(at + 1).split('#', 1);
  return steadyPath(path) + steadyQuery(query);
}

/** The same for a request of a script or to another site: without parameters that hold digits, as clocks and ids of visitors do. */
export function steadyRequest(address: string): string {
  const [path = '', query = ''] = steadyAddress(address).split('?');
  const kept = queryParts(query).filter((pair) => pair !== '' && !/\d/.test(pair.slice(pair.indexOf('=') + 1)));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** Characters of the shortest hash. */
const LEAST_HASH = 6;

function steadyPath(path: string): string {
  return path
    .replace(/;jsessionid=[^/]*/i, '')
    .split('/')
    .map((segment) => {
      if (segment.length < LEAST_HASH) return segment;
      const pieces = segment.split(/([.~_-])/);
      // a whole segment counts as a build hash only if it can be nothing else
      return pieces.length <= 5 && isHash(segment, 16) && !/[a-z]{5}/i.test(segment) ? '*' : withoutHashes(segment);
    })
    .join('/');
}

/** Characters at the end of a name that may be a hash of 64, what stands before it, and the extensions. */
const ENDING = 90;
const EXTENSION = /(?:\.(?:chunk|bundle|min|module|legacy|esm|lean))?\.[a-z\d]{2,5}(?:\.map)?$/i;
/** A name as people give them; hashes have none between their dashes. */
const WORD = /^[A-Za-z][a-z]{2,}$/;

/** Bundlers write hashes as the last piece before the extension, or between dots. Hashes may hold `-` and `_` themselves. */
function withoutHashes(segment: string): string {
  const from = Math.max(0, segment.length - ENDING);
  const ending = segment.slice(from);
  const [extension = ''] = EXTENSION.exec(ending) ?? [];
  if (extension !== '') {
    const name = ending.slice(0, ending.length - extension.length);
    const at = hashIn(name, BUILT.test(extension));
    if (at !== -1) return `${segment.slice(0, from)}${name.slice(0, at)}*${extension}`;
  }
  const parts = segment.split('.');
  return parts.map((part) => (parts.length > 1 && !hasWord(part) && isHash(part, 8) ? '*' : part)).join('.');
}

/** Where the hash at the end of a name begins: the longest one. -1 where there is none. */
function hashIn(name: string, isBuilt: boolean): number {
  for (const { index } of name.matchAll(/[.~_-]/g)) {
    const hash = name.slice(index + 1);
    if (hash.length > 64 || hasWord(hash)) continue;
    if (isHash(hash, LEAST_HASH) || (isBuilt && name[index] !== '_' && isBuildHash(hash))) return index + 1;
  }
  return -1;
}

/** Is one of several pieces a word? */
function hasWord(name: string): boolean {
  const pieces = name.split(/[_-]/);
  return pieces.length > 1 && pieces.some((piece) => WORD.test(piece));
}

/** Files that bundlers make. Pictures keep names that people gave them, such as the number of a product. */
const BUILT = /\.(?:[cm]?js|css|wasm|woff2?|ttf|otf|eot)(?:\.map)?$/i;
/** Words and numbers, as names of files have them: `DataGrid`, `MODULE01`, `10-BETA2`. A word of eight capitals is as likely a hash. */
const PIECE = '(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]{1,7})\\d*|\\d+';
const WORDS = new RegExp(`^(?:${PIECE})(?:[_-](?:${PIECE}))*$`);

/** Hashes of Rollup (and so of Vite) and of esbuild have eight characters, those of esbuild capitals alone: often nothing else shows what they are. */
function isBuildHash(text: string): boolean {
  return text.length === 8 && /[A-Z].*[A-Z]/.test(text) && /^[\w-]+$/.test(text) && !WORDS.test(text);
}

/** The name of a built file with a hash that looks like a name or a number (`app-MODULE01.js`), for comparison with steady addresses. */
const UNSURE = /^(.*[.-])(?=[\w-]*[A-Z\d])[\w-]{8}((?:\.lean)?\.(?:[cm]?js|css|wasm|woff2?|ttf|otf|eot)(?:\.map)?)$/;

/** The steady address that a file has if the last eight characters of its name are a hash; null where they cannot be one. */
export function builtAddress(steady: string): string | null {
  const from = Math.max(0, steady.length - ENDING);
  const [, name, extension] = UNSURE.exec(steady.slice(from)) ?? [];
  return name === undefined ? null : `${steady.slice(0, from)}${name}*${extension ?? ''}`;
}

/** Made by a program: digits among letters, or letters of both cases as no word has them. */
function isHash(text: string, least: number): boolean {
  if (text.length < least || !/^[\w-]+$/.test(text)) return false;
  if (/^[\da-f]+$/i.test(text)) return /\d/.test(text) && (/[a-f]/i.test(text) || text.length >= 10);
  if (!/[a-z]/i.test(text)) return false;
  const mixes = /\d[a-z]|[a-z]\d[a-z]/i.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
  const cases = /[a-z][A-Z]/.test(text) && /[A-Z]{2}|[A-Z][a-z][A-Z]/.test(text);
  return mixes || (text.length >= 8 && cases);
}

function steadyQuery(query: string): string {
  if (query === '') return '';
  const steady = withParts(query, (pair) => {
    const [name = '', ...value] = pair.split('=');
    if (PASSING_PARAMETERS.test(name)) return `${name}=*`;
    // a bare version: style.css?20261123, ?3f9a1c02
    return value.length === 0 && /^(?:[\d.]{1,20}|(?=.*\d)[\da-f]{6,64})$/i.test(name) ? '*' : pair;
  });
  return `?${steady}`;
}
