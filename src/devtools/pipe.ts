/**
 * A browser's DevTools pipe: JSON messages, each ended by a zero byte, written to one stream and read from another
 * (`--remote-debugging-pipe`: descriptors 3 and 4 of the browser). Reads come in pieces of any size.
 */
import type { Readable, Writable } from 'node:stream';

/** A larger message is dropped as it comes in: a page may print gigabytes. */
const MESSAGE_BYTES = 256 * 1024 * 1024;

export interface PipeEnds {
  /** To the browser. */
  readonly out: Writable;
  /** From the browser. */
  readonly in: Readable;
}

export interface PipeListener {
  /** @param message without its end; valid during the call only */
  message(message: Buffer): void;
  /** Nothing more will come. Called once. */
  ended(reason: Error): void;
}

export class DevToolsPipe {
  readonly #out: Writable;
  /** Of a message whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;
  #ended = false;

  constructor(ends: PipeEnds, listener: PipeListener) {
    this.#out = ends.out;
    const end = (reason: Error): void => {
      if (this.#ended) return;
      this.#ended = true;
      this.#parts = [];
      listener.ended(reason);
    };
    ends.in.on('data', (chunk: Buffer) => this.#take(chunk, listener));
    ends.in.on('close', () => end(new Error('the browser has closed its pipe')));
    ends.in.on('error', end);
    ends.out.on('error', end);
  }

  write(text: string): void {
    if (!this.#ended) this.#out.write(`${text}\0`);
  }

  #take(chunk: Buffer, listener: PipeListener): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      const message = this.#joined(piece);
      if (message !== null) listener.message(message);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The message that this piece ends; null where it was too large. */
  #joined(piece: Buffer): Buffer | null {
    if (this.#size === 0) return piece;
    this.#keep(piece);
    const message = this.#size > MESSAGE_BYTES ? null : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    return message;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MESSAGE_BYTES) this.#parts = [];
    else this.#parts.push(piece);
  }
}
