import type { PageRule } from '../../model/audit-rule.ts';

export const imageWithoutAlt: PageRule = {
  id: 'image-without-alt',
  severity: 'error',
  category: 'documents',
  about: 'element',
  title: 'Image without a text alternative',
  why: 'Screen readers read the name of the file, or nothing.',
  fix: 'Give the image an alt attribute that says what it shows; an empty one (alt="") where it is decoration.',
  source: {
    name: 'WCAG 2.2, success criterion 1.1.1: Non-text Content',
    url: 'https://www.w3.org/TR/WCAG22/#non-text-content',
  },
  *checkPage({ url, images }) {
    for (const { src, hasAlternative, selector, snippet } of images) {
      if (hasAlternative) continue;
      yield {
        thing: src,
        message: `The image ${src} has no alt attribute`,
        evidence: { selector, snippet },
        sources: { count: 1, first: [{ url, selector }] },
      };
    }
  },
};
