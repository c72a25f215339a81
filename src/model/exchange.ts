/**
 * Who wants to keep what passes the gate: every request that goes out and its answer, whoever sent it (the browser through the
 * proxy, our own HTTP through the dispatcher), each once, as it was on the wire but for its transfer coding.
 *
 * The recorder is called in the flow of the bytes: it copies what it needs and returns at once, and what it throws is a fault of
 * the program. Tunnels that are not opened (no authority was made for the crawl) and WebSockets are not told of.
 */
import type { EpochMs } from '../base/units.ts';

/** Names as they were sent, in their order; a name may recur. */
export type WireHeaders = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  /** Absolute, with its scheme; without fragment. */
  readonly url: string;
  readonly method: string;
  /** As they are sent to the origin, without those of single connections; of a transfer coding the body is freed, as is the answer's. */
  readonly headers: WireHeaders;
  readonly startedAt: EpochMs;
}

export interface WireAnswer {
  readonly httpVersion: '1.0' | '1.1';
  readonly status: number;
  readonly statusText: string;
  /** As received, `content-encoding` included; of `transfer-encoding` the bytes are freed. */
  readonly headers: WireHeaders;
  /** The address that was connected to; null where it is not known, as for our own HTTP. */
  readonly address: string | null;
}

/** How an answer's body ended: whole, or cut short by who. */
export type WireEnd = 'complete' | 'disconnect' | 'cancelled';

/** One exchange on its way. After `end` nothing is called any more; without an `answered` before it no answer came. */
export interface ExchangeRecording {
  requestBody(chunk: Uint8Array): void;
  answered(answer: WireAnswer): void;
  /** Of the answer's body, as received: still packed where it has a content encoding. */
  body(chunk: Uint8Array): void;
  end(how: WireEnd): void;
}

export interface ExchangeRecorder {
  /** @returns null where this exchange is not wanted */
  begin(request: WireRequest): ExchangeRecording | null;
}
