/** Links from an answer without a page: in its headers, and in the document sent with it. */
import { decodeDocument } from '../core/html/encoding.ts';
import { headerLinks } from '../core/links/data/header.ts';
import { noticeLinks } from '../core/links/data/notice-links.ts';
import { pageRobots } from '../core/robots/page-robots.ts';
import type { FoundLink } from '../model/link.ts';
import { declaredTypeOf } from '../model/media-type.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Answer, FileBody } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { outgoingLinks } from './outgoing-links.ts';
import type { PageProcessing } from './process-page.ts';

/**
 * All are speculative links, because the document was not asked for. The answer to a guessed address is not read: answers to
 * wrong guesses would create more guesses, without end.
 */
export async function linksOfNotice(
  visit: Visit,
  { answer, body }: { readonly answer: Answer; readonly body?: FileBody },
  what: 'redirect' | 'error',
  processing: PageProcessing,
): Promise<readonly CommittedLink[]> {
  if (visit.confidence === 'low') return [];
  const { headers } = answer;
  const html = body === undefined ? '' : decodeDocument(body.bytes, declaredTypeOf(headers)).text;
  const found = [...headerLinks(headers, visit.url), ...noticeLinks(html, visit.url, what)].map(asGuess);
  const pageNofollow = pageRobots([], headers, processing.robotsAgent).nofollow;
  return outgoingLinks(visit, found, { ...processing, page: visit.url, pageNofollow });
}

function asGuess(foundLink: FoundLink): FoundLink {
  return { ...foundLink, confidence: 'low' };
}
