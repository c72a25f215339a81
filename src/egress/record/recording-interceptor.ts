/** Reports our own HTTP to a recorder: an undici interceptor that sees the bytes before they are decoded. */
import type { Dispatcher } from 'undici';
import type { Clock } from '../../base/clock.ts';
import type { ExchangeRecorder, WireHeaders } from '../../model/exchange.ts';
import { errorCodeOf } from '../network-failure.ts';
import type { FaultGuard } from '../proxy/fault-guard.ts';
import { pairsOf, RecordedExchange } from './recorded-exchange.ts';

/** Codes of ends on our side: given up, or closed. */
const GIVEN_UP: ReadonlySet<string> = new Set(['UND_ERR_ABORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR']);

/** The body of a request is not recorded: our own requests have none. A fault of the recorder ends the request. */
export function recordingInterceptor(
  recorder: ExchangeRecorder,
  clock: Clock,
  guard: FaultGuard,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    const faults = new AbortController();
    const exchange = RecordedExchange.begin(
      recorder,
      () => ({
        url: urlOf(request),
        method: request.method,
        headers: requestHeaders(request),
        startedAt: clock.now(),
      }),
      (act) => guard(act, () => faults.abort(new Error('the archive failed in the middle of the answer'))),
    );
    return dispatch(request, exchange === null ? handler : recording(exchange, faults.signal, handler));
  };
}

function recording(
  exchange: RecordedExchange,
  faults: AbortSignal,
  handler: Dispatcher.DispatchHandler,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (controller, status, headers, statusText) => {
      // interim answers come this way, too
      if (status >= 200) {
        const raw = rawPairs(controller.rawHeaders);
        exchange.answered({ httpVersion: '1.1', status, statusText: statusText ?? '', headers: raw, address: null });
      }
      faults.throwIfAborted(); // undici catches it here and aborts the request
      handler.onResponseStart?.(controller, status, headers, statusText);
    },
    onResponseData: (controller, chunk) => {
      exchange.body(chunk);
      faults.throwIfAborted();
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd: (controller, trailers) => {
      exchange.end('complete');
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => {
      exchange.end(isGivenUp(controller, error) ? 'cancelled' : 'disconnect');
      handler.onResponseError?.(controller, error);
    },
  };
}

/** @param controller missing where it failed before it was sent, in spite of undici's declaration */
function isGivenUp(controller: Dispatcher.DispatchController | null | undefined, error: Error): boolean {
  return controller?.aborted === true || GIVEN_UP.has(errorCodeOf(error) ?? '') || error.name === 'AbortError';
}

function urlOf({ origin, path }: Dispatcher.DispatchOptions): string {
  return `${String(origin ?? '').replace(/\/$/, '')}${path}`;
}

/** The headers that undici sends: the host first, then those it was given. */
function requestHeaders({ origin, headers }: Dispatcher.DispatchOptions): WireHeaders {
  const host = String(origin ?? '').replace(/^\w+:\/\/|\/$/g, '');
  return [['host', host], ...givenPairs(headers)];
}

function givenPairs(headers: Dispatcher.DispatchOptions['headers']): WireHeaders {
  if (headers === null || headers === undefined) return [];
  if (isRaw(headers)) return pairsOf(headers);
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers);
  return entries.flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each]));
}

function rawPairs(raw: Dispatcher.DispatchController['rawHeaders']): WireHeaders {
  if (!Array.isArray(raw)) return [];
  return pairsOf(raw.map((each: Buffer | string) => (typeof each === 'string' ? each : each.toString('latin1'))));
}

function isRaw(headers: NonNullable<Dispatcher.DispatchOptions['headers']>): headers is string[] {
  return Array.isArray(headers) && headers.every((each) => typeof each === 'string');
}

function isIterable(headers: object): headers is Iterable<[string, string | string[] | undefined]> {
  return Symbol.iterator in headers;
}
