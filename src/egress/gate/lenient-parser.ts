/**
 * Has undici read answers that browsers read: fields that go on in the next line (nginx sends those of a setting in several lines so, with bare
 * line feeds), lines without a carriage return, later versions, blanks behind the size of a chunk, and a `100 Continue` that nobody asked for
 * (RFC 9110 section 15.2). undici has no option for it; its parser, llhttp, has.
 */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { badAnswer } from '../proxy/http-relay.ts';
import { passedOn } from './passed-on.ts';

/** Properties of undici's connections and parsers (client-h1.js); a test notices when they change. */
const PARSER = 'parser';
const LENIENCES = [
  'llhttp_set_lenient_headers',
  'llhttp_set_lenient_optional_cr_before_lf',
  'llhttp_set_lenient_spaces_after_chunk_size',
  'llhttp_set_lenient_version',
] as const;
const HEAD_READ = 'onHeadersComplete';

/** @param socket on which undici has just begun to read answers of HTTP/1.1; nothing happens where it reads them otherwise */
export function readLeniently(socket: Socket): void {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === PARSER);
  const parser: unknown = key === undefined ? undefined : Reflect.get(socket, key);
  if (!isObject(parser) || !isObject(parser['llhttp'])) return;
  for (const name of LENIENCES) {
    const set = parser['llhttp'][name];
    if (typeof set === 'function') Reflect.apply(set, null, [parser['ptr'], 1]);
  }
  const headRead = parser[HEAD_READ];
  if (typeof headRead !== 'function') return;
  // undici ends the connection at status 100 alone, and waits for the answer behind each other interim one
  Reflect.set(parser, HEAD_READ, (status: number, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(headRead, parser, [status === 100 ? 102 : status, ...rest]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Ends a request of our own whose answer has a NUL in a field: the lenient parser passes it, and browsers refuse it, as the proxy does for them. */
export const refuseNul: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) =>
  dispatch(request, {
    ...passedOn(handler),
    onResponseStart: (controller, status, headers, ...rest) => {
      const values = Object.values(headers).flat();
      if (values.some((value) => value?.includes('\0'))) controller.abort(badAnswer('a NUL in a header field'));
      else handler.onResponseStart?.(controller, status, headers, ...rest);
    },
  });
