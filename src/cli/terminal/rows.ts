/** Titles at the left with their lines beside them, folded to the width of the terminal. */
import { stripVTControlCharacters } from 'node:util';
import type { Paint } from './paint.ts';

export interface Row {
  readonly title: string;
  /** Safe for a terminal; blanks at the start of a line stay. Without any the row is left out. */
  readonly lines: readonly string[];
}

const TITLE_GAP = 2;
/** Columns below which a title stands on a line of its own. */
const NARROW = 50;
const FOLD_INDENT = 2;
/** Blanks at the start, behind escapes of colour. */
// oxlint-disable-next-line no-control-regex -- escapes of our own paint
const LEADING = /^((?:\u001b\[\d+m)*) +/;

/** @param width columns */
export function rowsText(
  rows: readonly Row[],
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const filled = rows.filter(({ lines }) => lines.length > 0);
  const indent = width < NARROW ? FOLD_INDENT : Math.max(0, ...filled.map(({ title }) => title.length)) + TITLE_GAP;
  return filled.flatMap((row) => rowLines(row, { indent, width, paint })).join('\n');
}

interface Place {
  readonly indent: number;
  readonly width: number;
  readonly paint: Paint;
}

function rowLines({ title, lines }: Row, { indent, width, paint }: Place): readonly string[] {
  const folded = lines.flatMap((line) => fold(line, width - indent));
  const margin = ' '.repeat(indent);
  if (title.length + TITLE_GAP > indent) return [paint.faint(title), ...folded.map((line) => margin + line)];
  return folded.map((line, index) => (index === 0 ? paint.faint(title.padEnd(indent)) : margin) + line);
}

/**
 * Breaks a line at its blanks. A word that is longer than the width stays whole: it is a URL or a path, which one wants to
 * copy, and the terminal breaks it anyhow.
 */
export function fold(line: string, width: number): readonly string[] {
  if (lengthOf(line) <= width) return [line];
  const start = /^ */.exec(stripVTControlCharacters(line))?.[0] ?? '';
  const [first = '', ...words] = line.replace(LEADING, '$1').split(' ');
  const lines: string[] = [];
  let current = start + first;
  for (const word of words) {
    if (lengthOf(`${current} ${word}`) <= width) {
      current += ` ${word}`;
    } else {
      lines.push(current);
      current = start + ' '.repeat(FOLD_INDENT) + word;
    }
  }
  return [...lines, current];
}

function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
