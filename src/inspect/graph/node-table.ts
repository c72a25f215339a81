/** The facts of each URL while the index is built: in flat arrays, as there are millions. */
import { RECORD_OUTCOMES, type RecordOutcome } from '../../model/record.ts';
import type { LineStretch, NodeEntry } from './node-entry.ts';

const FIRST_SIZE = 1024;
const NONE = -1;

interface PageState {
  readonly outcome: RecordOutcome;
  readonly isNofollow: boolean;
  readonly redirect: number | null;
}

/** Nodes by their first numbers, in the order in which they came. */
export class NodeTable {
  readonly #outcomes = new NumberList();
  readonly #seeds = new Set<number>();
  readonly #nofollow = new Set<number>();
  readonly #redirects = new Map<number, number>();
  /** First and last stretch of each node; next stretch of the same node, for each stretch. */
  readonly #first = new NumberList();
  readonly #last = new NumberList();
  readonly #next = new NumberList();
  readonly #offsets = new NumberList();
  readonly #lengths = new NumberList();
  #stretches = 0;

  seed(node: number): void {
    this.#seeds.add(node);
  }

  page(node: number, { outcome, isNofollow, redirect }: PageState): void {
    this.#outcomes.set(node, RECORD_OUTCOMES.indexOf(outcome));
    if (isNofollow) this.#nofollow.add(node);
    else this.#nofollow.delete(node);
    if (redirect === null) this.#redirects.delete(node);
    else this.#redirects.set(node, redirect);
  }

  /** Adds a line whose source is the node; lines come in the order of the file. */
  line(node: number, offset: number, length: number): void {
    const last = this.#last.get(node);
    if (last !== NONE && this.#offsets.get(last) + this.#lengths.get(last) === offset) {
      this.#lengths.set(last, this.#lengths.get(last) + length);
      return;
    }
    const stretch = this.#stretches++;
    this.#offsets.set(stretch, offset);
    this.#lengths.set(stretch, length);
    if (last === NONE) this.#first.set(node, stretch);
    else this.#next.set(last, stretch);
    this.#last.set(node, stretch);
  }

  /** @param rankOf the final numbers of nodes */
  entry(node: number, rankOf: Uint32Array): NodeEntry {
    const redirect = this.#redirects.get(node);
    return {
      outcome: RECORD_OUTCOMES[this.#outcomes.get(node)] ?? null,
      isSeed: this.#seeds.has(node),
      isNofollow: this.#nofollow.has(node),
      redirect: redirect === undefined ? null : (rankOf[redirect] ?? null),
      stretches: this.#stretchesOf(node),
    };
  }

  #stretchesOf(node: number): readonly LineStretch[] {
    const stretches: LineStretch[] = [];
    for (let at = this.#first.get(node); at !== NONE; at = this.#next.get(at)) {
      stretches.push({ offset: this.#offsets.get(at), length: this.#lengths.get(at) });
    }
    return stretches;
  }
}

/** A growing list of numbers; unset ones are -1. */
class NumberList {
  #values = new Float64Array(FIRST_SIZE).fill(NONE);

  get(index: number): number {
    return this.#values[index] ?? NONE;
  }

  set(index: number, value: number): void {
    if (index >= this.#values.length) {
      const larger = new Float64Array(Math.max(index + 1, this.#values.length * 2)).fill(NONE);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[index] = value;
  }
}
