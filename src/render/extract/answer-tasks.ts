/** Tasks that read the answers to a page's requests: links in data, scripts and sheets. */
import { sourceReferences, type SourceReference } from '../../core/links/markup/dropped-markup.ts';
import { styleLinks } from '../../core/links/markup/element-links.ts';
import { jsonStrings } from '../../core/links/data/json-strings.ts';
import { withoutRequestedData } from '../../core/links/data/requested-data.ts';
import { scriptLiterals } from '../../core/links/scripts/script-literals.ts';
import { isWholeDocument } from '../../core/links/markup/whole-document.ts';
import { mentionedNames } from '../../core/links/scripts/mentioned-names.ts';
import type { FoundLink } from '../../model/link.ts';
import type { PartBegins } from '../../model/route-part.ts';
import type { Task } from '../../offload/task.ts';
import { ANSWER_LINK_LIMIT, SHEET_LINK_LIMIT } from '../limits/reading-limits.ts';
import { bareLink, foundLinkOf } from './found-links.ts';

/** An answer that is no sheet, with the base of its links. */
export interface ReadAnswer {
  readonly text: string;
  readonly name: 'json' | 'script' | 'html';
  readonly base: string;
  readonly url: string;
  /** URLs that the page's scripts asked for. */
  readonly requested: readonly string[];
  /** Does the page's document name its base? */
  readonly isBaseSaid: boolean;
  /** Paths that the page links to. */
  readonly linked: readonly string[];
  readonly pageUrl: string;
  /** Did a script of the page load it? */
  readonly isLater: boolean;
  /** Where other scripts say that its lists of routes begin. */
  readonly begins: PartBegins;
}

export const ANSWER_LINKS: Task<ReadAnswer, readonly FoundLink[]> = { name: 'links of an answer', run: linksIn };

/** The words of a script. */
export const MENTIONED_NAMES: Task<{ readonly text: string; readonly url: string }, readonly string[]> = {
  name: 'words of a script',
  run: ({ text }) => mentionedNames(text),
};

/** The references in the document of a page, as it was received. */
export const DOCUMENT_REFERENCES: Task<{ readonly text: string; readonly url: string }, readonly SourceReference[]> = {
  name: 'references of a document',
  run: ({ text }) => sourceReferences(text),
};

/** The links of a sheet, relative to the sheet itself. */
export const SHEET_LINKS: Task<{ readonly text: string; readonly url: string }, readonly FoundLink[]> = {
  name: 'links of a sheet',
  run: ({ text, url }) =>
    styleLinks(text, 'style')
      .slice(0, SHEET_LINK_LIMIT)
      .map((link) => foundLinkOf(link, { frame: null, base: url, stage: 'load' })),
};

function linksIn({ text, name, ...from }: ReadAnswer): readonly FoundLink[] {
  switch (name) {
    case 'json':
      return withoutRequestedData(jsonStrings(text, from.base), from.requested).slice(0, ANSWER_LINK_LIMIT);
    case 'script':
      return scriptLiterals(text, from.base, { ...from, script: from.url }).slice(0, ANSWER_LINK_LIMIT);
    case 'html':
      return isWholeDocument(text) ? [pageLink(from.url, from.base)] : [];
  }
}

/** The link to a page that a script fetched to show it in place; it may be visited as well. */
function pageLink(url: string, base: string): FoundLink {
  const where = { frame: null, base, stage: 'load' as const };
  return bareLink(url, { kind: 'script', context: 'fetch', confidence: 'low' }, where);
}
