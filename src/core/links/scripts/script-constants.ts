/**
 * Finds the names of a script that always stand for the same text. A name counts as constant where its declaration can be seen,
 * nothing else is ever assigned to it, and its text is made of texts and of constants. A doubtful name is no constant.
 */

/** A piece of a text that a script joins: a literal, or a name that stands for a text. */
export type TextPiece = string | NamePiece;

interface NamePiece {
  /** With the names before it: `config.api.base`. */
  readonly name: string;
  readonly scope: ScriptScope;
  /** Does it stand for its text before something was added to it? */
  readonly isBegun?: boolean;
}

/** Facts of a name. */
export interface Binding {
  /** Number of assignments to it. */
  writes: number;
  /** Number of additions to it. */
  additions: number;
  pieces: readonly TextPiece[] | null;
  /** Undefined until it was asked for. */
  text: string | null | undefined;
}

/** A longer text is no address. */
const LENGTH = 2048;
/** Most levels of constants that are made of constants. */
const DEPTH = 20;
/** Most nested scopes; deeper ones share the last one, so that more names are in doubt. */
const SCOPE_DEPTH = 50;
/** Names of a browser's global object, which add nothing to the name after them. */
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

  /** Declares the name as this scope's own. */
  declare(name: string): Binding {
    const bindings = (this.#bindings ??= new Map());
    const known = bindings.get(name);
    if (known !== undefined) return known;
    const made: Binding = { writes: 0, additions: 0, pieces: null, text: undefined };
    bindings.set(name, made);
    return made;
  }

  /** Declares a name of unknown value: a parameter, a function, a part of something. */
  shadow(name: string): void {
    this.declare(name).writes = 2;
  }

  /** Is it declared here, or in a scope around this one? */
  knows(name: string): boolean {
    const [first = ''] = name.split('.', 1);
    return this.#holderOf(first).#bindings?.has(first) ?? false;
  }

  /** The target of an assignment to this name: of the nearest scope that has it, or of the one that all scripts of a page share. */
  assigned(written: string): Binding {
    const name = written.replace(GLOBAL, '');
    return this.#ownerOf(name).declare(name);
  }

  find(written: string): Binding | null {
    const name = written.replace(GLOBAL, '');
    const owner = this.#ownerOf(name);
    const [first = ''] = name.split('.', 1);
    // a property is known only as long as its object is the same
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

/** The text that the pieces make; null where one of them is no constant. */
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
    binding.text = null; // a name that is made of itself is no constant
    binding.text = constantText(binding.pieces, depth + 1);
  }
  return binding.text;
}
