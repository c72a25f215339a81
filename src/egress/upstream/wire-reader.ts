/** Reads a proxy's answer piece by piece, and leaves the bytes after it in the socket. */
import type { Socket } from 'node:net';

/** The proxy ended the connection, or it was ended here, within an answer. */
export class WireEnded extends Error {}

/** The proxy sends bytes that are no answer. */
export class WireGarbage extends Error {}

export class WireReader {
  readonly #socket: Socket;
  #held: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @throws {WireEnded} */
  async bytes(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    return this.#take(count);
  }

  /** All up to an empty line, that line included. @throws {WireEnded}, {WireGarbage} where it is longer than `most` bytes */
  async head(most: number): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf('\r\n\r\n');
      if (end !== -1) return this.#take(end + 4).toString('latin1');
      if (this.#held.length > most) throw new WireGarbage();
      await this.#more();
    }
  }

  /** Gives bytes that were not taken back to the socket. */
  release(): void {
    if (this.#held.length > 0) this.#socket.unshift(this.#held);
    this.#held = Buffer.alloc(0);
  }

  #take(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async #more(): Promise<void> {
    for (;;) {
      const chunk: unknown = this.#socket.read();
      if (Buffer.isBuffer(chunk)) {
        this.#held = Buffer.concat([this.#held, chunk]);
        return;
      }
      if (this.#socket.destroyed || this.#socket.readableEnded) throw new WireEnded();
      await this.#readable();
    }
  }

  async #readable(): Promise<void> {
    const events = ['readable', 'end', 'close'] as const;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of events) this.#socket.removeListener(event, done);
        resolve();
      };
      // not `data`: a socket that was paused would not flow for its next reader
      for (const event of events) this.#socket.on(event, done);
    });
  }
}
