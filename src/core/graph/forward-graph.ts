/** A graph in flat memory, four bytes an edge: the targets of node 0, then those of node 1, and so on. */
export interface ForwardGraph {
  /** Index of each node's first target; one more entry at the end. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** Weight of each edge; without them all count the same. */
  readonly weights?: Float64Array;
}

export function nodeCount({ starts }: ForwardGraph): number {
  return starts.length - 1;
}

/** Collects the edges of one node after the other. */
export class ForwardGraphBuilder {
  readonly #starts: Uint32Array;
  #targets: Uint32Array = new Uint32Array(1024);
  #node = 0;
  #end = 0;

  /** @param nodes their final number */
  constructor(nodes: number) {
    this.#starts = new Uint32Array(nodes + 1);
  }

  /** An edge of the current node. */
  edge(target: number): void {
    if (this.#end === this.#targets.length) {
      const larger = new Uint32Array(this.#end * 2);
      larger.set(this.#targets);
      this.#targets = larger;
    }
    this.#targets[this.#end++] = target;
  }

  /** Completes the current node: its edges are sorted, and duplicates merged. */
  endNode(): void {
    const start = this.#starts[this.#node] ?? 0;
    const own = this.#targets.subarray(start, this.#end).sort();
    let kept = 0;
    for (const target of own) {
      if (kept > 0 && own[kept - 1] === target) continue;
      own[kept++] = target;
    }
    this.#end = start + kept;
    this.#node += 1;
    this.#starts[this.#node] = this.#end;
  }

  build(): ForwardGraph {
    while (this.#node < this.#starts.length - 1) this.endNode();
    return { starts: this.#starts, targets: this.#targets.slice(0, this.#end) };
  }
}
