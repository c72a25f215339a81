/** Processes a redirect: its record, and its target as a link. */
import { parsedUrl } from '../base/parsed-url.ts';
import type { FoundLink } from '../model/link.ts';
import type { PageRecord } from '../model/record.ts';
import {
  canonicalise,
  withAllParameters,
  type CanonicalisedUrl,
  type CanonicalUrl,
  type UrlPolicy,
} from '../model/url/canonical-url.ts';
import { hostWithPortOf } from '../model/url/host-key.ts';
import type { VisitCommit } from '../model/visit-commit.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { linksOfNotice } from './notice.ts';
import { outgoingLinks } from './outgoing-links.ts';
import { redirectRecord } from './page-record.ts';
import { countLinks, type PageProcessing } from './process-page.ts';
import { isSeedVisit, withNewSeeds } from './seed-visit.ts';

interface ProcessedRedirect extends Pick<VisitCommit, 'links' | 'newSeeds'> {
  readonly record: PageRecord;
}

/** The target of a redirect is visited separately, under its own host's rules; a seed's target counts as a seed. */
export async function processRedirect(
  visit: Visit,
  outcome: Extract<VisitOutcome, { kind: 'redirected' }>,
  options: PageProcessing,
): Promise<ProcessedRedirect> {
  const { answer, location } = outcome;
  const { policy, target, resolved } = redirectTarget(visit, location, options);
  const place = options.sitemaps.placeOf(visit.url);
  const seedTarget = target.kind === 'canonical' && isSeedVisit(visit, options.sitemaps) ? [target.url] : [];
  if (target.kind === 'canonical' && place !== null) {
    const hosts = place.hosts === null ? null : [...place.hosts, hostWithPortOf(target.url)];
    options.sitemaps.note(target.url, { ...place, hosts });
  }
  const foundLink: FoundLink = {
    href: location,
    base: visit.url,
    resolved,
    kind: 'redirect',
    confidence: visit.confidence, // a redirected speculative link proves nothing: its target takes over the role
    context: `${answer.status} Location`,
    stage: 'load',
    frame: null,
    text: '',
    rel: [],
  };
  const widened = withNewSeeds(options, seedTarget);
  const judgement = { ...widened, page: visit.url, pageNofollow: false, urlPolicy: policy };
  const ways = await outgoingLinks(visit, [foundLink], judgement);
  const finalUrl = target.kind === 'canonical' ? target.url : location;
  // most documents repeat the target
  const others = (await linksOfNotice(visit, outcome, 'redirect', widened)).filter(
    ({ record }) => record.to !== finalUrl,
  );
  const links = [...ways, ...others];
  return { record: redirectRecord(visit, answer, finalUrl, countLinks(links)), links, newSeeds: seedTarget };
}

interface RedirectTarget {
  readonly policy: UrlPolicy;
  readonly target: CanonicalisedUrl;
  /** The address with the route that the browser keeps; null where it keeps none. */
  readonly resolved: string | null;
}

/**
 * Target of the redirect. A server that sends `/a` to `/a?sid=1` serves no page without the parameter: there the parameters stay, else the
 * target would be taken for the known page.
 */
function redirectTarget(visit: Visit, location: string, { urlPolicy }: PageProcessing): RedirectTarget {
  const resolved = withRouteOf(visit.url, location);
  const read = (parameters: UrlPolicy): RedirectTarget => {
    const policy = resolved === null ? parameters : { ...parameters, keepFragment: true };
    return { policy, target: canonicalise(resolved ?? location, visit.url, policy), resolved };
  };
  const usual = read(urlPolicy);
  if (usual.target.kind !== 'canonical' || usual.target.url !== visit.url) return usual;
  return read(withAllParameters(urlPolicy));
}

/**
 * The target with the fragment of the address that was asked for: browsers keep it where the server gives none (Fetch Standard, "location
 * URL"). So `/app#/users` leads to `/app/#/users`. Null where there is none to keep; the start of a router, `#/`, is the page itself.
 */
function withRouteOf(url: CanonicalUrl, location: string): string | null {
  const [, fragment = ''] = /#(.*)$/s.exec(url) ?? [];
  if (/^!?\/?$/.test(fragment) || location.includes('#')) return null;
  const target = parsedUrl(location, url);
  return target === null ? null : `${target.href}#${fragment}`;
}
