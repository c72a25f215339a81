/** What a finished exchange comes to in the archive: a response or a revisit, and the request that it answers. */
import type { EpochMs } from '../base/units.ts';
import type { WireAnswer, WireRequest } from '../egress/exchange.ts';
import { REVISIT_MIME, type IndexedRecord } from './cdxj-line.ts';
import { headerValue, mediaType } from './http-head.ts';
import type { KnownPayload } from './known-payloads.ts';
import { postQuery, withPostQuery } from './post-query.ts';
import { surt } from './surt.ts';
import { isPacked, type WarcBlock } from './warc-member.ts';
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
  /** Of the block, in bytes. */
  readonly length: number;
  readonly index: IndexedRecord | null;
}

export interface FinishedExchange {
  readonly request: WireRequest;
  readonly requestHead: Uint8Array;
  readonly requestBody: { readonly block: WarcBlock; readonly length: number };
  /** Labelled digests. */
  readonly requestDigests: { readonly block: string; readonly payload: string };
  readonly answer: WireAnswer;
  readonly answerHead: Uint8Array;
  readonly answerBody: { readonly block: WarcBlock; readonly length: number };
  readonly answerDigests: { readonly block: string; readonly payload: string };
  readonly truncated: WarcTruncation | null;
  /** An answer with the same payload that is stored already. */
  readonly same: KnownPayload | null;
  /** Of a 304: the answer that still holds. */
  readonly unchanged: KnownPayload | null;
}

const HTTP_ANSWER = 'application/http; msgtype=response';
const HTTP_REQUEST = 'application/http; msgtype=request';

/** The answer first: readers pair a record with the request that follows it. */
export function exchangeRecords(exchange: FinishedExchange): readonly [PlainRecord, PlainRecord] {
  const { request } = exchange;
  const answerId = newRecordId();
  const address: WarcFields =
    exchange.answer.address === null ? [] : [['WARC-IP-Address', exchange.answer.address.replace(/%.*$/, '')]];
  return [answerRecord(exchange, answerId, address), requestRecord(exchange, request.startedAt, [answerId, address])];
}

function answerRecord(exchange: FinishedExchange, id: string, address: WarcFields): PlainRecord {
  const { request, answer, answerHead, answerBody, answerDigests, truncated } = exchange;
  const revisit = revisitOf(exchange);
  const date = request.startedAt;
  if (revisit !== null) {
    return {
      head: {
        type: 'revisit',
        id,
        date,
        targetUri: request.url,
        contentType: HTTP_ANSWER,
        fields: [...address, ...revisit.fields, ['WARC-Block-Digest', digestOf(answerHead)]],
      },
      block: { pieces: [answerHead], file: null, packed: false },
      length: answerHead.length,
      index: indexed(exchange, { mime: REVISIT_MIME, digest: revisit.digest }),
    };
  }
  const cut: WarcFields = truncated === null ? [] : [['WARC-Truncated', truncated]];
  const digests: WarcFields = [
    ['WARC-Payload-Digest', answerDigests.payload],
    ['WARC-Block-Digest', answerDigests.block],
  ];
  const mime = mediaType(answer.headers);
  const { pieces, file } = answerBody.block;
  return {
    head: {
      type: 'response',
      id,
      date,
      targetUri: request.url,
      contentType: HTTP_ANSWER,
      fields: [...address, ...cut, ...digests],
    },
    block: {
      pieces: [answerHead, ...pieces],
      file,
      packed: isPacked(headerValue(answer.headers, 'content-encoding'), mime),
    },
    length: answerHead.length + answerBody.length,
    index: indexed(exchange, { mime, digest: answerDigests.payload }),
  };
}

/** Null where the answer is stored whole; `digest` is that of the payload that it refers to, where that is known. */
function revisitOf({
  answer,
  answerDigests,
  same,
  unchanged,
}: FinishedExchange): { readonly fields: WarcFields; readonly digest: string | null } | null {
  if (answer.status === 304) {
    const digest = unchanged?.digest ?? null;
    const payload: WarcFields = digest === null ? [] : [['WARC-Payload-Digest', digest]];
    return { fields: [['WARC-Profile', NOT_MODIFIED], ...refersTo(unchanged), ...payload], digest };
  }
  if (same === null) return null;
  const { payload } = answerDigests;
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

function requestRecord(
  { request, requestHead, requestBody, requestDigests }: FinishedExchange,
  date: EpochMs,
  [answerId, address]: readonly [string, WarcFields],
): PlainRecord {
  const { pieces, file, packed } = requestBody.block;
  return {
    head: {
      type: 'request',
      id: newRecordId(),
      date,
      targetUri: request.url,
      contentType: HTTP_REQUEST,
      fields: [
        ['WARC-Concurrent-To', answerId],
        ...address,
        ...(requestBody.length === 0 ? [] : [['WARC-Payload-Digest', requestDigests.payload] as const]),
        ['WARC-Block-Digest', requestDigests.block],
      ],
    },
    block: { pieces: [requestHead, ...pieces], file, packed },
    length: requestHead.length + requestBody.length,
    index: null,
  };
}

function indexed(
  { request, requestBody, answer }: FinishedExchange,
  { mime, digest }: { readonly mime: string | null; readonly digest: string | null },
): IndexedRecord {
  const { url, method, headers, startedAt } = request;
  return {
    ...indexKey({ url, method, contentType: headerValue(headers, 'content-type') }, requestBody.block.pieces),
    date: startedAt,
    url,
    mime,
    status: answer.status,
    digest,
  };
}

/** What is not asked by GET is found by its method and its body, too. */
export function indexKey(
  { url, method, contentType }: { readonly url: string; readonly method: string; readonly contentType: string | null },
  body: readonly Uint8Array[],
): Pick<IndexedRecord, 'urlKey' | 'method' | 'requestBody'> {
  if (method === 'GET') return { urlKey: surt(url) };
  const query = postQuery(Buffer.concat(body), contentType ?? '');
  const whole = withPostQuery(url, method, query);
  return { urlKey: surt(whole), method, ...(query === '' ? {} : { requestBody: query }) };
}
