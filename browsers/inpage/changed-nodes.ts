/**
 * Tells nodes that a script has put into the document in the changes of one report from those that were there before. A report holds
 * what was changed without a pause: nothing was drawn in between.
 */
import { parentOf } from './safe-dom.ts';

/** Ancestors looked at (arbitrary, deeper than pages nest); a node below more of them counts as one that was there. */
const DEPTH = 100;

export class ChangedNodes {
  readonly #added = new Set<Node>();
  readonly #present = new Set<Node>();

  /** Notes a change, in the order of the report. */
  note({ removedNodes, addedNodes }: MutationRecord): void {
    // a node that is moved is removed first: it was there
    for (const node of removedNodes) if (!this.#added.has(node)) this.#present.add(node);
    for (const node of addedNodes) if (!this.#present.has(node)) this.#added.add(node);
  }

  /** Was a node put in by the same report? @param parent where it was last */
  isPassing(node: Node, parent: Node): boolean {
    if (this.#added.has(node)) return true;
    if (this.#added.size === 0 || this.#present.has(node)) return false;
    let depth = 0;
    for (let at: Node | null = parent; at !== null && depth < DEPTH; at = parentOf(at), depth++) {
      if (this.#added.has(at)) return true;
      if (this.#present.has(at)) return false;
    }
    return false;
  }
}
