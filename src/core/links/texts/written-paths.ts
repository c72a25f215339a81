/**
 * Addresses that people have written into text without their host: `/guide/start`, `../notes.html`, `./a/b`. Prose is full of look-alikes:
 * `and/or`, `24/7`, `/etc/hosts`, `</b>`, `s/a/b/`.
 */
import { withoutClosing } from './url-end.ts';
import { isAssetName, looksLikePageFile, looksLikeRoute } from './url-text.ts';

const LENGTH = 1024;
/**
 * An address after the beginning of the text, white space, a bracket, a quote, or a sign of a sentence. What follows a colon without a blank is
 * the rest of a longer name: `$:/core/ui`, `classpath:/static/docs`, `host:/export/data`.
 */
const ADDRESS =
  /(?<=^|[\s("'[<>,;=\u2013\u2014\u201c\u201e\u00ab])\.{0,2}\/[^\s<>"'`{}|\\^();\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026]{2,1025}/g;
const BEGINNING = /(?:^|[\s("'[<>,;=\u2013\u2014\u201c\u201e\u00ab])\.{0,2}\/[\p{L}\p{N}._~%-]/u;
const CLOSING: ReadonlySet<string> = new Set('.,;:!?*_~]');
/** Documents by their names, and the pages of servers. */
const DOCUMENT =
  /\.(?:html?|xhtml|shtml|php\d?|phtml|aspx?|jspx?|cfm|do|cgi|pl|pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|txt|csv|md|xml|rss|atom|zip|gz|tgz)$/i;
/** Sources of programs, and private files of a machine. */
const PROGRAM =
  /\.(?:sh|bash|zsh|bat|cmd|ps1|exe|py|rb|rs|go|java|class|jar|kt|c|h|cc|cpp|hpp|cs|swift|lua|sql|conf|cfg|ini|env|log|sock|so|dll|pem|key|tpl|twig|hbs|ejs|erb|mustache|scss|inc)$/i;
const MACHINE =
  /^\/(?:bin|boot|dev|etc|home|lib\d*|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|Applications|Library|System|Users|Volumes|Windows|c)(?:\/|$)/;
/** A pattern with its flags, a choice of words, a date, a number. */
const OTHER = /^\/[^/]+\/[dgimsuvy]{1,5}$|^\/(?:or|and|oder|und|et|ou|y|o|e|per|s|w)\/|^[./\d-]+$|^\/\d/;

/** Text in these elements is no prose: paths in code are those of files, and an anchor's text is a mere name. */
export const NO_PROSE: ReadonlySet<string> = new Set(
  'code kbd samp pre tt var a button textarea title option'.split(' '),
);

/** May it hold paths? A quick test for long texts. */
export function mayHoldPaths(text: string): boolean {
  return BEGINNING.test(text);
}

/** @returns references as they are written, in order, each once; at most `limit` */
export function writtenPaths(text: string, limit = 100): readonly string[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(ADDRESS)) {
    if (found.size >= limit) break;
    // an address that its author has shortened leads nowhere
    if (written.endsWith('...')) continue;
    const path = withoutClosing(written, CLOSING, {});
    if (path.length <= LENGTH && isAddress(path)) found.add(path);
  }
  return [...found];
}

function isAddress(written: string): boolean {
  const [path = ''] = written.split(/[?#]/, 1);
  const bare = path.replace(/^(?:\.{1,2}\/)+/, '/');
  if (MACHINE.test(bare) && path.startsWith('/')) return false;
  if (PROGRAM.test(path) || isAssetName(path) || OTHER.test(bare) || bare.includes('//') || /[@*$]/.test(path))
    return false;
  if (!looksLikeRoute(written.replace(/^(?:\.{1,2}\/)+/, '/')) && !looksLikePageFile(written)) return false;
  const segments = bare.split('/').filter((segment) => segment !== '');
  // a word behind a slash may be anything: `he/she`, `/me`
  return DOCUMENT.test(path) || (segments.length > 1 && segments.some((segment) => segment.length > 1));
}
