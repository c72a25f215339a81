import type { PageRule } from '../../model/audit-rule.ts';

export const relativePreviewAddress: PageRule = {
  id: 'relative-preview-address',
  severity: 'warning',
  category: 'documents',
  about: 'element',
  title: 'Address for previews that is not whole',
  why: 'Networks and messengers that show a preview of a shared page take whole addresses alone: with another one the picture is missing.',
  fix: 'Write the address with its scheme and host: https://example.org/picture.png.',
  source: { name: 'The Open Graph protocol', url: 'https://ogp.me/' },
  *checkPage({ url, relativePreviews }) {
    for (const { name, href, selector, snippet } of relativePreviews)
      yield {
        thing: `${name} ${href}`,
        message: `${name} is ${JSON.stringify(href)}, without its scheme${href.startsWith('//') ? '' : ' and host'}`,
        evidence: { selector, snippet },
        sources: { count: 1, first: [{ url, selector }] },
      };
  },
};
