/** The inverse of a URL pattern: which URLs it stands for. */
import { PROGRAM_LENGTH, ROUTE_MARK } from './url-shape.ts';

/** What the marks of a pattern stand for. A directory is folded to `*` only where its name is long or has many hyphens. */
const FOLDERS = '(?:[^/?#]+/)+';
const LONG_NAME = '(?:[^/?#]{25,}|(?:[^/?#-]*-){4}[^/?#]*)/';
const NUMBER = String.raw`\d+`;
const HEX = '[0-9A-Fa-f@-]+';
/** The last part of a path. That it has no extension is left to the reader: the expression is to be read and typed. */
const NAME = '[^/?#]+';
const STEM = '[^/?#]*';

/**
 * The source of a regular expression that all URLs of a pattern match, and no others but pages beside them that have an extension.
 * @param pattern a host and the shape of a URL of it by `program` (url-shape.ts), or a folder with `**` behind it: all that is in it
 * @returns null where it would match a whole host: that is no pattern
 */
export function patternSource(pattern: string): string | null {
  const [, host = '', shape = ''] = /^(https?:\/\/[^/]+)(\/[^]*)$/.exec(pattern) ?? [];
  if (shape === '' || shape === '/**') return null;
  if (shape.endsWith('/**') && !shape.includes('?')) return `^${quoted(host)}${folderSource(shape.slice(0, -2))}`;
  const [place = '', route] = shape.split(ROUTE_MARK, 2);
  const [path = '', names] = place.split('?', 2);
  const own = route !== undefined && path.endsWith('/') ? folderSource(path) : pathSource(path);
  const query = names === undefined ? '' : querySource(names.split('&'));
  // in a route a question mark is a character like any other
  const behind = route === undefined ? '' : `#!?${pathSource(route).replaceAll('?#', '#')}`;
  const end = shape.length < PROGRAM_LENGTH ? '$' : ''; // a longer one was cut
  return `^${quoted(host)}${own}${query}${behind}${end}`;
}

/** Directories, and the slash behind the last one. */
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

/** Directories, and the page in the last one: `*`, `*.html`, `*` and a slash, or nothing. */
function pathSource(path: string): string {
  const [, folders = '', last = ''] = /^([^]*?\/)(\*(?:\/|\.[a-z0-9]+)?)?$/.exec(path) ?? [];
  if (last === '') return folderSource(path);
  const isFile = last.startsWith('*.');
  return folderSource(folders) + (isFile ? STEM : NAME) + quoted(last.slice(1));
}

/** Names in any order, several each as often as it likes. */
function querySource(names: readonly string[]): string {
  const known = names.filter((name) => name !== '**').map(nameSource);
  const all = known.map((name) => `(?=(?:[^#]*&)?${name}(?:[=&#]|$))`).join('');
  if (known.length < names.length) return String.raw`\?${all}[^#]*`;
  const value = '(?:=[^&#]*)?';
  if (known.length === 1) return String.raw`\?${known.join('')}${value}`;
  const parameter = `(?:${known.join('|')})${value}`;
  return String.raw`\?${all}${parameter}(?:&${parameter})*`;
}

function nameSource(name: string): string {
  return name
    .split(/([#@*])/)
    .map((part) => (part === '#' ? NUMBER : part === '@' ? HEX : part === '*' ? '[^=&#]+' : quoted(part)))
    .join('');
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
