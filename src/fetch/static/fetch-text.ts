/** Fetches a text that a page would load, without a browser: only an answer that does not depend on a browser. */
import { BROWSER_LANGUAGE } from '../../../browsers/protocol/browser.ts';
import { mebibytes, type Milliseconds } from '../../base/units.ts';
import type { Egress } from '../../egress/egress.ts';
import { meantFor, type UserHeaders } from '../../model/user-headers.ts';
import { fetchBytes } from '../http.ts';

/** Most decoded bytes of a text; a longer one is left to a browser. */
const BYTES = mebibytes(4);

export interface FetchedText {
  readonly text: string;
  /** Final URL, after redirects. */
  readonly url: string;
  /** Media type without parameters, in lower case. */
  readonly contentType: string;
}

interface TextRequest {
  readonly url: string;
  /** The page that would load it: if it is of another origin than the user's headers are meant for, they stay here. */
  readonly page: string;
  readonly accept: string;
  readonly userAgent: string;
  readonly extraHeaders: UserHeaders;
  readonly settleTimeout: Milliseconds;
}

/** Waits for its turn at the host. @returns null where a browser is needed @throws the signal's reason */
export async function fetchText(
  { url, page, accept, userAgent, extraHeaders, settleTimeout }: TextRequest,
  egress: Pick<Egress, 'dispatcher' | 'subresourceTurn'>,
  signal: AbortSignal,
): Promise<FetchedText | null> {
  await egress.subresourceTurn(url, signal);
  const headers = meantFor(page, extraHeaders);
  const request = { url, userAgent, accept, language: BROWSER_LANGUAGE, headers, byteLimit: BYTES };
  const answer = await fetchBytes({ ...request, timeout: settleTimeout, redirects: 'follow-up-to-5' }, egress, signal);
  if (answer.kind !== 'answer' || answer.truncated !== null || answer.status < 200 || answer.status > 299) return null;
  const header = (name: string): string => answer.headers.find(([each]) => each === name)?.[1].toLowerCase() ?? '';
  if (header('set-cookie') !== '' || /charset=(?!\s*"?utf-?8)/.test(header('content-type'))) return null;
  const [contentType = ''] = header('content-type').split(';');
  return { text: new TextDecoder().decode(answer.body), url: answer.finalUrl, contentType: contentType.trim() };
}
