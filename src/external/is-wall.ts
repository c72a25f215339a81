/** Tells whether a server sent the wall of a bot protection, by the words and the form that audits know such pages by. */
import { readDocument } from '../audit/read-document.ts';
import { answerHead } from '../core/answers/judge-answer.ts';
import { hasChallengeHeader } from '../core/external/look.ts';
import { pageVerdict } from '../core/page-verdict/page-verdict.ts';
import type { FetchResult } from '../fetch/http.ts';
import type { NotJudgedReason } from '../model/finding.ts';
import { DEFAULT_URL_POLICY } from '../model/url/canonical-url.ts';

/** Reads a page that is cut as far as it came. */
export function isWall({ status, headers, body, finalUrl: url }: Extract<FetchResult, { kind: 'answer' }>): boolean {
  if (hasChallengeHeader(headers)) return true;
  const { contentType } = answerHead(
    status,
    headers.map(([name, value]) => ({ name, value })),
  );
  if (body.length === 0 || (contentType !== 'text/html' && contentType !== 'application/xhtml+xml')) return false;
  return shownVerdict({ url, html: new TextDecoder().decode(body) }) === 'challenge';
}

/** Is a shown page like others, whatever its status? */
export function shownVerdict({ url, html }: { readonly url: string; readonly html: string }): true | NotJudgedReason {
  const { signs } = readDocument({ html, url, words: null, policy: DEFAULT_URL_POLICY });
  const shown = { isCut: false, timedOut: false, isEmpty: false, signedIn: false, isMarked: false, document: signs };
  return pageVerdict({ url, outcome: 'captured', status: 200, ...shown });
}
