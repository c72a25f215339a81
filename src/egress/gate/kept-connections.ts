/**
 * A server may close a kept connection while a request is on its way to it. Such a request is sent again (RFC 9112 section 9.3.1), as
 * browsers do and the proxy does for them: no answer of the server has come, and only requests that change nothing are sent here.
 */
import { Client, type Dispatcher } from 'undici';
import { errorCodeOf, networkFailureOf } from '../network-failure.ts';
import { passedOn } from './passed-on.ts';

/** A connection that had answered before was closed before the first byte of an answer. */
class DeadConnection extends Error {
  readonly code: string | null;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = errorCodeOf(cause);
  }
}

/** One connection at a time, whose requests fail with a {@link DeadConnection} where it was kept too long. */
export function keptConnection(origin: URL | string, options: Client.Options): Client {
  const client = new Client(origin, options);
  const dispatch = client.dispatch.bind(client);
  let hasAnswered = false;
  client.on('disconnect', () => (hasAnswered = false));
  client.dispatch = (request, handler) => {
    let isAnswered = false;
    const seen = (name: string | symbol, given: readonly unknown[]): readonly unknown[] => {
      if (name === 'onHeaders') isAnswered = true;
      if (name === 'onComplete') hasAnswered = true;
      const [error] = given;
      const isDead = name === 'onError' && hasAnswered && !isAnswered && networkFailureOf(error) === 'reset';
      return isDead && error instanceof Error ? [new DeadConnection(error)] : given;
    };
    return dispatch(request, heard(handler, seen));
  };
  return client;
}

/** A handler whose calls are seen, and may be changed, before they reach it. (Undici converts handlers of another form, and loses how headers were written.) */
function heard(
  handler: Dispatcher.DispatchHandler,
  seen: (name: string | symbol, given: readonly unknown[]) => readonly unknown[],
): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => Reflect.apply(value, target, [...seen(name, given)]);
    },
  });
}

/** Sends requests again whose connection was dead: a dead connection is not kept, so the last one that there can be is a new one. */
export const repeatOnDeadConnection: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) => {
  const send = (): boolean =>
    dispatch(request, {
      ...passedOn(handler),
      onResponseError: (controller, error) => {
        if (error instanceof DeadConnection) setImmediate(sendAgain, controller); // undici is closing the connection now
        else handler.onResponseError?.(controller, error);
      },
    });
  const sendAgain = (controller: Dispatcher.DispatchController): void => {
    try {
      send();
    } catch (error) {
      handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error)));
    }
  };
  return send();
};
