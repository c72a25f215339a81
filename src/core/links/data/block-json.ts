/** Links of JSON in a page: JSON-LD, import maps, speculation rules, the state of an application. */
import { parsedJson } from '../../../base/safe-json.ts';
import type { RawLink } from '../../../model/page-facts.ts';
import { jsonTexts, type JsonText } from './json-texts.ts';
import { rawLink } from '../raw-link.ts';
import { actsByName, isNoReference, isPlainPath, isWebUrl, readsAsReference } from '../texts/reference-text.ts';
import { isAssetName } from '../texts/url-text.ts';

const LENGTH = 4 * 1024 * 1024;
const LINKS = 1000;

/** Keys of schema.org that name a page, and those that name a picture or a file. */
const PAGE_KEY =
  /^(?:url|@id|mainEntityOfPage|sameAs|item|target|urlTemplate|isPartOf|breadcrumb|significantLink|relatedLink|discussionUrl|archivedAt|license|codeRepository|citation|hasPart|itemListElement|subjectOf|installUrl|downloadUrl|trackingUrl|paymentUrl|acceptsReservations|hasMenu|menu|mainEntity|about|publishingPrinciples|usageInfo|acquireLicensePage|affiliation|author|creator|publisher|potentialAction|workExample|exampleOfWork|isBasedOn|map|hasMap|ticketToken|applyUrl|merchantReturnLink|parentOrganization|.*[Uu]rl|.*[Ll]ink)$/;
const PART_KEY =
  /^(?:image|images|logo|photo|photos|contentUrl|thumbnail|thumbnailUrl|embedUrl|screenshot|primaryImageOfPage|associatedMedia|audio|video|encoding|icon|track|image_url)$/;
const VOCABULARY = /^https?:\/\/(?:www\.)?schema\.org\/?(?:[A-Za-z]*)$/;
/** A fragment that reads like a route. That of a node's id names a thing and no page: `https://example.org/#/schema/person/1` (Yoast SEO). */
const ROUTE_LIKE = /#[!?/]/;

/**
 * @param written type of the script element, lower case, perhaps with parameters
 * @returns null where a script of this type holds no JSON
 */
export function blockJsonLinks(written: string, text: string): readonly RawLink[] | null {
  const [essence = ''] = written.split(';', 1);
  const type = essence.trim();
  if (type === 'importmap') return importMap(text);
  if (type === 'speculationrules') return speculationRules(text);
  if (/^application\/(?:[\w.-]+\+)?ld\+json$/.test(type)) return jsonLd(text);
  return /[/+]json$/.test(type) || type === 'application/json5' ? state(text, `script[${type}]`) : null;
}

function valueOf(text: string): unknown {
  if (text.length > LENGTH || !/[/.]/.test(text)) return undefined;
  const plain = text.trim().replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '');
  return parsedJson(withoutGuard(plain));
}

/** The text without its final guard against old browsers: `-->`, `]]>`, `// ]]>`, a comment that holds `]]>`. Read from the end, once. */
function withoutGuard(text: string): string {
  let end = text.trimEnd();
  if (end.endsWith(';')) end = end.slice(0, -1).trimEnd();
  if (end.endsWith('-->')) return end.slice(0, -3);
  const closed = end.endsWith('*/') ? end.slice(0, -2).trimEnd() : end;
  if (!closed.endsWith(']]>')) return text;
  const bare = closed.slice(0, -3);
  const before = bare.trimEnd();
  if (closed !== end) return before.endsWith('/*') ? before.slice(0, -2) : text;
  return before.endsWith('//') ? before.slice(0, -2) : bare;
}

function jsonLd(text: string): readonly RawLink[] {
  const value = valueOf(text);
  if (value === undefined) return brokenJson(text);
  const found = new Map<string, RawLink>();
  for (const each of jsonTexts(value)) {
    const link = jsonLdLink(each);
    if (link !== null) addBetter(found, link);
    if (found.size >= LINKS) break;
  }
  return [...found.values()];
}

/** Adds a link; of two to one address the surer one stays. */
function addBetter(found: Map<string, RawLink>, link: RawLink): void {
  const key = `${link.kind} ${link.href}`;
  const known = found.get(key);
  if (known === undefined || (known.confidence === 'low' && link.confidence !== 'low')) found.set(key, link);
}

function jsonLdLink({ text, key, above }: JsonText): RawLink | null {
  const href = text.trim();
  if (key === '@context' || key === '@type' || key === '@vocab' || above === '@context' || VOCABULARY.test(href))
    return null;
  if (href.startsWith('#') || isNoReference(href)) return null;
  if (key === '@id' && ROUTE_LIKE.test(href)) return null;
  if (!readsAsReference(href) && !(PART_KEY.test(key) && isAssetName(href) && !/\s/.test(href))) return null;
  if (PART_KEY.test(key) || PART_KEY.test(above) || isAssetName(href)) return rawLink(href, 'resource', 'json-ld');
  if (PAGE_KEY.test(key)) return rawLink(href, 'json', 'json-ld');
  return isWebUrl(href) ? rawLink(href, 'json', 'json-ld', 'low') : null;
}

/** Authors leave commas and line ends in; quoted strings can be read all the same. */
function brokenJson(text: string): readonly RawLink[] {
  if (text.length > LENGTH) return [];
  const found = new Map<string, RawLink>();
  for (const [, key = '', value = ''] of text.matchAll(/"([@\w]{1,40})"\s*:\s*"([^"\\\n]{1,2048})"/g)) {
    const link = jsonLdLink({ text: value, key, above: '' });
    if (link !== null) addBetter(found, link);
    if (found.size >= LINKS) break;
  }
  return [...found.values()];
}

/** Addresses of modules; a key that ends in `/` stands for a folder. */
function importMap(text: string): readonly RawLink[] {
  const found = new Set<string>();
  for (const { text: href, above } of jsonTexts(valueOf(text))) {
    if (above !== 'integrity' && /^(?:https?:|\.{0,2}\/)/.test(href) && !href.endsWith('/')) found.add(href);
    if (found.size >= LINKS) break;
  }
  return [...found].map((href) => rawLink(href, 'resource', 'importmap'));
}

/** Pages that the browser is to fetch ahead of a visit. */
function speculationRules(text: string): readonly RawLink[] {
  const found = new Set<string>();
  for (const { text: href, key } of jsonTexts(valueOf(text))) {
    if (key === 'urls' && href.trim() !== '') found.add(href.trim());
    if (found.size >= LINKS) break;
  }
  return [...found].map((href) => rawLink(href, 'script', 'speculationrules'));
}

/** Data of an application: a string that reads like an address may be one. */
function state(text: string, context: string): readonly RawLink[] {
  const found = new Set<string>();
  for (const { text: href } of jsonTexts(valueOf(text))) {
    if ((isWebUrl(href) || isPlainPath(href)) && !isAssetName(href) && !VOCABULARY.test(href)) found.add(href);
    if (found.size >= LINKS) break;
  }
  return [...found].map((href) => rawLink(href, actsByName(href) ? 'resource' : 'json', context, 'low'));
}
