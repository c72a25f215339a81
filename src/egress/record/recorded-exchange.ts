/** Reports one exchange to a recorder: its end once, and nothing after it. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type {
  ExchangeRecorder,
  ExchangeRecording,
  WireAnswer,
  WireEnd,
  WireHeaders,
  WireRequest,
} from '../../model/exchange.ts';
import type { RawHeaders } from '../proxy/forwarded-headers.ts';

export class RecordedExchange {
  readonly #recording: ExchangeRecording;
  readonly #guard: (act: () => void) => void;
  #ended = false;
  /** Has all of the answer come? Then the exchange is complete, even if the rest of the request fails. */
  #whole = false;

  private constructor(recording: ExchangeRecording, guard: (act: () => void) => void) {
    this.#recording = recording;
    this.#guard = guard;
  }

  /**
   * @param guard runs each call of the recorder, and ends the exchange where it throws
   * @returns null where no recorder wants the exchange
   * @throws what the recorder throws in `begin`
   */
  static begin(
    recorder: ExchangeRecorder | null,
    request: () => WireRequest,
    guard: (act: () => void) => void,
  ): RecordedExchange | null {
    const recording = recorder?.begin(request()) ?? null;
    return recording === null ? null : new RecordedExchange(recording, guard);
  }

  requestBody(chunk: Uint8Array): void {
    if (!this.#ended) this.#guard(() => this.#recording.requestBody(chunk));
  }

  answered(answer: WireAnswer): void {
    if (!this.#ended) this.#guard(() => this.#recording.answered(answer));
  }

  body(chunk: Uint8Array): void {
    if (!this.#ended) this.#guard(() => this.#recording.body(chunk));
  }

  end(how: WireEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#guard(() => this.#recording.end(this.#whole ? 'complete' : how));
  }

  /** Records an answer of node:http, from its head on; the caller lets it flow in the same turn. */
  onAnswer(answer: IncomingMessage, request: ClientRequest): void {
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
