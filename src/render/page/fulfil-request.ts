import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { FetchedDocument } from '../../core/answers/fetched-document.ts';

/** Headers that describe the body as it came over the wire; the body that is passed on is decoded. */
const OF_THE_TRANSFER: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** Answers a paused request in the server's place; the navigation says where that failed. */
export function fulfilRequest(
  session: DevToolsSession,
  requestId: string,
  { head, body }: Pick<FetchedDocument, 'head' | 'body'>,
): void {
  const headers = head.headers.filter(([name]) => !OF_THE_TRANSFER.has(name));
  session
    .send('Fetch.fulfillRequest', {
      requestId,
      responseCode: head.status,
      responseHeaders: headers.map(([name, value]) => ({ name, value })),
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    })
    .catch(() => {}); // the navigation says that it failed
}
