/**
 * The expression of a script that is being read: the brackets that are open, the chain of texts in the innermost of them, and what that chain
 * is assigned to. script-texts.ts reads the tokens and says what each does to it.
 */
import type { FoundTexts } from '../texts/found-texts.ts';
import { ScriptScope, type Binding, type TextPiece } from './script-constants.ts';
import { NAME_LENGTH, TextChain } from '../texts/text-chain.ts';
import { frameOf, openWithin, type Frame, type Place } from '../texts/text-frame.ts';

/** What stands before a text. */
export type Around = Pick<Place, 'before' | 'word'>;

export class OpenExpression {
  readonly #found: FoundTexts;
  readonly #frames: Frame[];
  /** The innermost bracket. */
  frame: Frame;
  chain: TextChain = new TextChain();
  /** Brackets of calls of `concat` that are open: their texts are pieces. */
  concats = 0;
  /** The last token; its word or sign. */
  last = '';
  /** The next word is declared. */
  declaring = false;
  /** The next operand is not what it says. */
  changed = false;
  /** What the next chain is assigned to, and by which name. */
  binding: Binding | null = null;
  assigned = '';

  /** @param found gets the chains that are whole */
  constructor(found: FoundTexts) {
    this.#found = found;
    this.frame = frameOf({ kind: '', outer: new TextChain(), scope: new ScriptScope() });
    this.#frames = [this.frame];
  }

  /** How many brackets are open, the whole script counted as one. */
  get depth(): number {
    return this.#frames.length;
  }

  /** What the keys of a record that begins here are to be called. */
  pathOfValue(): string | null {
    const { kind, path, key } = this.frame;
    if (this.last === '=') return this.assigned === '' ? null : this.assigned;
    if (kind === '{' && this.last === ':' && path !== null && key !== '') return `${path}.${key}`.slice(0, NAME_LENGTH);
    return kind === '(' && this.last === '(' ? path : null;
  }

  /** Closes what was left open in the last bracket of a kind. @returns whether there is such a bracket */
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

  /** Ends the frame; what it comes to is a part of the chain around it where it joins. */
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

  /** An operand goes on with the chain, or begins one. @param piece null where its text is not known */
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

  /** The chain is whole: notes what it is assigned to, and what it is. */
  finish(): void {
    const { pieces, state, binding, place } = this.chain;
    if (state === 'none') return;
    const whole = state === 'operand' ? pieces : null;
    if (binding !== null && binding.pieces === null) binding.pieces = whole;
    this.chain.forget();
    if (whole !== null) this.#found.chain(whole, place);
  }

  /** Where a text stands that comes next. */
  placeOf({ before, word }: Around): Place {
    const frame = this.frame;
    const assigned = this.last === '=' ? this.assigned : '';
    return { before, word, assigned, frame, argument: frame.argument, key: frame.key };
  }
}
