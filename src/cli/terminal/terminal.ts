/**
 * Output while the program runs: finished lines, and on a terminal one live line below them.
 *
 * State: the live line is either on the screen (`#live` is not empty) or not. Every write takes it off first and puts it
 * back last, so nothing is ever written behind it. The cursor is not hidden: then a process that is killed leaves no
 * terminal without one.
 */
import type { Variables } from '../flags/environment.ts';
import { COLOURED, PLAIN, type Paint } from './paint.ts';

/** A stream to write to: standard output or error, or a test's. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const ERASE_LINE = '\r\u001b[2K';
/** Without automatic wrap a line that is too long, after the window was made smaller, is cut and not doubled. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
/** The width where it is not known (no terminal, or one that does not say). */
const USUAL_WIDTH = 80;

export class Terminal implements Disposable {
  readonly paint: Paint;
  /** Can a live line be shown? */
  readonly isLive: boolean;
  readonly #output: Output;
  #live = '';

  constructor(output: Output, variables: Variables) {
    this.#output = output;
    this.paint = paintFor(output, variables);
    this.isLive = output.isTTY === true && variables['TERM'] !== 'dumb' && !isSet(variables['CI']);
  }

  /** Columns, asked anew each time: windows change. */
  get width(): number {
    return widthOf(this.#output);
  }

  /** Writes finished lines. The text is written as it is: callers make it safe. */
  print(text: string): void {
    this.#output.write(`${this.#erasure()}${text}\n${this.#liveText()}`);
  }

  /** Shows the live line, or replaces it; without a terminal it does nothing. */
  showLive(text: string): void {
    if (!this.isLive || text === this.#live) return;
    const erasure = this.#erasure();
    this.#live = text;
    this.#output.write(erasure + this.#liveText());
  }

  /** Takes the live line off. */
  clearLive(): void {
    const erasure = this.#erasure();
    this.#live = '';
    if (erasure !== '') this.#output.write(erasure);
  }

  [Symbol.dispose](): void {
    this.clearLive();
  }

  #erasure(): string {
    return this.#live === '' ? '' : ERASE_LINE;
  }

  #liveText(): string {
    return this.#live === '' ? '' : NO_WRAP + this.#live + WRAP;
  }
}

/** Colours where a person looks: a terminal, no NO_COLOR (no-color.org: any value but the empty one), not a dumb one. */
export function paintFor(output: Output, variables: Variables): Paint {
  if (isSet(variables['NO_COLOR'])) return PLAIN;
  if (isSet(variables['FORCE_COLOR']) && variables['FORCE_COLOR'] !== '0') return COLOURED;
  return output.isTTY === true && variables['TERM'] !== 'dumb' ? COLOURED : PLAIN;
}

/** Columns of an output, {@link USUAL_WIDTH} where it does not say. */
export function widthOf({ columns }: Output): number {
  return columns !== undefined && columns > 0 ? columns : USUAL_WIDTH;
}

/** The width at which lines are folded: that of a terminal, and none for programs that read them. */
export function foldWidthOf(output: Output): number {
  return output.isTTY === true ? widthOf(output) : Number.POSITIVE_INFINITY;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
