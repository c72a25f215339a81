/** Passes the texts of a script on to its reader, each with its use. */
import type { RoutePart } from '../../../model/route-part.ts';
import { joinedRoute } from '../scripts/nested-routes.ts';
import { mappedPath, mappedRoute } from '../scripts/mapped-routes.ts';
import { PART_LENGTH } from '../scripts/part-names.ts';
import { RelativeRoutes } from '../scripts/relative-routes.ts';
import type { OpenedPage } from '../scripts/route-lists.ts';
import { constantText, type TextPiece } from '../scripts/script-constants.ts';
import type { ScriptScanner } from '../scripts/script-scanner.ts';
import { AFTER_LENGTH, type ScriptString } from '../scripts/script-strings.ts';
import { isOfPurpose, UNKNOWN_PLACE, useAt, type Frame, type Place, type TextUse } from './text-frame.ts';

/** A text as it is written, or joined. */
export interface ScriptText extends ScriptString, TextUse {
  readonly isJoined: boolean;
  /** For a route within another: its path with that of the other. */
  readonly nested: string;
}

export interface ScriptReader {
  /** Gets the texts as they are written, in their order; then those that are joined. */
  text(found: ScriptText): void;
  /** Is the use of the text worth finding? @param isAssigned to something that has a name */
  wants(value: string, isAssigned: boolean): boolean;
  comment?(text: string): void;
  /** The page in which the script was loaded. */
  readonly page?: OpenedPage | null;
  /** Gets the parts that routes load, at the end. */
  part?(found: RoutePart): void;
  /** Has it enough? Then the rest is not read. */
  readonly full?: boolean;
}

/** Most joined texts; a script that has more makes tables. */
const JOINED = 2000;
/** Most routes that calls declare (arbitrary). */
const MAPPED = 500;
/** Characters reported after a text that may be gone to or requested. */
const OPTIONS_LENGTH = 200;

const ROUTE = { word: '', after: '', isJoined: true, nested: '' } as const;
const PIECE: Place = { ...UNKNOWN_PLACE, before: '+' };

interface Joined {
  readonly pieces: readonly TextPiece[];
  readonly place: Place;
  readonly after: string;
}

export class FoundTexts {
  readonly #scanner: ScriptScanner;
  readonly #reader: ScriptReader;
  readonly #joined: Joined[] = [];
  readonly #routes = new RelativeRoutes();
  /** Calls that declare a route, each with the place of its name. */
  readonly #mapped = new Map<Frame, Place>();

  constructor(scanner: ScriptScanner, reader: ScriptReader) {
    this.#scanner = scanner;
    this.#reader = reader;
  }

  /** A text as it is written. @param isPiece is it given to `concat`? */
  literal(value: string, place: Place, isPiece: boolean): void {
    const call = mappedRoute(value, place);
    if (call !== null) {
      if (this.#mapped.size < MAPPED || this.#mapped.has(call)) this.#mapped.set(call, place);
      return;
    }
    const nested = joinedRoute(value, place);
    // it may be the file of a list as well: `{ path: 'guide/start.html' }`
    this.#routes.note(value, place);
    if (!this.#reader.wants(value, place.assigned !== '')) return;
    const word = isPiece ? 'concat' : place.word;
    this.#report(value, place, { word, after: this.#after(place), isJoined: false, nested });
  }

  /** A piece of a template with expressions: only markup in it has a meaning without the rest. */
  piece(value: string): void {
    if (value.includes('<')) this.literal(value, PIECE, false);
  }

  /** Keeps a chain until all of the script was read, for names may be given a text later. */
  chain(pieces: readonly TextPiece[], place: Place): void {
    if (this.#joined.length >= JOINED) return;
    const hasText = pieces.some((piece) => typeof piece === 'string');
    // a name alone shows the use of the text that it stands for
    if (pieces.length > 1 ? hasText : !hasText && isOfPurpose(place))
      this.#joined.push({ pieces, place, after: this.#after(place) });
  }

  /** A route that loads a part: the source of its function follows. */
  loading(record: Frame): void {
    if (this.#reader.part !== undefined) this.#routes.noteLoading(record, this.#scanner.following(PART_LENGTH));
  }

  tellJoined(): void {
    if (this.#reader.part !== undefined) for (const part of this.#routes.parts()) this.#reader.part(part);
    for (const [call, place] of this.#mapped) {
      const path = mappedPath(call);
      if (path !== null) this.#report(path, { ...place, frame: null, key: 'path' }, ROUTE);
    }
    for (const { path, place } of this.#routes.decided(this.#reader.page ?? null)) {
      this.#report(path, place, ROUTE);
    }
    for (const { pieces, place, after } of this.#joined) {
      const value = constantText(pieces);
      if (value === null || !this.#reader.wants(value, place.assigned !== '')) continue;
      this.#report(value, place, { word: place.word, after, isJoined: true, nested: '' });
    }
  }

  /** Copies field by field, for speed: there may be a hundred thousand texts. */
  #report(
    value: string,
    place: Place,
    { word, after, isJoined, nested }: Pick<ScriptText, 'word' | 'after' | 'isJoined' | 'nested'>,
  ): void {
    const { before } = place;
    const { target, how, argument, first, key, holder } = useAt(place);
    this.#reader.text({ value, before, word, after, isJoined, nested, target, how, argument, first, key, holder });
  }

  /** The source that follows; more of it where that may show how something is requested. */
  #after(place: Place): string {
    return this.#scanner.following(isOfPurpose(place) ? OPTIONS_LENGTH : AFTER_LENGTH);
  }
}
