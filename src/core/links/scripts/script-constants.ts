/**
 * Which names of a script stand for one text, whenever they are asked for. A name counts as constant where its declaration can be seen,
 * nothing else is ever assigned to it, and its text is made of texts and of such names. What is in doubt is no constant.
 */

/** A piece of a text that a script puts together: as it is written, or what a name stands for. */
export type TextPiece = string | NamePiece;

interface NamePiece {
  /** With the names before it: `config.api.base`. */
  readonly name: string;
  readonly scope: ScriptScope;
  /** What it stood for before something was added to it. */
  readonly isBegun?: boolean;
}

/** What is known of a name. */
export interface Binding {
  /** How often something is assigned to it. */
  writes: number;
  /** How often something is added to it. */
  additions: number;
  pieces: readonly TextPiece[] | null;
  /** Undefined until it was asked for. */
  text: string | null | undefined;
}

/** A text that is longer is no address. */
const LENGTH = 2048;
/** Constants that are made of constants, and pieces of one text. */
const DEPTH = 20;
/** Scopes within each other; what is deeper shares the last one, so that more names are in doubt. */
const SCOPE_DEPTH = 50;
/** The names of a browser's global object, which say nothing about what is asked of it. */
const GLOBAL = /^(?:window|self|globalThis|top)\.(?!location\b)/;

export class ScriptScope {
  readonly #parent: ScriptScope | null;
  readonly #depth: number;
  #bindings: Map<string, Binding> | null = null;

  constructor(parent: ScriptScope | null = null, depth = 0) {
    this.#parent = parent;
    this.#depth = depth;
  }

  /** The scope of a block in this one. */
  within(): ScriptScope {
    return this.#depth >= SCOPE_DEPTH ? this : new ScriptScope(this, this.#depth + 1);
  }

  /** The name is this scope's own. */
  declare(name: string): Binding {
    const bindings = (this.#bindings ??= new Map());
    const known = bindings.get(name);
    if (known !== undefined) return known;
    const made: Binding = { writes: 0, additions: 0, pieces: null, text: undefined };
    bindings.set(name, made);
    return made;
  }

  /** The name stands for something that nobody knows: a parameter, a function, a part of something. */
  shadow(name: string): void {
    this.declare(name).writes = 2;
  }

  /** Is it declared here, or in a scope around this one? */
  knows(name: string): boolean {
    const [first = ''] = name.split('.', 1);
    return this.#holderOf(first).#bindings?.has(first) ?? false;
  }

  /** What something is assigned to by this name: the nearest that has it, or what all scripts of a page share. */
  assigned(written: string): Binding {
    const name = written.replace(GLOBAL, '');
    return this.#ownerOf(name).declare(name);
  }

  find(written: string): Binding | null {
    const name = written.replace(GLOBAL, '');
    const owner = this.#ownerOf(name);
    const [first = ''] = name.split('.', 1);
    // what a thing has is known for as long as the thing is the same
    if (first !== name && (owner.#bindings?.get(first)?.writes ?? 1) > 1) return null;
    return owner.#bindings?.get(name) ?? null;
  }

  /** The nearest scope that has the name, or the outermost. */
  #holderOf(first: string): ScriptScope {
    return this.#bindings?.has(first) === true || this.#parent === null ? this : this.#parent.#holderOf(first);
  }

  #ownerOf(name: string): ScriptScope {
    const [first = ''] = name.split('.', 1);
    return this.#holderOf(first);
  }
}

/** The text that pieces come to; null where one of them is no constant. */
export function constantText(pieces: readonly TextPiece[], depth = 0): string | null {
  let text = '';
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? piece : textOfName(piece, depth);
    if (part === null || text.length + part.length > LENGTH) return null;
    text += part;
  }
  return text;
}

function textOfName({ name, scope, isBegun = false }: NamePiece, depth: number): string | null {
  // an address of the page's own origin is as good without it
  if (/^(?:(?:window|self|document|globalThis)\.)?location\.origin$/.test(name)) return '';
  const binding = scope.find(name);
  if (binding === null || binding.writes !== 1 || binding.pieces === null || depth >= DEPTH) return null;
  if (binding.additions !== (isBegun ? 1 : 0)) return null;
  if (binding.text === undefined) {
    binding.text = null; // a name that is made of itself is none
    binding.text = constantText(binding.pieces, depth + 1);
  }
  return binding.text;
}
