import { canonicalise, withAllParameters, type UrlPolicy } from '../model/url/canonical-url.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';

/**
 * Does the server set a cookie and send the visitor to the very address that was asked for? With the cookie it may answer, so that another try is
 * worth its request.
 * @returns false also after the last try
 */
export function mayComeWithCookie(
  { url, attempt }: Visit,
  { answer, location }: Extract<VisitOutcome, { kind: 'redirected' }>,
  { retries, urlPolicy }: { readonly retries: number; readonly urlPolicy: UrlPolicy },
): boolean {
  if (attempt > retries || !answer.headers.some(([name]) => name === 'set-cookie')) return false;
  const target = canonicalise(location, url, withAllParameters(urlPolicy));
  return target.kind === 'canonical' && target.url === url;
}
