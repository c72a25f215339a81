import type { PageRule } from '../../model/audit-rule.ts';
import { secretParameter } from './secret-parameter.ts';

export const secretInUrl: PageRule = {
  id: 'secret-in-url',
  severity: 'warning',
  category: 'security',
  about: 'site',
  title: 'Address that holds a secret',
  why: 'Addresses stand in logs, histories, bookmarks and the referrer, and anyone who sees one can use what is in it.',
  fix: 'Send sessions as cookies, and passwords and tokens in the body of a request.',
  source: {
    name: 'RFC 9110, section 17.9: Disclosure of Sensitive Information in URIs',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-17.9',
  },
  *checkPage({ url, secretLinks }) {
    const own = secretParameter(url);
    if (own !== null)
      yield { thing: own, confidence: 'medium', message: `The address of a page holds a secret: ${own}` };
    const said = new Set<string>();
    for (const { to, selector, text } of secretLinks) {
      const name = secretParameter(to);
      if (name === null || said.has(name)) continue;
      said.add(name);
      yield {
        thing: name,
        confidence: 'medium',
        message: `A link holds a secret in its address: ${name}`,
        evidence: { selector },
        sources: { count: 1, first: [{ url, selector, text }] },
      };
    }
  },
};
