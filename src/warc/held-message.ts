/** One side of an exchange in progress; at its end its head, body and digests. */
import { createHash, type Hash } from 'node:crypto';
import type { GrowingBody, HeldBody } from './held-body.ts';
import { digestLabel, digestOf } from './warc-record.ts';

/** Digests with their algorithm's label. */
interface MessageDigests {
  /** Digest of the body. */
  payload(): string;
  /** Digest of head and body. */
  block(): string;
}

/** A finished message. Head and digests are computed on demand: most messages end together, and computing them in a row is faster. */
export interface WholeMessage {
  head(): Uint8Array;
  readonly body: HeldBody;
  readonly digests: MessageDigests;
}

export class HeldMessage {
  readonly head: () => Uint8Array;
  readonly body: GrowingBody;
  /** Running digests of a body in a file, which must be computed as it arrives. */
  #running: RunningDigests | null = null;

  constructor(head: () => Uint8Array, body: GrowingBody) {
    this.head = once(head);
    this.body = body;
  }

  /** @throws the error of a full or failing disk */
  add(chunk: Uint8Array): void {
    const before = this.body.pieces;
    const taken = this.body.add(chunk);
    if (this.#running !== null) this.#running.add(taken);
    else if (this.body.isInFile) this.#running = new RunningDigests(this.head(), [...before, taken]);
  }

  /** Ends the message; the caller disposes of its body. */
  end(): WholeMessage {
    const { head } = this;
    const body = this.body.end();
    const digests = this.#running ?? {
      payload: once(() => digestOf(body.pieces)),
      block: once(() => digestOf([head(), ...body.pieces])),
    };
    return { head, body, digests };
  }
}

class RunningDigests implements MessageDigests {
  readonly #payload: Hash = createHash('sha256');
  readonly #block: Hash;
  readonly payload: () => string = once(() => digestLabel(this.#payload.digest('hex')));
  readonly block: () => string = once(() => digestLabel(this.#block.digest('hex')));

  constructor(head: Uint8Array, pieces: readonly Uint8Array[]) {
    this.#block = createHash('sha256').update(head);
    for (const piece of pieces) this.add(piece);
  }

  add(piece: Uint8Array): void {
    this.#payload.update(piece);
    this.#block.update(piece);
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
