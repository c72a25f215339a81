/**
 * Many sessions over one pipe (flat: each message names its session). Cheap on purpose, as a page makes a hundred messages: only messages
 * with a listener or a pending call are decoded; the rest is recognised by its first bytes.
 *
 * Invariant: every call is answered or rejected; the end of a session, or of the pipe, rejects its calls. A message that cannot be read,
 * or whose listener fails, ends its session; one for the browser itself ends the connection.
 */
import { PipeSession, type EventRelay, type WaitingCall } from './pipe-session.ts';
import { DevToolsPipe, HEAD, TAIL, type PipeEnds } from './pipe.ts';

/**
 * Larger events are not read: a page may print a hundred megabytes, and decoding them would hold up every other page. The largest honest
 * events report a request for a `data:` URL, of which Chromium takes two megabytes.
 */
const EVENT_BYTES: number = 4 * 1024 * 1024;
/** The largest honest answer is a page of 15 million characters, of which each may be written as six. */
export const ANSWER_BYTES: number = 128 * 1024 * 1024;
const EVENT = '{"method":"';
const ANSWER = '{"id":';
/** Event for the end of a session. It is read even without listeners, and in pieces: Chromium writes the zero byte separately. */
const DETACHED = 'Target.detachedFromTarget';
const NOTHING = 0;
/** A second client has one session for the browser, whose events are short; with more sessions it uses a page. */
const RELAYED_ROOT = 1;

/**
 * Parameters for events of which only the first bytes are read: console messages and sent requests are counted, and a dialog of any length
 * is closed.
 * Other events are dropped where they are too large.
 */
const BRIEF: Readonly<Record<string, (head: string) => object>> = {
  'Runtime.consoleAPICalled': (head) => ({ type: /"params":\{"type":"(\w+)"/.exec(head)?.[1] ?? 'log' }),
  'Runtime.exceptionThrown': () => ({}),
  'Network.requestWillBeSentExtraInfo': () => ({}),
};
const BRIEF_WHERE_LARGE: typeof BRIEF = { ...BRIEF, 'Page.javascriptDialogOpening': () => ({}) };

/** The answer to a call exceeds the size that is read. */
export class AnswerTooLarge extends Error {
  constructor(method: string) {
    super(`${method}: the answer is larger than ${ANSWER_BYTES} bytes`);
    this.name = 'AnswerTooLarge';
  }
}

/** Called for each message that could not be handled, before its session ends. */
export type FaultListener = (fault: { readonly head: string; readonly error: string }) => void;

interface Call extends WaitingCall {
  readonly method: string;
  readonly sessionId: string;
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
  /** Sessions whose events go to a second client. */
  #relayed = 0;
  /** Messages received, those without a listener included. */
  received = 0;
  /** Largest size in bytes up to which a session wants brief events whole. */
  #mostWhole = NOTHING;

  constructor(ends: PipeEnds, onFault: FaultListener = () => {}) {
    this.#onFault = onFault;
    this.root = this.session('');
    this.#pipe = new DevToolsPipe(ends, {
      most: (head) => this.#mostOf(head.toString('latin1')),
      message: (message) => this.#take(message),
      skipped: (head, tail, size) => this.#skipped(head.toString('latin1'), tail, size),
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

  /** The session of an attached target. */
  session(id: string): PipeSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new PipeSession(id, this);
    this.#sessions.set(id, session);
    return session;
  }

  /**
   * Hands the events of a session to a second client of the pipe, whole, and those of the targets that it attaches to.
   * @throws where the session has ended
   */
  relay(session: PipeSession, to: EventRelay): void {
    if (session.gone.aborted) throw new Error('the target has gone');
    if (session.relay !== null) return;
    session.relay = to;
    this.#relayed += 1;
    session.gone.addEventListener('abort', () => (this.#relayed -= 1), { once: true });
  }

  /** Keeps brief events up to this size until their session is known. */
  readsWhole(most: number): void {
    this.#mostWhole = Math.max(this.#mostWhole, most);
  }

  call(sessionId: string, method: string, params: object | undefined, waiting: WaitingCall): void {
    if (this.#gone.signal.aborted) return waiting.fail(this.#gone.signal.reason);
    if (!this.#sessions.has(sessionId)) return waiting.fail(new Error(`${method}: the target has gone`));
    const id = ++this.#last;
    this.#calls.set(id, { method, sessionId, ...waiting });
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

  /** Bytes to read of a message with this beginning. */
  #mostOf(head: string): number {
    const name = eventNameOf(head);
    if (name === null) return ANSWER_BYTES;
    // the session's id is at the end of an event
    if (this.#relayed > RELAYED_ROOT || name === DETACHED) return EVENT_BYTES;
    if (name in BRIEF) return this.#mostWhole;
    return [...this.#sessions.values()].some((session) => session.listensTo(name)) ? EVENT_BYTES : NOTHING;
  }

  #receive(message: Buffer): void {
    this.received += 1;
    const head = message.toString('latin1', 0, HEAD);
    const name = eventNameOf(head);
    if (name !== null) {
      const session = this.#sessions.get(sessionOf(message));
      const ends = name === DETACHED;
      if (session === undefined) return;
      session.relay?.(message.toString());
      if (!(ends || session.listensTo(name))) return;
      const brief = session.wholeUpTo(name) < message.length ? BRIEF[name]?.(head) : undefined;
      const params = brief ?? JSON.parse(message.toString()).params;
      session.emit(name, params, message.length);
      if (ends) this.#end(String(params.sessionId));
    } else if (head.startsWith(ANSWER)) {
      const id = numberOf(head);
      this.#calls.get(id)?.answer(message.toString());
      this.#calls.delete(id); // only now: a call whose answer cannot be read ends with its session
    }
  }

  /** Handles a message that was too large: the call that waits for it fails, and so does a paused request; a dialog is reported. */
  #skipped(head: string, tail: Buffer, size: number): void {
    this.received += 1;
    const name = eventNameOf(head);
    if (name === null) {
      const call = this.#callOf(head);
      return call?.fail(new AnswerTooLarge(call.method));
    }
    const session = this.#sessions.get(sessionOf(tail));
    if (session === undefined || !session.listensTo(name)) return;
    const params = BRIEF_WHERE_LARGE[name]?.(head);
    if (params !== undefined) session.emit(name, params, size);
    const requestId = name === 'Fetch.requestPaused' ? /"requestId":"([\w.-]+)"/.exec(head)?.[1] : undefined;
    if (requestId === undefined) return;
    session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {}); // it has gone
  }

  /** Removes and returns the call that an answer is for. */
  #callOf(head: string): Call | undefined {
    const id = numberOf(head);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /** Ends the session of a target that has gone. */
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

/** Null where it is not an event. */
function eventNameOf(head: string): string | null {
  return head.startsWith(EVENT) ? head.slice(EVENT.length, head.indexOf('"', EVENT.length)) : null;
}

/** The number of the call that an answer is for. */
function numberOf(head: string): number {
  return Number.parseInt(head.slice(ANSWER.length), 10);
}

function sessionOf(message: Buffer): string {
  const tail = message.toString('latin1', Math.max(0, message.length - TAIL));
  return /"sessionId":"(\w+)"\}$/.exec(tail)?.[1] ?? '';
}
