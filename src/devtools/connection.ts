/**
 * Many sessions over one pipe (flat: each message names its session). Cheap on purpose, for a page makes a hundred
 * messages: only those are decoded that somebody waits for or listens to, the rest is recognised by its first bytes.
 *
 * Invariant: every call is answered or rejected; a session that ends, or a pipe, takes its calls with it. A message that cannot be
 * read, or whose listener fails, costs the session that it was for, and one for the browser itself the connection.
 */
import { EventEmitter } from 'node:events';
import { DevToolsPipe, type PipeEnds } from './pipe.ts';
import type { DevToolsSession, EventName, ListenerOf, Method, ParamsOf, AnswerOf } from './session.ts';

/** Bytes that hold the number or the name of every message. */
const HEAD = 120;
/** `"sessionId":"…32 hexadecimal digits…"}` at the end. */
const TAIL = 64;
/**
 * A larger event is not told: a page may print a hundred megabytes, and to decode them would hold up every other page. A
 * request that is stopped waits for an answer, however much it sends.
 */
const EVENT_BYTES = 4 * 1024 * 1024;
const EVENT = '{"method":"';
const ANSWER = '{"id":';

/** Told of each message that could not be dealt with, once the session that it was for is to end. */
export type FaultListener = (fault: { readonly head: string; readonly error: string }) => void;

interface Call {
  readonly sessionId: string;
  answer(text: string): void;
  fail(reason: Error): void;
}

export class DevToolsConnection {
  readonly #pipe: DevToolsPipe;
  readonly #sessions = new Map<string, PipeSession>();
  readonly #calls = new Map<number, Call>();
  readonly #gone = new AbortController();
  readonly #onFault: FaultListener;
  /** The browser itself. */
  readonly root: PipeSession;
  #last = 0;
  /** Messages that have come, those included that nobody wanted. */
  received = 0;

  constructor(ends: PipeEnds, onFault: FaultListener = () => {}) {
    this.#onFault = onFault;
    this.root = this.session('');
    this.#pipe = new DevToolsPipe(ends, {
      message: (message) => this.#take(message),
      ended: (reason) => this.#lose(reason),
    });
  }

  /** Aborted when the browser can be reached no more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Calls that have been sent; for measurements. */
  get sent(): number {
    return this.#last;
  }

  /** The session of a target that was attached to. */
  session(id: string): PipeSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new PipeSession(id, this);
    this.#sessions.set(id, session);
    return session;
  }

  call(sessionId: string, method: string, params: object | undefined, waiting: Omit<Call, 'sessionId'>): void {
    if (this.#gone.signal.aborted) return waiting.fail(this.#gone.signal.reason);
    if (!this.#sessions.has(sessionId)) return waiting.fail(new Error(`${method}: the target has gone`));
    const id = ++this.#last;
    this.#calls.set(id, { sessionId, ...waiting });
    const target = sessionId === '' ? undefined : sessionId;
    this.#pipe.write(JSON.stringify({ id, method, params, sessionId: target }));
  }

  #take(message: Buffer): void {
    try {
      this.#receive(message);
    } catch (error) {
      const reason = new Error('a message of the browser could not be dealt with', { cause: error });
      const sessionId = sessionOf(message);
      this.#onFault({
        head: message.toString('latin1', 0, HEAD),
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      if (this.#sessions.get(sessionId) === this.root) this.#lose(reason);
      else this.#end(sessionId, reason);
    }
  }

  #receive(message: Buffer): void {
    this.received += 1;
    const head = message.toString('latin1', 0, HEAD);
    if (head.startsWith(EVENT)) {
      const name = head.slice(EVENT.length, head.indexOf('"', EVENT.length));
      const session = this.#sessions.get(sessionOf(message));
      const ends = name === 'Target.detachedFromTarget';
      if (session === undefined || !(ends || session.hears(name))) return;
      if (message.length > EVENT_BYTES && !name.startsWith('Fetch.')) return;
      const { params } = JSON.parse(message.toString());
      session.tell(name, params);
      if (ends) this.#end(String(params.sessionId));
    } else if (head.startsWith(ANSWER)) {
      const id = Number.parseInt(head.slice(ANSWER.length), 10);
      const call = this.#calls.get(id);
      if (call === undefined) return;
      call.answer(message.toString());
      this.#calls.delete(id);
    }
  }

  /** The target has gone, and nobody will answer for it. */
  #end(sessionId: string, reason: Error = new Error('the target has gone')): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session === this.root) return;
    this.#sessions.delete(sessionId);
    for (const [id, call] of this.#calls) {
      if (call.sessionId !== sessionId) continue;
      this.#calls.delete(id);
      call.fail(reason);
    }
    session.end(reason);
  }

  #lose(reason: Error): void {
    this.#gone.abort(reason);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.fail(reason);
    for (const session of this.#sessions.values()) session.end(reason);
    this.#sessions.clear();
  }
}

function sessionOf(message: Buffer): string {
  const tail = message.toString('latin1', Math.max(0, message.length - TAIL));
  return /"sessionId":"(\w+)"\}$/.exec(tail)?.[1] ?? '';
}

/** A session over the pipe. Its listeners are called in the order in which they came. */
export class PipeSession implements DevToolsSession {
  readonly id: string;
  readonly #connection: DevToolsConnection;
  readonly #events = new EventEmitter();
  readonly #gone = new AbortController();

  constructor(id: string, connection: DevToolsConnection) {
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

  hears(event: string): boolean {
    return this.#events.listenerCount(event) > 0;
  }

  tell(event: string, payload: unknown): void {
    this.#events.emit(event, payload);
  }

  end(reason: Error): void {
    this.#gone.abort(reason);
  }
}
