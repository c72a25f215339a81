/** Tests whether a text, which may be anything, begins and reads like a reference. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { hidesMail } from './hidden-mail.ts';
import { isUnwiseLink, looksLikePageFile } from './url-text.ts';

const LENGTH = 2048;
/** White space, code, and the places of templates: `{id}`, `<%= id %>`, `${id}`, `[[id]]`, `:id`. */
const FOREIGN = /[\s<>{}|\\^`"'$*]|\[\[|\/:[a-z]|%(?![\da-f]{2})/i;
const WEB = /^https?:\/\/[^\s/?#.:]/i;
const BEGINNING =
  /^(?:https?:\/\/[^\s/?#.:]|\/\/[^\s/?#]+\.[a-z]{2,}|\/(?![/*])|\.{1,2}\/|\?[\w%.[\]-]+(?:=|&|$)|#!?\/)/i;

/** Is it an absolute URL, a path of the site, a relative path that begins with a dot, a query, or a route behind `#`? */
export function beginsAsReference(text: string): boolean {
  return text.length <= LENGTH && BEGINNING.test(text) && !FOREIGN.test(text);
}

/** The same, or the name of a page's file: `about.html`. */
export function readsAsReference(text: string): boolean {
  return beginsAsReference(text) || (looksLikePageFile(text) && !FOREIGN.test(text));
}

/** An absolute http(s) URL. */
export function isWebUrl(text: string): boolean {
  return text.length <= LENGTH && WEB.test(text) && !FOREIGN.test(text) && parsedUrl(text) !== null;
}

/** A path in plain words: `/shop/red-shoes?size=3`, not `/ab+c/g`, not `/`. */
export function isPlainPath(text: string): boolean {
  return (
    text.length <= LENGTH &&
    /^\/\p{L}[\p{L}\p{N}_-]*(?:[/.][\p{L}\p{N}_%-]+)*\/?(?:\?[^\s#"'<>(){}\\^|]+)?$/u.test(text) &&
    !isMedia(text)
  );
}

/** Not a link: empty, only a fragment, a scheme such as javascript: or data:, or a hidden mail address. */
export function isNoReference(text: string): boolean {
  return (
    text === '' ||
    text.startsWith('#') ||
    /^(?:data|blob|about|javascript|filesystem|cid):/i.test(text) ||
    hidesMail(text)
  );
}

/** Do its words name an action, such as log out or delete? Such a speculative link is not to be tried. */
export function actsByName(text: string): boolean {
  return isUnwiseLink(text);
}

function isMedia(text: string): boolean {
  return /^\/(?:text|image|audio|video|font|application)\/[\w.+-]+$/.test(text);
}
