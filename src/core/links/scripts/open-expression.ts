/**
 * The expression of a script that is being read: its open brackets, the chain of texts in the innermost of them, and the target of that
 * chain's assignment. script-texts.ts reads the tokens and applies each to it.
 */
import type { FoundTexts } from '../texts/found-texts.ts';
import { moduleIn, PART_KEY } from './part-names.ts';
import { noteKey } from './relative-routes.ts';
import { ScriptScope, type Binding, type TextPiece } from './script-constants.ts';
import { NAME_LENGTH, TextChain } from '../texts/text-chain.ts';
import { frameOf, openWithin, type Frame, type Place } from '../texts/text-frame.ts';

/** The sign and the word before a text. */
export type Around = Pick<Place, 'before' | 'word'>;

export class OpenExpression {
  readonly #found: FoundTexts;
  readonly #frames: Frame[];
  /** The innermost bracket. */
  frame: Frame;
  chain: TextChain = new TextChain();
  /** Number of open calls of `concat`: their texts are pieces. */
  concats = 0;
  /** The last token; its word or sign. */
  last = '';
  /** The next word is declared. */
  declaring = false;
  /** The next operand has another value than its text. */
  changed = false;
  /** Target of the next chain's assignment, and its name. */
  binding: Binding | null = null;
  assigned = '';

  /** @param found gets the complete chains */
  constructor(found: FoundTexts) {
    this.#found = found;
    this.frame = frameOf({ kind: '', outer: new TextChain(), scope: new ScriptScope() });
    this.#frames = [this.frame];
  }

  /** Number of open brackets; the whole script counts as one. */
  get depth(): number {
    return this.#frames.length;
  }

  /** The name that stands before the keys of a record that begins here. */
  pathOfValue(): string | null {
    const { kind, path, key } = this.frame;
    if (this.last === '=') return this.assigned === '' ? null : this.assigned;
    if (kind === '{' && this.last === ':' && path !== null && key !== '') return `${path}.${key}`.slice(0, NAME_LENGTH);
    return kind === '(' && this.last === '(' ? path : null;
  }

  /** A key of the innermost record, '' where it is not known. @returns the record */
  keyed(key: string): Frame {
    this.frame.key = key;
    noteKey(this.frame);
    if (key === PART_KEY) this.#found.loading(this.frame);
    return this.frame;
  }

  /** Closes brackets left open within the last one of a kind. @returns whether there is one */
  closeWithin(kind: string): boolean {
    const open = openWithin(this.#frames, kind);
    for (let left = open ?? 0; left > 0; left--) {
      if (this.frame.joins && this.frame.kind === '(') this.concats -= 1;
      this.close();
    }
    return open !== null;
  }

  /** Begins a bracket, and the chain in it. */
  open(given: Partial<Frame> & { readonly kind: string }): void {
    const { scope, names } = this.frame;
    const frame = frameOf({
      scope,
      above: this.frame,
      module: moduleIn(this.frame),
      outer: this.chain,
      names: given.kind === '(' ? [] : given.kind === '[' ? names : null,
      ...given,
    });
    this.#frames.push(frame);
    this.frame = frame;
    this.chain = new TextChain();
    this.declaring = false;
    this.changed = false;
    if (given.path === undefined || given.path === null) this.assigned = '';
    this.binding = null;
  }

  /** Ends the frame; where it joins, its value becomes a part of the chain around it. */
  close(): void {
    const { joins, outer } = this.frame;
    const { pieces, state } = this.chain;
    const inner = state === 'operand' ? pieces : state === 'none' && this.frame.kind === '(' ? [] : null;
    this.finish();
    this.#frames.pop();
    this.frame = this.#frames.at(-1) ?? this.frame;
    this.chain = outer;
    this.binding = null;
    this.assigned = '';
    if (joins) this.chain.append(inner);
  }

  /** Adds an operand to the chain, or begins one with it. @param piece null where its text is not known */
  operand(piece: TextPiece | null, around: Around): void {
    const chain = this.chain;
    if (chain.state === 'plus') {
      this.chain.append(piece === null || this.changed ? null : [piece]);
      chain.state = 'operand';
    } else {
      const pieces = piece === null || this.changed ? null : [piece];
      chain.pieces = pieces;
      chain.state = 'operand';
      chain.binding = this.binding;
      chain.place = this.placeOf(around);
      chain.assigned = chain.place.assigned;
      this.binding = null;
      this.assigned = '';
    }
    this.changed = false;
  }

  /** Completes the chain: notes its value for its assignment, and reports it. */
  finish(): void {
    const { pieces, state, binding, place } = this.chain;
    if (state === 'none') return;
    const whole = state === 'operand' ? pieces : null;
    if (binding !== null && binding.pieces === null) binding.pieces = whole;
    this.chain.forget();
    if (whole !== null) this.#found.chain(whole, place);
  }

  /** The place of the next text. */
  placeOf({ before, word }: Around): Place {
    const frame = this.frame;
    const assigned = this.last === '=' ? this.assigned : '';
    return { before, word, assigned, frame, argument: frame.argument, key: frame.key };
  }
}
