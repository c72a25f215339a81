/**
 * One exchange while it passes the egress gate: its bodies are held as they arrive. It ends once, with a finished exchange, or with nothing if
 * no answer came or the disk was full.
 */
import type { ExchangeRecording, WireAnswer, WireEnd, WireRequest } from '../model/exchange.ts';
import type { FinishedExchange } from './exchange-records.ts';
import type { BodyStore, GrowingBody, HeldBody } from './held-body.ts';
import { HeldMessage } from './held-message.ts';
import { responseHead, headerValue, requestHead } from './http-head.ts';
import type { WarcTruncation } from './warc-record.ts';

/** The archive from a recording's point of view. */
export interface RecordingOwner {
  readonly bodies: BodyStore;
  readonly secretHeaders: ReadonlySet<string>;
  /** Called once. @param exchange null where nothing is to be stored; `held` must be disposed of once it is stored */
  ended(recording: HeldRecording, exchange: FinishedExchange | null, held: readonly HeldBody[]): void;
  /** Called when the disk fails or is full. */
  failed(error: unknown): void;
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
    this.#asked = new HeldMessage(() => requestHead(request, owner.secretHeaders), owner.bodies.open());
  }

  requestBody(chunk: Uint8Array): void {
    this.#hold(this.#asked, chunk);
  }

  answered(answer: WireAnswer): void {
    const { secretHeaders, bodies } = this.#owner;
    this.#answer = { head: answer, message: new HeldMessage(() => responseHead(answer, secretHeaders), bodies.open()) };
  }

  body(chunk: Uint8Array): void {
    if (this.#answer !== null) this.#hold(this.#answer.message, chunk);
  }

  end(how: WireEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const answer = this.#answer;
    const asked = this.#asked.end();
    if (answer === null) {
      this.#owner.ended(this, null, [asked.body]);
      return;
    }
    const answered = answer.message.end();
    const exchange: FinishedExchange = {
      request: this.request,
      asked,
      answer: answer.head,
      answered,
      truncated: this.#truncation(how, answer.head, answer.message.body),
    };
    this.#owner.ended(this, exchange, [asked.body, answered.body]);
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
    // a reader that hung up after the whole body did not cut it
    const length = Number(headerValue(headers, 'content-length') ?? Number.NaN);
    if (length === body.length || this.request.method === 'HEAD' || status === 304 || status === 204) return null;
    return how === 'disconnect' ? 'disconnect' : 'unspecified';
  }
}
