import type { PageRule } from '../../model/audit-rule.ts';
import { requestEnd } from './request-end.ts';

/** Resources that a page needs to work as intended. */
const NEEDED: ReadonlySet<string> = new Set(['script', 'stylesheet']);
/** Requests of scripts. */
const ASKED: ReadonlySet<string> = new Set(['xhr', 'fetch']);

export const failedRequest: PageRule = {
  id: 'failed-request',
  severity: 'warning',
  category: 'behaviour',
  about: 'target',
  needsDetails: true,
  title: 'Part of a page that does not load',
  why: 'The page asks its own site for something that is not there, and shows or does less than it is meant to.',
  fix: 'Put the file where the page looks for it, or take the reference out.',
  source: {
    name: 'RFC 9110, section 15.5: Client Error 4xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5',
  },
  *checkPage({ url, details, failedFrames }) {
    for (const failed of details?.behaviour?.failed.first ?? []) {
      if (failed.party !== 'first' || failedFrames.includes(failed.url)) continue;
      const { type, status, method } = failed;
      const isAsked = ASKED.has(type);
      // an answer to readers who have not signed in
      if (isAsked && status === 401) continue;
      const target = isAsked ? endpointOf(failed.url) : failed.url;
      const isGone = status === 404 || status === 410;
      yield {
        target,
        // names of pictures may look like hashes, and be of different ones
        ...(NEEDED.has(type) ? { isBuilt: true } : {}),
        ...(isGone ? {} : { confidence: 'medium' as const }),
        ...(isGone && NEEDED.has(type) ? { severity: 'error' as const } : {}),
        message: `The page loads ${target} (${type}): ${requestEnd(failed)}`,
        evidence: {
          request: `${method} ${failed.url} ${requestEnd(failed)}`,
          ...(failed.initiator === null ? {} : { chain: [...new Set([url, failed.initiator])] }),
        },
      };
    }
  },
};

/** The address without parameters that hold numbers: clocks and the ids of pages, of which each request may have others. */
function endpointOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return url;
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !/\d/.test(pair.slice(pair.indexOf('=') + 1)));
  return url.slice(0, start) + (kept.length === 0 ? '' : `?${kept.join('&')}`);
}
