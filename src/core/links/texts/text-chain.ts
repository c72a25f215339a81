/** A chain of texts and names that a script joins: `BASE + '/users'`. */
import type { Binding, TextPiece } from '../scripts/script-constants.ts';
import { UNKNOWN_PLACE, type Place } from './text-frame.ts';

/** Pieces of one text; a script that has more makes tables. */
const PIECES = 20;
/** Characters of a name with the names before it. */
export const NAME_LENGTH = 120;

export class TextChain {
  /** Null where its text is not known. */
  pieces: TextPiece[] | null = null;
  state: 'none' | 'operand' | 'plus' = 'none';
  /** Target of its assignment, and its name. */
  binding: Binding | null = null;
  assigned = '';
  place: Place = UNKNOWN_PLACE;

  /** The name, where it consists of one name alone; else null. */
  get singleName(): string | null {
    const [only] = this.pieces ?? [];
    return this.state === 'operand' && this.pieces?.length === 1 && typeof only === 'object' ? only.name : null;
  }

  /** The text or the name, where it consists of one alone; else ''. */
  get single(): string {
    const [only] = this.pieces ?? [];
    if (this.pieces?.length !== 1 || only === undefined) return '';
    return typeof only === 'string' ? only : only.name;
  }

  /** The name that a call at its end would call; null where that is not a name. */
  get lastName(): string | null {
    const last = this.pieces?.at(-1);
    return typeof last === 'object' ? last.name : null;
  }

  forget(): void {
    this.pieces = null;
    this.state = 'none';
    this.binding = null;
    this.assigned = '';
    this.place = UNKNOWN_PLACE;
  }

  append(pieces: readonly TextPiece[] | null): void {
    if (this.pieces === null || pieces === null || this.pieces.length + pieces.length > PIECES) this.pieces = null;
    else this.pieces.push(...pieces);
  }

  /** Adds a member's name to its last piece. */
  extend(name: string): void {
    const { pieces } = this;
    const last = pieces?.at(-1);
    if (pieces === null || last === undefined) return;
    if (typeof last === 'object' && last.name.length + name.length < NAME_LENGTH)
      pieces[pieces.length - 1] = { name: `${last.name}.${name}`, scope: last.scope };
    else if (name !== 'concat') this.pieces = null;
  }

  /** Removes the `concat` from its end, whose call continues it. @returns whether its text up to there is known */
  takeConcat(): boolean {
    const { pieces } = this;
    const last = pieces?.at(-1);
    if (pieces === null || last === undefined) return false;
    if (typeof last === 'object') pieces[pieces.length - 1] = { ...last, name: last.name.slice(0, -'.concat'.length) };
    return true;
  }
}
