import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { FetchedDocument } from '../../core/answers/fetched-document.ts';

/**
 * Headers that describe the body as it came over the wire (the body that is passed on is decoded), and the one for which the browser would
 * ask once more, with hints about itself (Client Hints Reliability, section 3).
 */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'critical-ch',
]);

/** Answers a paused request in the server's place; the navigation says where that failed. */
export function fulfilRequest(
  session: DevToolsSession,
  requestId: string,
  { head, body }: Pick<FetchedDocument, 'head' | 'body'>,
): void {
  const headers = head.headers.filter(([name]) => !NOT_PASSED.has(name));
  session
    .send('Fetch.fulfillRequest', {
      requestId,
      responseCode: head.status,
      responseHeaders: headers.map(([name, value]) => ({ name, value })),
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    })
    .catch(() => {}); // the navigation says that it failed
}
