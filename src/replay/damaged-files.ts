/** What of WARC files could not be read, for the log and in words. */
import { basename } from 'node:path';
import { counted, grouped } from '../base/count-words.ts';
import type { Log } from '../base/log.ts';

/** A file of which not all could be read. */
export interface DamagedFile {
  readonly file: string;
  /** Parts without a record that can be read. */
  readonly places: number;
  readonly bytes: number;
  /** Offset of the first of them. */
  readonly first: number;
  /** Is it a single one, that reaches to the end? */
  readonly breaksOff: boolean;
}

interface DamagedPart {
  readonly from: number;
  readonly to: number;
  readonly isEnd: boolean;
}

/** Parts of a file that the log names (arbitrary). */
const LOGGED = 100;
/** Files that a text names (arbitrary). */
const NAMED = 3;

/** Adds up the damaged parts of a file. */
export class Damage {
  readonly #path: string;
  readonly #log: Log;
  readonly #parts: DamagedPart[] = [];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  add(part: DamagedPart): void {
    this.#parts.push(part);
    if (this.#parts.length > LOGGED) return;
    const { from, to, isEnd } = part;
    if (isEnd) this.#log.warn('archive breaks off', { file: this.#path, offset: from });
    else this.#log.warn('archive is damaged', { file: this.#path, offset: from, length: to - from });
  }

  /** The file, if it is damaged. */
  get found(): readonly DamagedFile[] {
    const [part] = this.#parts;
    if (part === undefined) return [];
    const bytes = this.#parts.reduce((sum, { from, to }) => sum + to - from, 0);
    const places = this.#parts.length;
    return [{ file: this.#path, places, bytes, first: part.from, breaksOff: places === 1 && part.isEnd }];
  }
}

/** Names the damaged files; null where there is none. */
export function damageWords(files: readonly DamagedFile[]): string | null {
  if (files.length === 0) return null;
  const named = files.slice(0, NAMED).map(({ file, places, bytes, first, breaksOff }) => {
    const name = basename(file);
    if (breaksOff) return `${name} breaks off at byte ${grouped(first)}`;
    const where = places === 1 ? 'from' : 'the first at';
    return `${name} is damaged at ${counted(places, 'place')} (${counted(bytes, 'byte')}, ${where} byte ${grouped(first)})`;
  });
  const more = files.length > NAMED ? [`and ${counted(files.length - NAMED, 'more file')}`] : [];
  return `${[...named, ...more].join(', ')}: what was recorded there is missing`;
}
