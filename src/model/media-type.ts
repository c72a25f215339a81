/** Kinds of documents by media type; where servers are vague, by file name too. */
import { parsedUrl } from '../base/parsed-url.ts';
import type { Headers } from './page.ts';

/** Anything else is no media type, and browsers look at the body then: `html`, `*\/*`. */
const MEDIA_TYPE = /^[^\s/;,(":*]+\/[^\s/;,(":]+$/;

/**
 * The Content-Type that counts, with its parameters; empty where there is none. Some servers send two, as nginx does with `add_header`: the
 * last one counts, as in browsers (Fetch Standard, "extract a MIME type").
 * @param headers names in lower case
 */
export function declaredTypeOf(headers: Headers): string {
  const types = headers
    .filter(([name]) => name === 'content-type')
    .flatMap(([, value]) => value.split(','))
    .filter((type) => MEDIA_TYPE.test(essenceOf(type)));
  const last = types.at(-1) ?? '';
  const essence = essenceOf(last);
  const alike = types.filter((type) => essenceOf(type) === essence);
  // one without a charset does not take back that of another of the same type
  return alike.findLast((type) => /;\s*charset\s*=/i.test(type)) ?? last;
}

/**
 * The media type without parameters, lower case. It ends as in Chromium (HttpUtil::ParseContentType): servers forget the semicolon,
 * `text/html charset=utf-8`.
 */
export function essenceOf(contentType: string): string {
  return (/^[^\s;,(]*/.exec(contentType.trimStart())?.[0] ?? '').toLowerCase();
}

/** False for XHTML, which is a page. */
export function isXml(type: string): boolean {
  return /^(?:text|application)\/(?:x-)?xml$/.test(type) || (type.endsWith('+xml') && type !== 'application/xhtml+xml');
}

export function isJson(type: string): boolean {
  return /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|x-ndjson|ndjson|jsonl|x-json|json5)$/.test(type);
}

/** Is it a web app manifest? */
export function isManifest(type: string, url: string): boolean {
  return (
    type === 'application/manifest+json' ||
    (isJson(type) && /(?:\.webmanifest|\/manifest\.json)$/i.test(urlPathOf(url)))
  );
}

export function isScript(type: string): boolean {
  return /^(?:application|text)\/(?:x-)?(?:java|ecma)script$/.test(type);
}

export function isMarkdown(type: string, url: string): boolean {
  return type === 'text/markdown' || (type === 'text/plain' && /\.(?:md|markdown)$/i.test(urlPathOf(url)));
}

/** Text for readers, not for programs. */
export function isProse(type: string, url: string): boolean {
  if (!type.startsWith('text/') || type === 'text/html' || type === 'text/css' || isXml(type)) return false;
  return !isScript(type) && !isJson(type) && urlPathOf(url) !== '/robots.txt';
}

export function isPdf(type: string): boolean {
  return type === 'application/pdf' || type === 'application/x-pdf';
}

/** Is it a raster picture? SVG counts as XML. */
export function isPicture(type: string): boolean {
  return type.startsWith('image/') && !isXml(type);
}

/** Path of a URL; empty where the text is no URL. */
export function urlPathOf(url: string): string {
  return parsedUrl(url)?.pathname ?? '';
}
