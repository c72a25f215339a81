/** One exchange as a keeper is told of it: the end once, and nothing after it. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ExchangeKeeper, ExchangeRecording, WireAnswer, WireEnd, WireHeaders, WireRequest } from './exchange.ts';
import type { RawHeaders } from './forwarded-headers.ts';

export class ToldExchange {
  readonly #recording: ExchangeRecording;
  #ended = false;
  /** Has all of the answer come? Whatever happens to the rest of the request then, it was answered. */
  #whole = false;

  private constructor(recording: ExchangeRecording) {
    this.#recording = recording;
  }

  /** @returns null where nobody wants to hear of it */
  static begin(keeper: ExchangeKeeper | null, request: () => WireRequest): ToldExchange | null {
    const recording = keeper?.begin(request()) ?? null;
    return recording === null ? null : new ToldExchange(recording);
  }

  requestBody(chunk: Uint8Array): void {
    if (!this.#ended) this.#recording.requestBody(chunk);
  }

  answered(answer: WireAnswer): void {
    if (!this.#ended) this.#recording.answered(answer);
  }

  body(chunk: Uint8Array): void {
    if (!this.#ended) this.#recording.body(chunk);
  }

  end(how: WireEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#recording.end(this.#whole ? 'complete' : how);
  }

  /** All of an answer of node:http, from its head on; who calls lets it flow in the same turn. */
  hear(answer: IncomingMessage, request: ClientRequest): void {
    this.answered({
      httpVersion: answer.httpVersion === '1.0' ? '1.0' : '1.1',
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      headers: pairsOf(answer.rawHeaders),
      address: answer.socket.remoteAddress ?? null,
    });
    answer.on('data', (chunk: Uint8Array) => this.body(chunk));
    answer.once('end', () => {
      this.#whole = true;
      // a server may answer before it has read all that it is sent
      if (request.destroyed || request.writableFinished) this.end('complete');
      else request.once('close', () => this.end('complete'));
    });
  }
}

/** Headers as node:http gives them, in pairs. */
export function pairsOf(raw: RawHeaders): WireHeaders {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}
