import type { Dispatcher } from 'undici';

/** A handler that passes all calls on to another one: for interceptors, which replace some of them. */
export function passedOn(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (...answer) => handler.onResponseStart?.(...answer),
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...failure) => handler.onResponseError?.(...failure),
  };
}
