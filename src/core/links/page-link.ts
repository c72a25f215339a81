import { classOfKind } from '../../model/link-kinds.ts';
import type { FoundLink } from '../../model/link.ts';

/**
 * Relations whose target is a page, a feed or a list of pages, for `link` elements and Link headers alike: of the HTML Standard's
 * table of link types, the registry of IANA (RFC 8288) and the list of extensions of microformats. Any other relation names a part of
 * the page, an address of a program (`https://api.w.org/`, `pingback`, `micropub`), or a vocabulary (`schema.dc`).
 */
const PAGE_RELATIONS: ReadonlySet<string> = new Set(
  [
    // other forms of the page, and its own addresses
    'alternate amphtml canonical cite-as duplicate memento original permalink self shortlink shorturl syndication',
    'translation via',
    // its place in a sequence
    'begin current end first last next next-archive prerender prev prev-archive previous start',
    // its place in a site
    'archive archives child collection contents directory feed home index item origin parent search sibling sitemap',
    'tag toc top up',
    // its parts, each a page
    'appendix bookmark chapter definition footnote glossary section subsection',
    // its versions
    'latest-version predecessor-version successor-version version-history working-copy working-copy-of',
    // its subject, and what others say
    'about comment comments describedby describes discussion in-reply-to related replies',
    // its people and its terms
    'author contact copyright disclosure help license made me payment privacy-policy publisher service-doc',
    'terms-of-service',
  ].flatMap((names) => names.split(' ')),
);

/** Relations that make a part of the target, whatever else is said of it: `alternate stylesheet`, `alternate icon`. */
const PART_RELATIONS: ReadonlySet<string> = new Set([
  'apple-touch-icon',
  'icon',
  'manifest',
  'mask-icon',
  'modulepreload',
  'preload',
  'stylesheet',
]);

/** @param relations of a `link` element or of a Link header, in any case */
export function namesPage(relations: readonly string[]): boolean {
  const names = relations.map((relation) => relation.toLowerCase());
  return names.some((name) => PAGE_RELATIONS.has(name)) && !names.some((name) => PART_RELATIONS.has(name));
}

/** JSON, and formats that describe a service: oEmbed, OpenSearch, RSD, Live Writer, AtomPub, XRD, WSDL. */
const PROGRAM_TYPE =
  /^(?:[^/]+\/(?:[^/]+\+)?(?:json|oembed)|application\/(?:opensearchdescription|rsd|wlwmanifest|atomsvc|atomcat|xrds?|wsdl)\+xml)$/;

/**
 * Is the target of a link with this `type` for programs only? A feed in JSON has entries as other feeds have.
 * @param type as written: a media type, perhaps with parameters
 */
export function isForPrograms(type: string): boolean {
  const [essence = ''] = type.slice(0, 200).split(';', 1);
  const name = essence.trim().toLowerCase();
  return name !== 'application/feed+json' && PROGRAM_TYPE.test(name);
}

/** May a found link lead to another page? A `link` without any rel names nothing at all. */
export function leadsToPage({ kind, rel, context }: Pick<FoundLink, 'kind' | 'rel' | 'context'>): boolean {
  if (classOfKind(kind) === 'subresource') return false;
  // a form that is sent by another method than GET cannot be visited at its address
  if (kind === 'form' && / (?:POST|DIALOG)$/.test(context)) return false;
  return kind !== 'link-element' || namesPage(rel);
}

/** A reference without the place within its page that it leads to; routes (`#/users`) stay, as each may be a page. */
export function pageOfReference(href: string): string {
  const sign = href.indexOf('#');
  return sign === -1 || /^[!/?]/.test(href.slice(sign + 1, sign + 2)) ? href : href.slice(0, sign);
}

/** The tokens of the `rel` of a link, in lower case. Authors also part them by commas, as search engines allow: `ugc,nofollow`. */
export function relTokens(written = ''): readonly string[] {
  return written
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((token) => token !== '');
}
