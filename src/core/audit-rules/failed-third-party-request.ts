import type { PageRule } from '../../model/audit-rule.ts';
import { hostOf } from './host-of.ts';
import { requestEnd } from './request-end.ts';

export const failedThirdPartyRequest: PageRule = {
  id: 'failed-third-party-request',
  severity: 'notice',
  category: 'behaviour',
  about: 'site',
  needsDetails: true,
  title: 'Request to another site, or of its script, that fails',
  why: 'A service that the page relies on does not answer; it may treat a crawler otherwise than a reader.',
  fix: 'Take out services that are gone, and look in a browser at those that are not.',
  source: {
    name: 'RFC 9110, section 15.5: Client Error 4xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5',
  },
  *checkPage({ url, details }) {
    for (const failed of details?.behaviour?.failed.first ?? []) {
      if (failed.party === 'first') continue;
      const { type, method, initiator } = failed;
      const address = failed.url.split(/[?#]/, 1)[0] ?? '';
      yield {
        thing: `${hostOf(failed.url)} ${type}`,
        target: failed.url,
        confidence: 'medium',
        message: `A request to ${address} (${type}) fails: ${requestEnd(failed)}`,
        evidence: {
          request: `${method} ${failed.url} ${requestEnd(failed)}`,
          ...(initiator === null ? {} : { chain: [...new Set([url, initiator])] }),
        },
      };
    }
  },
};
