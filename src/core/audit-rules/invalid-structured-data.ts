import type { PageRule } from '../../model/audit-rule.ts';

export const invalidStructuredData: PageRule = {
  id: 'invalid-structured-data',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Structured data that does not parse',
  why: 'Search engines ignore the whole block, so that it is there for nothing.',
  fix: 'Mend the JSON: a comma too many, a line break or a quotation mark inside of a text are the usual faults.',
  source: { name: 'JSON-LD 1.1 (W3C)', url: 'https://www.w3.org/TR/json-ld11/' },
  *checkPage({ structured }) {
    for (const [index, { fault, selector, snippet }] of structured.filter((block) => block.fault !== null).entries()) {
      yield {
        thing: index === 0 ? '' : String(index),
        message: `A block of JSON-LD does not parse: ${fault ?? ''}`,
        evidence: { selector, snippet },
      };
    }
  },
};
