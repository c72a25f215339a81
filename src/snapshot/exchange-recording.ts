/**
 * One exchange while it passes the gate: its bodies are held and digested as they come. It ends once, as a finished
 * exchange or as nothing, where no answer came or the disk took no more.
 */
import { createHash, type Hash } from 'node:crypto';
import type { ExchangeRecording, WireAnswer, WireEnd, WireRequest } from '../egress/exchange.ts';
import type { FinishedExchange } from './exchange-records.ts';
import type { BodyStore, GrowingBody, HeldBody } from './held-body.ts';
import { answerHead, headerValue, requestHead } from './http-head.ts';
import type { KnownPayloads } from './known-payloads.ts';
import type { WarcBlock } from './warc-member.ts';
import { digestLabel, type WarcTruncation } from './warc-record.ts';

/** What is asked of the archive that records it. */
export interface RecordingOwner {
  readonly bodies: BodyStore;
  readonly known: KnownPayloads;
  readonly secretHeaders: ReadonlySet<string>;
  /** Called once. @param exchange null where nothing is to be stored; `held` is to be disposed of when it is stored */
  ended(recording: HeldRecording, exchange: FinishedExchange | null, held: readonly HeldBody[]): void;
  /** The disk takes no more. */
  failed(error: unknown): void;
}

/** A side of an exchange: its head, and its body with the digests of it alone and of both. */
class HeldMessage {
  readonly head: Uint8Array;
  readonly body: GrowingBody;
  readonly #block: Hash;
  readonly #payload: Hash = createHash('sha256');

  constructor(head: Uint8Array, body: GrowingBody) {
    this.head = head;
    this.body = body;
    this.#block = createHash('sha256').update(head);
  }

  add(chunk: Uint8Array): void {
    const taken = this.body.add(chunk);
    if (taken.length === 0) return;
    this.#block.update(taken);
    this.#payload.update(taken);
  }

  digests(): { readonly block: string; readonly payload: string } {
    return { block: digestLabel(this.#block.digest('hex')), payload: digestLabel(this.#payload.digest('hex')) };
  }
}

export class HeldRecording implements ExchangeRecording {
  readonly request: WireRequest;
  readonly #owner: RecordingOwner;
  readonly #asked: HeldMessage;
  #answer: { readonly head: WireAnswer; readonly message: HeldMessage } | null = null;
  #isOver = false;

  constructor(request: WireRequest, owner: RecordingOwner) {
    this.request = request;
    this.#owner = owner;
    this.#asked = new HeldMessage(requestHead(request, owner.secretHeaders), owner.bodies.open());
  }

  requestBody(chunk: Uint8Array): void {
    this.#hold(this.#asked, chunk);
  }

  answered(answer: WireAnswer): void {
    this.#answer = { head: answer, message: new HeldMessage(answerHead(answer), this.#owner.bodies.open()) };
  }

  body(chunk: Uint8Array): void {
    if (this.#answer !== null) this.#hold(this.#answer.message, chunk);
  }

  end(how: WireEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const answer = this.#answer;
    const requestBody = this.#asked.body.end();
    if (answer === null) {
      this.#owner.ended(this, null, [requestBody]);
      return;
    }
    const answerBody = answer.message.body.end();
    const { head } = answer;
    const answerDigests = answer.message.digests();
    const truncated = this.#truncation(how, head, answer.message.body);
    const { known } = this.#owner;
    const exchange: FinishedExchange = {
      request: this.request,
      requestHead: this.#asked.head,
      requestBody: { block: blockOf(requestBody), length: requestBody.length },
      requestDigests: this.#asked.digests(),
      answer: head,
      answerHead: answer.message.head,
      answerBody: { block: blockOf(answerBody), length: answerBody.length },
      answerDigests,
      truncated,
      same: truncated === null ? known.same(answerDigests.payload, head.status, answerBody.length) : null,
      unchanged: head.status === 304 ? known.whole(this.request.url) : null,
    };
    this.#owner.ended(this, exchange, [requestBody, answerBody]);
  }

  #hold(message: HeldMessage, chunk: Uint8Array): void {
    if (this.#isOver) return;
    try {
      message.add(chunk);
    } catch (error) {
      this.#isOver = true;
      const held = [this.#asked.body.end(), ...(this.#answer === null ? [] : [this.#answer.message.body.end()])];
      this.#owner.ended(this, null, held);
      this.#owner.failed(error);
    }
  }

  #truncation(how: WireEnd, { headers, status }: WireAnswer, body: GrowingBody): WarcTruncation | null {
    if (body.isCut) return 'length';
    if (how === 'complete') return null;
    // whoever read it hung up when all of it was there
    const length = Number(headerValue(headers, 'content-length') ?? Number.NaN);
    if (length === body.length || this.request.method === 'HEAD' || status === 304 || status === 204) return null;
    return how === 'disconnect' ? 'disconnect' : 'unspecified';
  }
}

function blockOf({ pieces, file }: HeldBody): WarcBlock {
  return { pieces, file, packed: false };
}
