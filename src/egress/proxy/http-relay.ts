/**
 * Passes one HTTP request on to its origin and the answer back, as a stream: only the headers of the connection itself are changed, the
 * escapes of a Location, and with a recorder the accepted codings; nothing is kept or decoded. Any failure of either side ends in an answer or in a closed socket.
 */
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { kibibytes } from '../../base/units.ts';
import type { ExchangeRecorder } from '../../model/exchange.ts';
import { EgressError } from '../egress-error.ts';
import type { EgressFailure } from '../egress.ts';
import type { GuardedAgent } from '../gate/guarded-agent.ts';
import { detailOf, errorCodeOf, networkFailureOf } from '../network-failure.ts';
import { pairsOf, RecordedExchange } from '../record/recorded-exchange.ts';
import { fieldText, whyUnfit } from './answer-head.ts';
import type { ArrivingAnswers } from './arriving-answers.ts';
import type { FaultGuard } from './fault-guard.ts';
import { answerHeaders, archivableHeaders, requestHeaders } from './forwarded-headers.ts';
import { badRequest, FAULT, replyTo, sendReply } from './proxy-reply.ts';
import type { RequestTarget } from './request-target.ts';

/** Chromium takes 256 KiB, sane servers send 2 (design/reliability, "Answers of servers"). */
export const HEADER_LIMIT: number = kibibytes(64);
/** Interim answers (103 and others) before the final one (design/reliability, "Answers of servers"). */
export const INTERIM_LIMIT = 20;

/** Methods to which node adds no length by itself. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE']);
/** Methods that may be sent again after a kept connection turned out to be dead: they change nothing, and have no body here. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface RelayAgents {
  /** Keeps connections. */
  readonly pool: GuardedAgent;
  /** A new connection for each request. */
  readonly fresh: GuardedAgent;
}

export interface Relay {
  readonly http: RelayAgents;
  /** Agents whose connections are TLS, to verified origins. */
  readonly https: RelayAgents;
  /** Called for every failure that the client's page will not see in full. */
  readonly remember: (target: RequestTarget, failure: EgressFailure) => void;
  /** Answers on their way to a browser. */
  readonly arriving: ArrivingAnswers;
  /** Receives each exchange; null for none. */
  readonly recorder: ExchangeRecorder | null;
  readonly clock: Clock;
  /** Wraps every callback of node. */
  readonly guard: FaultGuard;
}

interface Asked {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
}

interface Exchange extends Asked {
  /** Headers that are sent. */
  readonly headers: readonly string[];
  readonly recorded: RecordedExchange | null;
}

/** @throws what a recorder throws */
export function relay(exchange: Asked, way: Relay): void {
  const { incoming, response, target } = exchange;
  const method = incoming.method ?? 'GET';
  const url = `${target.scheme}://${target.authority}${target.path}`;
  way.arriving.begin(url, response);
  const asked = requestHeaders(incoming.rawHeaders, target.authority, !BODILESS.has(method));
  const headers = way.recorder === null ? asked : archivableHeaders(asked);
  const recorded = RecordedExchange.begin(
    way.recorder,
    () => ({
      url,
      method,
      headers: pairsOf(headers).filter(([name]) => name !== 'Transfer-Encoding'),
      startedAt: way.clock.now(),
    }),
    (act) => way.guard(act, () => sendReply(response, FAULT)),
  );
  if (recorded !== null && hasBody(incoming)) incoming.on('data', (chunk: Uint8Array) => recorded.requestBody(chunk));
  send({ ...exchange, headers, recorded }, way, way[target.scheme].pool);
}

function send(exchange: Exchange, way: Relay, agent: GuardedAgent): void {
  const { incoming, response, target, recorded } = exchange;
  const outgoing = openRequest(exchange, agent);
  if (outgoing === null) {
    recorded?.end('cancelled');
    sendReply(response, badRequest('the request cannot be sent on'));
    return;
  }
  const giveUp = (): void => {
    if (response.writableFinished) return;
    recorded?.end('cancelled');
    outgoing.destroy();
  };
  let begun: IncomingMessage | null = null;
  const fail = (failure: EgressFailure): void => {
    begun?.unpipe(response); // node takes a reset for the end of a body that has no length
    if (begun !== null && response.headersSent) passReceived(begun, response);
    recorded?.end('disconnect');
    way.remember(target, failure);
    if (!response.headersSent) return sendReply(response, replyTo(failure));
    cutShort(response);
  };
  let isOver = false;
  const guarded = (act: () => void): void =>
    way.guard(act, () => {
      outgoing.destroy();
      sendReply(response, FAULT);
    });
  response.once('close', giveUp);
  let interim = 0;
  outgoing.on('information', () => {
    interim += 1;
    if (interim > INTERIM_LIMIT) outgoing.destroy(badAnswer(`more than ${INTERIM_LIMIT} interim answers`));
  });
  outgoing.once('response', (answer) => {
    if (outgoing.destroyed) return; // it was given up for what came before in the same packet
    isOver = true;
    begun = answer;
    guarded(() => passOn(answer, outgoing, exchange));
  });
  // no client asked for an upgrade here: such requests are joined to their origin as bytes (proxied-requests.ts)
  outgoing.once('upgrade', (_answer, socket) => {
    isOver = true;
    socket.destroy();
    guarded(() => fail(badAnswer('the server changed to another protocol').failure));
  });
  outgoing.on('error', (error) => {
    isOver = true;
    if (response.destroyed) return; // the client has gone
    // bytes after a whole answer, as of a Content-Length that is too short, are not of it: browsers leave them, too
    if (begun?.complete === true && !(error instanceof EgressError)) return;
    if (
      outgoing.reusedSocket &&
      errorCodeOf(error) === 'ECONNRESET' &&
      isRepeatable(incoming) &&
      !response.headersSent
    ) {
      response.removeListener('close', giveUp);
      guarded(() => send(exchange, way, way[target.scheme].fresh));
      return;
    }
    guarded(() => fail(failureOf(error)));
  });
  outgoing.once('close', () => {
    if (!isOver)
      guarded(() =>
        fail({ kind: 'failed', failure: 'reset', detail: 'the server closed the connection without an answer' }),
      );
  });
  if (hasBody(incoming)) sendBody(incoming, outgoing);
  else outgoing.end();
}

/** A server may answer, and even close, before it has read the whole body: the rest of it is still read from the client. */
function sendBody(incoming: IncomingMessage, outgoing: ClientRequest): void {
  const { socket } = incoming;
  // node does not pass `drain` on any more once the answer is whole
  const drained = (): void => {
    if (outgoing.writableNeedDrain) outgoing.emit('drain');
  };
  const gone = (): void => void outgoing.destroy();
  outgoing.once('socket', (connection) => void connection.on('drain', drained));
  // nor does node report the client's end to a request that is answered
  socket.once('close', gone);
  outgoing.once('close', () => {
    socket.removeListener('close', gone);
    outgoing.socket?.removeListener('drain', drained);
    incoming.unpipe(outgoing).resume();
  });
  incoming.pipe(outgoing);
}

function openRequest({ incoming, target, headers }: Exchange, agent: GuardedAgent): ClientRequest | null {
  try {
    const outgoing = request({
      agent,
      host: target.hostName,
      port: target.port,
      method: incoming.method ?? 'GET',
      path: target.path,
      headers,
      maxHeaderSize: HEADER_LIMIT,
      insecureHTTPParser: true, // heads that browsers read (egress/gate/lenient-parser.ts); whyUnfit refuses what is unsafe
      setHost: false,
    });
    outgoing.maxHeadersCount = 0; // node leaves out what exceeds 2,000; the size is limited
    return outgoing;
  } catch {
    return null; // a method, path or header that node does not write
  }
}

function passOn(answer: IncomingMessage, outgoing: ClientRequest, { response, recorded }: Exchange): void {
  answer.on('error', () => {
    recorded?.end('disconnect');
    cutShort(response);
  });
  const unfit = whyUnfit(answer);
  if (unfit !== null) {
    outgoing.destroy(badAnswer(unfit));
    return;
  }
  const headers = answerHeaders(answer.rawHeaders).map(fieldText);
  try {
    response.writeHead(answer.statusCode ?? 502, fieldText(answer.statusMessage ?? ''), headers);
  } catch (error) {
    outgoing.destroy(badAnswer(detailOf(error)));
    return;
  }
  recorded?.onAnswer(answer, outgoing);
  answer.pipe(response);
}

/** Passes on what was received, and not yet read, of an answer that broke off: it may have come in one packet with the fault. */
function passReceived(answer: IncomingMessage, response: ServerResponse): void {
  for (let part: unknown = answer.read(); part instanceof Uint8Array; part = answer.read()) response.write(part);
}

/** Ends an answer within its body, so that the client sees that it is not whole. The part that was received is sent before. */
function cutShort(response: ServerResponse): void {
  if (response.destroyed || !response.headersSent) return;
  response.flushHeaders();
  setImmediate(() => response.destroy()); // data written leaves with this turn of the loop
}

export function badAnswer(detail: string): EgressError {
  return new EgressError({ kind: 'failed', failure: 'bad-response', detail });
}

function failureOf(error: Error): EgressFailure {
  if (error instanceof EgressError) return error.failure;
  return { kind: 'failed', failure: networkFailureOf(error), detail: detailOf(error) };
}

function hasBody(incoming: IncomingMessage): boolean {
  const length = incoming.headers['content-length'];
  return incoming.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function isRepeatable(incoming: IncomingMessage): boolean {
  return REPEATABLE.has(incoming.method ?? '') && !hasBody(incoming);
}
