/** Memory shared by the main thread and its watchdog: a heartbeat, whether signals were given back, and the work under way. */

/** Bytes for the names of work under way. */
const NAMES_SIZE = 16 * 1024;
const BEAT = 0;
const RELEASED = 1;
const NAMES_LENGTH = 2;
const HEAD_SIZE = 16;

export class WatchMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #names: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(HEAD_SIZE + NAMES_SIZE)) {
    this.buffer = buffer;
    this.#head = new Int32Array(buffer, 0, HEAD_SIZE / 4);
    this.#names = new Uint8Array(buffer, HEAD_SIZE);
  }

  /** Notes that the loop runs. */
  beat(): void {
    Atomics.add(this.#head, BEAT, 1);
  }

  get beats(): number {
    return Atomics.load(this.#head, BEAT);
  }

  set released(value: boolean) {
    Atomics.store(this.#head, RELEASED, value ? 1 : 0);
  }

  get released(): boolean {
    return Atomics.load(this.#head, RELEASED) === 1;
  }

  /** One name a line; those that do not fit are left out. */
  set names(names: readonly string[]) {
    const { written } = new TextEncoder().encodeInto(names.join('\n'), this.#names);
    Atomics.store(this.#head, NAMES_LENGTH, written);
  }

  get names(): readonly string[] {
    // a copy: shared memory cannot be decoded
    const text = new TextDecoder().decode(this.#names.slice(0, Atomics.load(this.#head, NAMES_LENGTH)));
    return text === '' ? [] : text.split('\n');
  }
}
