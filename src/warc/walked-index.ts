/** The index line of a record that was walked over. */
import { REVISIT_MIME, type IndexedRecord } from './cdxj-line.ts';
import { indexKey } from './exchange-records.ts';
import { dateOf, fieldOf, parseAnswer, parseHead, statusOf, uriOf } from './warc-parse.ts';
import type { WalkedRecord } from './warc-walk.ts';

/** The field with the address that a record is about. */
export const TARGET = 'warc-target-uri';

/**
 * What the index has of a record; null where it has nothing: only answers, files and references to answers are looked up.
 * @param other a record beside it, which may be its request
 */
export function walkedIndex({ record, bytes }: WalkedRecord, other: WalkedRecord | null): IndexedRecord | null {
  const { head, type } = record;
  const url = uriOf(head, TARGET);
  const date = dateOf(head, 'warc-date');
  if (url === null || date === null) return null;
  const digest = fieldOf(head, 'warc-payload-digest');
  const common = { url, date, digest };
  if (type === 'resource')
    return { ...common, ...indexKey(get(url), []), mime: mimeOf(fieldOf(head, 'content-type')), status: null };
  if (type !== 'response' && type !== 'revisit') return null;
  const http = type === 'response' ? parseAnswer(record, bytes, head.end) : parseHead(bytes, head.end, 'latin1');
  if (http === null) return null;
  const mime = type === 'revisit' ? REVISIT_MIME : mimeOf(fieldOf(http, 'content-type'));
  return { ...common, ...keyWith(url, other), mime, status: statusOf(http) };
}

function keyWith(url: string, other: WalkedRecord | null): Pick<IndexedRecord, 'urlKey' | 'method' | 'requestBody'> {
  if (other?.record.type !== 'request' || uriOf(other.record.head, TARGET) !== url) return indexKey(get(url), []);
  const { record, bytes } = other;
  const http = parseHead(bytes, record.head.end, 'latin1');
  if (http === null) return indexKey(get(url), []);
  const method = http.start.split(' ', 1)[0] ?? 'GET';
  const body = bytes.subarray(http.end, record.head.end + record.length);
  return indexKey({ url, method, contentType: fieldOf(http, 'content-type') }, [body]);
}

function get(url: string): { readonly url: string; readonly method: string; readonly contentType: null } {
  return { url, method: 'GET', contentType: null };
}

function mimeOf(contentType: string | null): string | null {
  const media = contentType?.split(';', 1)[0]?.trim() ?? '';
  return media === '' ? null : media;
}
