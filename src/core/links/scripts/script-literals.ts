/** Links of scripts: addresses among their texts, the better ones first. */
import type { FoundLink } from '../../../model/link.ts';
import type { RawLink } from '../../../model/page-facts.ts';
import type { PartBegins } from '../../../model/route-part.ts';
import {
  isPublicPath,
  openedPath,
  routePaths,
  routesBegin,
  scriptFolder,
  type Application,
} from '../application-base.ts';
import { fileLink } from '../discoverer.ts';
import { rawLink } from '../raw-link.ts';
import { scriptAddresses, type ScriptAddress, type ScriptAddresses } from './script-addresses.ts';
import { looksLikeRoute } from '../texts/url-text.ts';

/** Speculative links kept of one script; one that holds more holds data. */
const SCRIPT_LIMIT = 500;
/** Characters read of all inline scripts of one document, and links kept of them. */
const INLINE_LENGTH = 1_000_000;
const INLINE_LIMIT = 500;

/** Facts of the place where a script is loaded, beside its base. */
interface ScriptPlace extends Partial<Pick<Application, 'isBaseSaid' | 'script'>> {
  /** Paths that the page links to. */
  readonly linked?: readonly string[];
  /** URL of the page. */
  readonly pageUrl?: string;
  /** Did another script load it? */
  readonly isLater?: boolean;
  /** Where other scripts say that its lists of routes begin. */
  readonly begins?: PartBegins;
}

/**
 * String literals of a script that parse as URLs or read like routes of the site, and those that it joins from constants: each of
 * low confidence.
 * @param base of the page that loaded the script: they are relative to it; where it keeps its routes behind `#`, so do they
 */
export function scriptLiterals(source: string, base: string, place: ScriptPlace = {}): readonly FoundLink[] {
  const { pageUrl, isLater = false, begins = [] } = place;
  const path = pageUrl === undefined ? null : openedPath(pageUrl, { script: null, ...place, base });
  const page = path === null ? null : { path, isLater, begins };
  return resolved(scriptAddresses(source, false, page), { base, ...place }, SCRIPT_LIMIT).map(({ href, use, acts }) =>
    fileLink(href, base, { kind: acts ? 'request' : 'script', context: contextOf(use), confidence: 'low' }),
  );
}

/**
 * The same for the inline scripts of a document. An address to which one of them sends the browser itself is of high confidence, as in
 * the handlers of its elements.
 */
export function inlineScriptLinks(
  sources: readonly string[],
  place: { readonly base: string; readonly isBaseSaid: boolean },
): readonly RawLink[] {
  const found: ScriptAddress[] = [];
  let left = INLINE_LENGTH;
  for (const source of sources) {
    if (source.length > left || !/["'`]|\/[/*]/.test(source)) continue;
    left -= source.length;
    found.push(...resolved(scriptAddresses(source, true), place, INLINE_LIMIT));
  }
  const kept = USES.flatMap((use) => found.filter((address) => address.use === use)).slice(0, INLINE_LIMIT);
  return kept.map(({ href, use, acts }) => {
    const isSure = use === 'goes' && !acts;
    return rawLink(href, acts ? 'resource' : 'script', isSure ? 'location' : contextOf(use), isSure ? 'high' : 'low');
  });
}

/**
 * Is it a script whose text runs in its document?
 * @param type of the element, lower case @param src its address; null where it has none
 */
export function isInlineProgram(type: string, src: string | null | undefined): boolean {
  return (src ?? null) === null && (type === '' || type === 'module' || /(?:java|ecma|live|j)script/.test(type));
}

const USES = ['goes', 'leads', 'stands', 'written'] as const;

function contextOf(use: ScriptAddress['use']): string {
  return use === 'written' ? 'script comment' : 'literal';
}

/** The addresses with their routes resolved by the application, in their order. */
function resolved(
  { addresses, routerBase }: ScriptAddresses,
  { base, isBaseSaid = false, script = null, linked = [] }: ScriptPlace & { readonly base: string },
  limit: number,
): ScriptAddress[] {
  const hash = /#!?(?=\/)/.exec(base)?.[0] ?? '';
  const application: Application = { base, isBaseSaid, script, router: routerBase };
  const folder = scriptFolder(application);
  const routes = folder === '/' ? [] : addresses.filter(({ isRoute }) => isRoute).map(({ href }) => href);
  const begin = routesBegin(folder, routes, linked);
  const found: ScriptAddress[] = [];
  for (const address of addresses) {
    if (found.length >= limit) break;
    const { href, isRoute, use } = address;
    if ((use === 'stands' || use === 'written') && isPublicPath(href, application)) continue;
    if (hash !== '' && looksLikeRoute(href) && !href.startsWith('#')) found.push({ ...address, href: hash + href });
    else if (!isRoute || !looksLikeRoute(href)) found.push(address);
    else found.push(...routePaths(href, application, begin).map((path) => ({ ...address, href: path })));
  }
  return found;
}
