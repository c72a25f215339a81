/** Attributes of elements that HTML does not know: inputs of components. A value that reads like a path may be one. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { actsByName, beginsAsReference, isNoReference, isPlainPath, isWebUrl } from '../texts/reference-text.ts';
import { isAssetName, looksLikePageFile } from '../texts/url-text.ts';

/** The elements of HTML, obsolete ones included. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas ' +
    'caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt em embed fencedframe ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image img ' +
    'input ins isindex kbd keygen label layer legend li link listing main map mark marquee math menu menuitem meta meter multicol nav ' +
    'nextid nobr noembed noframes nolayer noscript object ol optgroup option output p param picture plaintext portal pre progress q rb ' +
    'rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span strike strong style sub ' +
    'summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp'
  ).split(' '),
);
/** Attributes of every element, and names that a template engine reads as code. */
const OTHER =
  /^(?:class|id|style|slot|part|is|name|lang|dir|key|ref|type|role|xmlns.*|aria-.*)$|^[:@#*.[(]|^(?:v|x|ng|on|bind|let)[-:]/;

/** @param name local name, lower case */
export function isUnknownElement(name: string): boolean {
  return name.includes('-') || !KNOWN.has(name);
}

/** @param context of the attribute @param value without markup */
export function unknownAttributeLinks(attribute: string, value: string, context: string): readonly RawLink[] {
  const href = value.trim();
  if (!/[/.]/.test(href) || OTHER.test(attribute) || isNoReference(href)) return [];
  const isAsset = isAssetName(href);
  const isPath = isWebUrl(href) || isPlainPath(href) || looksLikePageFile(href) || /^\.{1,2}\/[\w-]+\/[\w-]/.test(href);
  if (!(isPath && (beginsAsReference(href) || looksLikePageFile(href))) && !(isAsset && !/[\s,;]/.test(href)))
    return [];
  return [rawLink(href, isAsset || actsByName(href) ? 'resource' : 'attribute', context, 'low')];
}

/** Parameters of a plug-in that name the file it shows or loads. */
const NAMING =
  /^(?:movie|src|data|url|uri|href|link|file|filename|code|codebase|archive|base|image|video|audio|media|source|poster|config|playlist|homepage|baseurl)$/;

/** `<param name="movie" value="/film.swf">`. @param name of the parameter, as written */
export function parameterLinks(name: string, value: string): readonly RawLink[] {
  const href = value.trim();
  if (isNoReference(href)) return [];
  const isPart = beginsAsReference(href) || looksLikePageFile(href) || (isAssetName(href) && !/[\s,;]/.test(href));
  if (!isPart || (!href.includes('/') && !href.includes('.'))) return [];
  if (NAMING.test(name.trim().toLowerCase())) return [rawLink(href, 'resource', 'param/@value')];
  return isWebUrl(href) || isPlainPath(href) ? [rawLink(href, 'resource', 'param/@value', 'low')] : [];
}
