import type { PageRule } from '../../model/audit-rule.ts';
import { stableAddress } from './stable-text.ts';

export const cspViolation: PageRule = {
  id: 'csp-violation',
  severity: 'warning',
  category: 'behaviour',
  about: 'element',
  needsDetails: true,
  title: 'Part of a page that its own policy forbids',
  why: 'The browser does not load or run what the Content-Security-Policy leaves out, so that the part is missing for all readers.',
  fix: 'Allow the part in the policy if it is meant to be there, else take it out of the page.',
  source: { name: 'Content Security Policy Level 3 (W3C)', url: 'https://www.w3.org/TR/CSP3/' },
  *checkPage({ details }) {
    for (const { directive, blocked, reportOnly } of details?.behaviour?.cspViolations.first ?? []) {
      yield {
        thing: `${directive} ${stableAddress(blocked)}`,
        ...(reportOnly ? { severity: 'notice' as const } : {}),
        message: `The policy ${reportOnly ? 'would forbid' : 'forbids'} ${blocked} (${directive})`,
        evidence: { snippet: `${directive}: ${blocked}` },
      };
    }
  },
};
