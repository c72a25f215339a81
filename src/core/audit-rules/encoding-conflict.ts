import type { PageRule } from '../../model/audit-rule.ts';

export const encodingConflict: PageRule = {
  id: 'encoding-conflict',
  severity: 'warning',
  category: 'documents',
  about: 'layout',
  title: 'Page whose encoding is declared in two ways',
  why: 'The server’s word counts, then the first one in the markup: a program that reads the page by the other sees wrong letters.',
  fix: 'Declare utf-8 once in the Content-Type header and once in the markup, and save the page so.',
  source: {
    name: 'HTML Standard, determining the character encoding',
    url: 'https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding',
  },
  *checkPage({ charsets, headerCharset }) {
    const declared = [...new Set([...(headerCharset === null ? [] : [headerCharset]), ...charsets])];
    if (declared.length < 2) return;
    yield {
      thing: declared.join(' '),
      message: `The encoding is declared as ${declared.join(' and as ')}`,
      ...(headerCharset === null ? {} : { evidence: { header: `content-type: charset=${headerCharset}` } }),
    };
  },
};
