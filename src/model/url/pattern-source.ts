/** The inverse of a URL pattern: a regular expression for its URLs. */
import { PROGRAM_LENGTH, ROUTE_MARK } from './url-shape.ts';

/** Expressions for the marks of a pattern. A directory is folded to `*` only where its name is long or has many hyphens. */
const FOLDERS = '(?:[^/?#]+/)+';
/** A letter of another script is one, however many octets are escaped for it. */
const LETTER = '(?:[^/?#%]|%(?=[0-7])|%[C-F].(?:%[89AB].)+)';
const LONG_NAME = `(?:${LETTER}{25,}|(?:[^/?#-]*-){4}[^/?#]*)/`;
const NUMBER = String.raw`\d+`;
const HEX = '[0-9A-Fa-f@-]+';
/** The last part of a path. It may match an extension, too, so that the expression stays short to read and type. */
const NAME = '[^/?#]+';
const STEM = '[^/?#]*';

/**
 * Source of a regular expression that matches all URLs of a pattern, and else only pages beside them that have an extension.
 * @param pattern a host and a URL's shape by `program` (url-shape.ts), or a folder followed by `**` for all its contents
 * @returns null where it would match a whole host: that is not a pattern
 */
export function patternSource(pattern: string): string | null {
  const [, host = '', written = ''] = /^(https?:\/\/[^/]+)(\/[^]*)$/.exec(pattern) ?? [];
  // letters of other scripts are compared with a URL in which nothing is escaped (core/scope/url-pattern.ts)
  const shape = written.includes('%') ? written.replaceAll(/[^\0-\x7F]+/g, encodeURIComponent) : written;
  if (shape === '' || shape === '/**') return null;
  if (shape.endsWith('/**') && !shape.includes('?')) return `^${quoted(host)}${folderSource(shape.slice(0, -2))}`;
  const [place = '', route] = shape.split(ROUTE_MARK, 2);
  const [path = '', names] = place.split('?', 2);
  const own = route !== undefined && path.endsWith('/') ? folderSource(path) : pathSource(path);
  const query = names === undefined ? '' : querySource(names);
  // in a route a question mark is an ordinary character
  const behind = route === undefined ? '' : `#!?${pathSource(route).replaceAll('?#', '#')}`;
  const end = written.length < PROGRAM_LENGTH ? '$' : ''; // a longer one was cut
  return `^${quoted(host)}${own}${query}${behind}${end}`;
}

/** Expression for directories, including the slash behind the last one. */
function folderSource(path: string): string {
  return path
    .split(/(\*\*\/|\*\/|[#@])/)
    .map((part) => {
      if (part === '**/') return FOLDERS;
      if (part === '*/') return LONG_NAME;
      return part === '#' ? NUMBER : part === '@' ? HEX : quoted(part);
    })
    .join('');
}

/** Expression for directories and the page in the last one: `*`, `*.html`, `*` and a slash, or nothing. */
function pathSource(path: string): string {
  const [, folders = '', last = ''] = /^([^]*?\/)(\*(?:\/|\.[a-z0-9]+)?)?$/.exec(path) ?? [];
  if (last === '') return folderSource(path);
  const isFile = last.startsWith('*.');
  return folderSource(folders) + (isFile ? STEM : NAME) + quoted(last.slice(1));
}

/** Expression for a query: all names in any order; several names may each repeat. */
function querySource(written: string): string {
  const bySemicolon = written.includes(';');
  const [names, sign] = bySemicolon ? [written.split(';'), '[&;]'] : [written.split('&'), '&'];
  const known = names.filter((name) => name !== '**').map(nameSource);
  const all = known.map((name) => `(?=(?:[^#]*${sign})?${name}(?:[=&;#]|$))`).join('');
  if (known.length < names.length) return String.raw`\?${all}[^#]*`;
  const value = bySemicolon ? '(?:=[^&;#]*)?' : '(?:=[^&#]*)?';
  if (known.length === 1) return String.raw`\?${known.join('')}${value}`;
  const parameter = `(?:${known.join('|')})${value}`;
  return String.raw`\?${all}${parameter}(?:${sign}${parameter})*`;
}

function nameSource(name: string): string {
  if (/^[\w-]*$/.test(name)) return name;
  return name
    .split(/([#@*])/)
    .map((part) => (part === '#' ? NUMBER : part === '@' ? HEX : part === '*' ? '[^=&#]+' : quoted(part)))
    .join('');
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
