/**
 * Server faults, by name. A fault handles a request completely: it writes to the response or to its socket as it likes, and the site server
 * closes the connections that a fault leaves open when it is disposed.
 */
import { setTimeout as wait } from 'node:timers/promises';

import type { AnswerHeaders } from '../../../src/site-server/content.ts';
import type { RouteExchange } from '../../../src/site-server/route.ts';

/** The arguments of a fault: the answer that would otherwise have been given. */
interface SpoiltExchange extends RouteExchange {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  /** Milliseconds between two pieces of a slow body. */
  readonly every: number;
}

type Fault = (exchange: SpoiltExchange, signal: AbortSignal) => Promise<void> | void;

/** The number of pieces of a slow body. Arbitrary; with the default of 200 ms it takes 2 s. */
const SLOW_PIECES = 10;

/** The connection is reset (RST) before a byte is sent. */
const reset: Fault = ({ request }) => {
  request.socket.resetAndDestroy();
};

/** The connection is closed in an orderly manner without a byte: Chromium's ERR_EMPTY_RESPONSE. */
const empty: Fault = ({ request }) => {
  request.socket.end();
};

/** The request is accepted and never answered. */
const stall: Fault = () => {};

/** Status, headers and half of the body are sent, then nothing more; the connection stays open. */
const stallBody: Fault = ({ response, status, headers, body }) => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, body.length >> 1));
};

/** Half of the announced body is sent, then the connection ends. */
const truncate: Fault = ({ request, response, status, headers, body }) => {
  response.writeHead(status, { ...headers, 'content-length': Math.max(2, body.length) });
  response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy());
};

/** The whole body is sent, piece by piece. */
const slowBody: Fault = async ({ response, status, headers, body, every }, signal) => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  const size = Math.max(1, Math.ceil(body.length / SLOW_PIECES));
  for (let from = 0; from < body.length; from += size) {
    response.write(body.subarray(from, from + size));
    await wait(every, undefined, { signal });
  }
  response.end();
};

/** The URL redirects to itself, for ever. */
const redirectLoop: Fault = ({ request, response }) => {
  response.writeHead(302, { location: request.url ?? '/', 'content-length': 0 });
  response.end();
};

/** The answer is not HTTP. */
const garbage: Fault = ({ request }) => {
  request.socket.end('\u0000\u0001this is not the protocol you are looking for\r\n\r\n');
};

export const FAULT_NAMES = [
  'reset',
  'empty',
  'stall',
  'stall-body',
  'truncate',
  'slow-body',
  'redirect-loop',
  'garbage',
] as const;
type FaultName = (typeof FAULT_NAMES)[number];

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  reset,
  empty,
  stall,
  'stall-body': stallBody,
  truncate,
  'slow-body': slowBody,
  'redirect-loop': redirectLoop,
  garbage,
};
