/**
 * Interface of a recorder of network traffic. The egress gate reports every outgoing request and its answer to it, both from the
 * browser (through the proxy) and from our own HTTP (through the dispatcher). Each is reported once, as on the wire except for the transfer coding.
 *
 * The gate calls the recorder synchronously, between bytes. The recorder copies the data that it needs and returns at once; an exception is
 * a bug. Tunnels that are not opened (the crawl has no authority of its own) and WebSockets are not reported.
 */
import type { EpochMs } from '../base/units.ts';

/** Names as sent, in their order; a name may recur. */
export type WireHeaders = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  /** Absolute, with its scheme; without fragment. */
  readonly url: string;
  readonly method: string;
  /** As sent to the origin, without hop-by-hop headers; transfer coding is removed from body and headers, as in the answer. */
  readonly headers: WireHeaders;
  readonly startedAt: EpochMs;
}

export interface WireAnswer {
  readonly httpVersion: '1.0' | '1.1';
  readonly status: number;
  readonly statusText: string;
  /** As received, with `content-encoding` and without `transfer-encoding`. */
  readonly headers: WireHeaders;
  /** Address of the connection; null where it is unknown, as for our own HTTP. */
  readonly address: string | null;
}

/** End of an answer's body: whole, or cut short by the server or by us. */
export type WireEnd = 'complete' | 'disconnect' | 'cancelled';

/** One exchange in progress. `end` is the last call; without an earlier `answered` there was no answer. */
export interface ExchangeRecording {
  requestBody(chunk: Uint8Array): void;
  answered(answer: WireAnswer): void;
  /** A piece of the answer's body as received: still compressed if it has a content encoding. */
  body(chunk: Uint8Array): void;
  end(how: WireEnd): void;
}

export interface ExchangeRecorder {
  /** @returns null where this exchange is not recorded */
  begin(request: WireRequest): ExchangeRecording | null;
}
