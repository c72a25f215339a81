/**
 * A DevTools session with one target of a browser (a page, a frame of another process, a worker, the browser itself). The same shape as
 * Playwright's `CDPSession`, so that either may serve; its types are the protocol's own.
 */
import type { CDPSession } from 'playwright-core';

declare const shape: CDPSession;

/** Name of a command: `Page.navigate`. */
export type Method = Parameters<CDPSession['send']>[0];
export type ParamsOf<Name extends Method> = Parameters<typeof shape.send<Name>>[1];
export type AnswerOf<Name extends Method> = Awaited<ReturnType<typeof shape.send<Name>>>;
/** Name of an event: `Network.requestWillBeSent`. The first of three overloads names them all. */
export type EventName = CDPSession['off'] extends {
  (event: infer Name, listener: infer _First): unknown;
  (event: 'close', listener: infer _Second): unknown;
  (event: 'event', listener: infer _Third): unknown;
}
  ? Exclude<Name, symbol>
  : never;
export type ListenerOf<Name extends EventName> = Parameters<typeof shape.off<Name>>[1];
/** Parameters of an event. */
export type EventOf<Name extends EventName> = Parameters<ListenerOf<Name>>[0];

export interface DevToolsSession {
  /** Bytes of the event whose listeners run now; missing where they are not known. */
  readonly eventSize?: number;
  /** Reads these events whole up to a size from now on; else only their first bytes are read. Missing where all events are read whole. */
  readWhole?(events: readonly EventName[], most: number): void;
  /** @throws {Error} where the browser refuses the command, or the target or the connection ends before the answer */
  send<Name extends Method>(method: Name, params?: ParamsOf<Name>): ReturnType<typeof shape.send<Name>>;
  on<Name extends EventName>(event: Name, listener: ListenerOf<Name>): unknown;
  once<Name extends EventName>(event: Name, listener: ListenerOf<Name>): unknown;
  off<Name extends EventName>(event: Name, listener: ListenerOf<Name>): unknown;
}
