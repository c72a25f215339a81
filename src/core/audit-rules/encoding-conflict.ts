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
    const labels = [...(headerCharset === null ? [] : [headerCharset]), ...charsets];
    // the first label of each: authors find that in their markup
    const declared = new Map(labels.toReversed().map((label) => [encodingName(label), label]));
    if (declared.size < 2) return;
    const names = [...new Set(labels.map(encodingName))];
    yield {
      thing: names.join(' '),
      message: `The encoding is declared as ${names.map((name) => declared.get(name) ?? name).join(' and as ')}`,
      ...(headerCharset === null ? {} : { evidence: { header: `content-type: charset=${headerCharset}` } }),
    };
  },
};

/** One name for all labels of an encoding: `windows-1252` for `iso-8859-1`. */
function encodingName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}
