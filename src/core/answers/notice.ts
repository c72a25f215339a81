/** The document that comes with a redirect or an error: a notice to a reader, which may say where to go instead. */
import { kibibytes, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';
import { valueOf, type AnswerHead, type Verdict } from './judge-answer.ts';

/** Bytes read of it: notices are short, and the rest of a long one is the site's frame. Arbitrary. */
export const NOTICE_LIMIT: Bytes = kibibytes(64);
/** Real time limit for reading it; the rest is ignored. Arbitrary. */
export const NOTICE_TIME: Milliseconds = seconds(3);

/** Does the answer carry a document that is worth reading? */
export function hasNotice({ headers, contentType }: AnswerHead, verdict: Verdict): boolean {
  if (verdict.kind !== 'redirected' && verdict.kind !== 'http-error') return false;
  const isMarkup = contentType === 'text/html' || contentType === 'application/xhtml+xml';
  return isMarkup && valueOf(headers, 'content-length') !== '0';
}
