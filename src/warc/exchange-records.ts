/** Creates the records of a finished exchange: a response or a revisit, and the request. */
import type { WireAnswer, WireRequest } from '../model/exchange.ts';
import { REVISIT_MIME, type IndexedRecord } from './cdxj-line.ts';
import type { WholeMessage } from './held-message.ts';
import { headerValue, mediaType } from './http-head.ts';
import type { KnownPayload } from './known-payloads.ts';
import { postQuery, withPostQuery } from './post-query.ts';
import { surt } from './surt.ts';
import { isGzip, type WarcBlock } from './warc-member.ts';
import {
  digestOf,
  IDENTICAL_PAYLOAD,
  newRecordId,
  NOT_MODIFIED,
  warcDate,
  type WarcFields,
  type WarcHead,
  type WarcTruncation,
} from './warc-record.ts';

/** A record before it is packed. */
export interface PlainRecord {
  readonly head: WarcHead;
  readonly block: WarcBlock;
  /** Length of the block in bytes. */
  readonly length: number;
  readonly index: IndexedRecord | null;
}

export interface FinishedExchange {
  readonly request: WireRequest;
  readonly asked: WholeMessage;
  readonly answer: WireAnswer;
  readonly answered: WholeMessage;
  readonly truncated: WarcTruncation | null;
}

/** Known answers of which this payload is a repetition. */
interface Precedents {
  /** A stored answer with the same payload. */
  readonly same: KnownPayload | null;
  /** For a 304: the answer that is still valid. */
  readonly unchanged: KnownPayload | null;
}

const HTTP_ANSWER = 'application/http; msgtype=response';
const HTTP_REQUEST = 'application/http; msgtype=request';

/** The two records, the answer first: readers pair a record with the request that follows it. */
export function exchangeRecords(
  exchange: FinishedExchange,
  precedents: Precedents,
): readonly [PlainRecord, PlainRecord] {
  const answerId = newRecordId();
  const address: WarcFields =
    exchange.answer.address === null ? [] : [['WARC-IP-Address', exchange.answer.address.replace(/%.*$/, '')]];
  const revisit = revisitOf(exchange, precedents);
  return [
    revisit === null
      ? answerRecord(exchange, answerId, address)
      : revisitRecord(exchange, revisit, [answerId, address]),
    requestRecord(exchange, answerId, address),
  ];
}

function answerRecord(exchange: FinishedExchange, id: string, address: WarcFields): PlainRecord {
  const { request, answer, answered, truncated } = exchange;
  const cut: WarcFields = truncated === null ? [] : [['WARC-Truncated', truncated]];
  const digest = answered.digests.payload();
  const mime = mediaType(answer.headers);
  const head = answered.head();
  const { pieces, file, length } = answered.body;
  return {
    head: {
      type: 'response',
      id,
      date: request.startedAt,
      targetUri: request.url,
      contentType: HTTP_ANSWER,
      fields: [...address, ...cut, ['WARC-Payload-Digest', digest], ['WARC-Block-Digest', answered.digests.block()]],
    },
    block: {
      pieces: [head, ...pieces],
      file,
      packed: isGzip(headerValue(answer.headers, 'content-encoding'), mime),
    },
    length: head.length + length,
    index: indexed(exchange, { mime, digest }),
  };
}

interface Revisit {
  readonly fields: WarcFields;
  /** Digest of the payload that it refers to; null where that is not known. */
  readonly digest: string | null;
}

function revisitRecord(
  exchange: FinishedExchange,
  { fields, digest }: Revisit,
  [id, address]: readonly [string, WarcFields],
): PlainRecord {
  const { request, answered } = exchange;
  const head = answered.head();
  return {
    head: {
      type: 'revisit',
      id,
      date: request.startedAt,
      targetUri: request.url,
      contentType: HTTP_ANSWER,
      fields: [...address, ...fields, ['WARC-Block-Digest', digestOf([head])]],
    },
    block: { pieces: [head], file: null, packed: false },
    length: head.length,
    index: indexed(exchange, { mime: REVISIT_MIME, digest }),
  };
}

/** The revisit of an earlier answer; null where the answer is stored whole. */
function revisitOf({ answer, answered }: FinishedExchange, { same, unchanged }: Precedents): Revisit | null {
  if (answer.status === 304) {
    const digest = unchanged?.digest ?? null;
    const payload: WarcFields = digest === null ? [] : [['WARC-Payload-Digest', digest]];
    return { fields: [['WARC-Profile', NOT_MODIFIED], ...refersTo(unchanged), ...payload], digest };
  }
  if (same === null) return null;
  const payload = answered.digests.payload();
  return {
    fields: [['WARC-Profile', IDENTICAL_PAYLOAD], ...refersTo(same), ['WARC-Payload-Digest', payload]],
    digest: payload,
  };
}

function refersTo(known: KnownPayload | null): WarcFields {
  if (known === null) return [];
  return [
    ['WARC-Refers-To-Target-URI', known.url],
    ['WARC-Refers-To-Date', warcDate(known.date)],
  ];
}

function requestRecord({ request, asked }: FinishedExchange, answerId: string, address: WarcFields): PlainRecord {
  const head = asked.head();
  const { pieces, file, length } = asked.body;
  return {
    head: {
      type: 'request',
      id: newRecordId(),
      date: request.startedAt,
      targetUri: request.url,
      contentType: HTTP_REQUEST,
      fields: [
        ['WARC-Concurrent-To', answerId],
        ...address,
        ...(length === 0 ? [] : [['WARC-Payload-Digest', asked.digests.payload()] as const]),
        ['WARC-Block-Digest', asked.digests.block()],
      ],
    },
    block: { pieces: [head, ...pieces], file, packed: false },
    length: head.length + length,
    index: null,
  };
}

function indexed(
  { request, asked, answer }: FinishedExchange,
  { mime, digest }: { readonly mime: string | null; readonly digest: string | null },
): IndexedRecord {
  const { url, method, headers, startedAt } = request;
  return {
    ...indexKey({ url, method, contentType: headerValue(headers, 'content-type') }, asked.body.pieces),
    date: startedAt,
    url,
    mime,
    status: answer.status,
    digest,
  };
}

/** Index key of a request: methods other than GET add the method and the body. */
export function indexKey(
  { url, method, contentType }: { readonly url: string; readonly method: string; readonly contentType: string | null },
  body: readonly Uint8Array[],
): Pick<IndexedRecord, 'urlKey' | 'method' | 'requestBody'> {
  if (method === 'GET') return { urlKey: surt(url) };
  const query = postQuery(Buffer.concat(body), contentType ?? '');
  const whole = withPostQuery(url, method, query);
  return { urlKey: surt(whole), method, ...(query === '' ? {} : { requestBody: query }) };
}
