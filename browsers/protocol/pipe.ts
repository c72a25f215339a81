/**
 * A browser's DevTools pipe: JSON messages, each ended by a zero byte, written to one stream and read from another
 * (`--remote-debugging-pipe`: descriptors 3 and 4 of the browser). Reads come in pieces of any size.
 *
 * Invariant: no more of a message is held than the listener wants, as pages decide how long messages of the browser are.
 */
import type { Readable, Writable } from 'node:stream';

/** First bytes of a message, which show its kind. */
export const HEAD = 160;
/** Last bytes of a message, which name its session. */
export const TAIL = 64;

export interface PipeEnds {
  /** Stream to the browser. */
  readonly out: Writable;
  /** Stream from the browser. */
  readonly in: Readable;
}

interface PipeListener {
  /** How many bytes to hold of a message with this beginning; a longer one is skipped. */
  most(head: Buffer): number;
  /** @param message without its end; valid during the call only */
  message(message: Buffer): void;
  /** Called at the end of a message that was longer than wanted, with its first and last bytes and its size. */
  skipped(head: Buffer, tail: Buffer, size: number): void;
  /** Called once, when nothing more will come. */
  ended(reason: Error): void;
}

/** Bytes read at once. */
const PIECE = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export class DevToolsPipe {
  readonly #out: Writable;
  readonly #listener: PipeListener;
  /** Pieces of a message whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;
  #head: Buffer = NOTHING;
  #tail: Buffer = NOTHING;
  /** Bytes to hold of that message; null while its kind is not known. */
  #most: number | null = null;
  #ended = false;
  /** Messages of this turn of the event loop. */
  #unsent = '';

  constructor(ends: PipeEnds, listener: PipeListener) {
    this.#out = ends.out;
    this.#listener = listener;
    const end = (reason: Error): void => {
      if (this.#ended) return;
      this.#ended = true;
      this.#parts = [];
      listener.ended(reason);
    };
    ends.in.on('data', (chunk: Buffer) => this.#take(chunk));
    ends.in.on('close', () => end(new Error('the browser has closed its pipe')));
    ends.in.on('error', end);
    ends.out.on('error', end);
  }

  /**
   * Messages of one turn of the event loop go out in one write: each write costs a system call and wakes the browser, which costs both
   * more than the messages of a turn.
   */
  write(text: string): void {
    if (this.#ended) return;
    const isFirst = this.#unsent === '';
    this.#unsent += `${text}\0`;
    if (isFirst) setImmediate(() => this.#send());
  }

  #send(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#ended) this.#out.write(text);
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Takes the last piece of a message. */
  #finish(piece: Buffer): void {
    // most messages come in one piece, and are small
    if (this.#size === 0 && piece.length <= PIECE) return this.#listener.message(piece);
    this.#keep(piece);
    const [parts, size, head, tail] = [this.#parts, this.#size, this.#head, this.#tail];
    const skipped = this.#most !== null && size > this.#most;
    this.#parts = [];
    this.#size = 0;
    this.#head = NOTHING;
    this.#tail = NOTHING;
    this.#most = null;
    if (skipped) return this.#listener.skipped(head, tail, size);
    const message = Buffer.concat(parts, size);
    parts.length = 0; // held while the message is read, they would be the whole message once more
    this.#listener.message(message);
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    this.#tail = piece.length >= TAIL ? piece.subarray(-TAIL) : Buffer.concat([this.#tail, piece]).subarray(-TAIL);
    if (this.#most === null) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD - this.#head.length)]);
      if (this.#head.length >= HEAD) this.#most = this.#listener.most(this.#head);
    }
    if (this.#most !== null && this.#size > this.#most) this.#parts = [];
    else this.#parts.push(piece);
  }
}
