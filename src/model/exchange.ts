/**
 * The interface of a recorder of network traffic. The egress gate reports to it every outgoing request and its answer, from the
 * browser (through the proxy) and from our own HTTP (through the dispatcher), each once, as on the wire but for the transfer coding.
 *
 * The gate calls the recorder synchronously, between bytes: it copies what it needs and returns at once, and an exception is a fault of
 * the program. Tunnels that are not opened (the crawl has no authority of its own) and WebSockets are not reported.
 */
import type { EpochMs } from '../base/units.ts';

/** Names as they were sent, in their order; a name may recur. */
export type WireHeaders = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  /** Absolute, with its scheme; without fragment. */
  readonly url: string;
  readonly method: string;
  /** As sent to the origin, without hop-by-hop headers; body and headers are freed of a transfer coding, as are the answer's. */
  readonly headers: WireHeaders;
  readonly startedAt: EpochMs;
}

export interface WireAnswer {
  readonly httpVersion: '1.0' | '1.1';
  readonly status: number;
  readonly statusText: string;
  /** As received, `content-encoding` included; freed of `transfer-encoding`. */
  readonly headers: WireHeaders;
  /** The address that was connected to; null where it is not known, as for our own HTTP. */
  readonly address: string | null;
}

/** How an answer's body ended: whole, or cut short by the server or by us. */
export type WireEnd = 'complete' | 'disconnect' | 'cancelled';

/** One exchange under way. `end` is the last call; if `answered` did not come before it, there was no answer. */
export interface ExchangeRecording {
  requestBody(chunk: Uint8Array): void;
  answered(answer: WireAnswer): void;
  /** A piece of the answer's body, as received: still compressed where it has a content encoding. */
  body(chunk: Uint8Array): void;
  end(how: WireEnd): void;
}

export interface ExchangeRecorder {
  /** @returns null where this exchange is not wanted */
  begin(request: WireRequest): ExchangeRecording | null;
}
