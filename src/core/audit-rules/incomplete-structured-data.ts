import type { PageRule } from '../../model/audit-rule.ts';

/** Properties that a rich result of the type requires (Google Search Central, structured data reference); `|` where one of several will do. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  BreadcrumbList: ['itemListElement'],
  Course: ['name', 'description'],
  Dataset: ['name', 'description'],
  Event: ['name', 'startDate', 'location'],
  FAQPage: ['mainEntity'],
  JobPosting: ['title', 'description', 'datePosted', 'hiringOrganization'],
  Product: ['name', 'offers|review|aggregateRating'],
  QAPage: ['mainEntity'],
  Recipe: ['name', 'image'],
  Review: ['author', 'itemReviewed', 'reviewRating'],
  SoftwareApplication: ['name'],
  VideoObject: ['name', 'thumbnailUrl|thumbnail', 'uploadDate'],
};

export const incompleteStructuredData: PageRule = {
  id: 'incomplete-structured-data',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Structured data that lacks what its type requires',
  why: 'Search engines show no rich result for a thing without its required properties.',
  fix: 'Add the properties, or remove the thing where there is nothing to say of it.',
  source: {
    name: 'Google Search Central: structured data',
    url: 'https://developers.google.com/search/docs/appearance/structured-data/search-gallery',
  },
  *checkPage({ structured }) {
    const told = new Set<string>();
    for (const { things, selector, snippet } of structured) {
      for (const { types, properties } of things) {
        for (const type of types) {
          const lacking = (REQUIRED[type] ?? []).filter(
            (names) => !names.split('|').some((name) => properties.includes(name)),
          );
          const thing = `${type} ${lacking.join(' ')}`;
          if (lacking.length === 0 || told.has(thing)) continue;
          told.add(thing);
          yield {
            thing,
            message: `${type} lacks ${lacking.join(', ').replaceAll('|', ' or ')}`,
            evidence: { selector, snippet },
          };
        }
      }
    }
  },
};
