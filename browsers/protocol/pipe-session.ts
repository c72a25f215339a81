/** One session of a connection: its calls and its events. */
import { EventEmitter } from 'node:events';
import type { AnswerOf, DevToolsSession, EventName, ListenerOf, Method, ParamsOf } from './session.ts';

/** Called with each event of a session as it came, including the one that ends it. */
export type EventRelay = (message: string) => void;

/** The caller that waits for an answer. */
export interface WaitingCall {
  answer(text: string): void;
  fail(reason: Error): void;
}

/** The connection, as its sessions use it. */
interface SessionCalls {
  call(sessionId: string, method: string, params: object | undefined, waiting: WaitingCall): void;
  /** Keeps brief events up to this size until their session is known. */
  readsWhole(most: number): void;
}

/** A session over the pipe. Its listeners are called in the order in which they were added. */
export class PipeSession implements DevToolsSession {
  readonly id: string;
  readonly #connection: SessionCalls;
  readonly #events = new EventEmitter();
  readonly #gone = new AbortController();
  readonly #whole = new Map<string, number>();
  eventSize = 0;
  /** The second client that gets its events; set by the connection. */
  relay: EventRelay | null = null;

  constructor(id: string, connection: SessionCalls) {
    this.id = id;
    this.#connection = connection;
    this.#events.setMaxListeners(0);
  }

  /** Aborted when its target has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  send<Name extends Method>(method: Name, params?: ParamsOf<Name>): Promise<AnswerOf<Name>> {
    return new Promise((resolve, reject) => {
      this.#connection.call(this.id, method, params, {
        answer: (text) => {
          const { result, error } = JSON.parse(text);
          if (error === undefined) resolve(result);
          else reject(new Error(`${method}: ${String(error.message)}`));
        },
        fail: reject,
      });
    });
  }

  on<Name extends EventName>(event: Name, listener: ListenerOf<Name>): this {
    this.#events.on(event, listener);
    return this;
  }

  once<Name extends EventName>(event: Name, listener: ListenerOf<Name>): this {
    this.#events.once(event, listener);
    return this;
  }

  off<Name extends EventName>(event: Name, listener: ListenerOf<Name>): this {
    this.#events.off(event, listener);
    return this;
  }

  readWhole(events: readonly EventName[], most: number): void {
    for (const event of events) this.#whole.set(event, most);
    this.#connection.readsWhole(most);
  }

  /** Bytes up to which an event is read whole. */
  wholeUpTo(event: string): number {
    return this.#whole.get(event) ?? 0;
  }

  listensTo(event: string): boolean {
    return this.#events.listenerCount(event) > 0;
  }

  emit(event: string, payload: unknown, size: number): void {
    this.eventSize = size;
    this.#events.emit(event, payload);
  }

  end(reason: Error): void {
    this.#gone.abort(reason);
  }
}
