import type { PageRule } from '../../model/audit-rule.ts';

export const formOverHttp: PageRule = {
  id: 'form-over-http',
  severity: 'warning',
  category: 'security',
  about: 'element',
  alsoOn: ['log-in-page', 'signed-out'],
  title: 'Form that sends without encryption',
  why: 'What readers type can be read and changed on its way; browsers warn of it.',
  fix: 'Let the form send to an https address.',
  source: { name: 'Mixed Content (W3C), forms', url: 'https://www.w3.org/TR/mixed-content/' },
  *checkPage({ url, insecureForms, isFromServer, upgradesRequests }) {
    for (const { action, asksPassword, selector, snippet } of insecureForms) {
      const isSecure = url.startsWith('https:');
      if (isSecure && upgradesRequests) continue;
      // a page over http that sends to itself is no worse than the page
      if (!isSecure && !(asksPassword && isFromServer)) continue;
      yield {
        thing: action,
        target: action,
        ...(asksPassword ? { severity: 'error' as const } : {}),
        message: `A form ${asksPassword ? 'that asks for a password ' : ''}sends to ${action}`,
        evidence: { selector, snippet },
        sources: { count: 1, first: [{ url, selector }] },
      };
    }
  },
};
