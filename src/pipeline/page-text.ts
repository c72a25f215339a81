import { createHash } from 'node:crypto';
import { isCounted, linesOf, withPage, type BoilerplateCounts } from '../core/fingerprint/boilerplate.ts';
import { SKETCH_TEXT_LIMIT } from '../core/fingerprint/content-sketch.ts';
import { normalText } from '../core/fingerprint/normal-text.ts';
import { textFingerprint, type TextFingerprint } from '../core/fingerprint/text-fingerprint.ts';
import type { Offload } from '../offload/offload.ts';
import type { Task, TaskEnd } from '../offload/task.ts';

/** A record's fields about a text. */
export interface TextFigures {
  readonly words: number;
  /** SHA-256 of its normal form, hexadecimal. */
  readonly digest: string;
}

/** The values that pages are compared by. */
interface ComparableText {
  readonly figures: TextFigures;
  /** Fingerprint; its own lines are cut to the length that the page's content sketch uses. */
  readonly fingerprint: TextFingerprint;
  /** The host's line counts including this page; null where the page is not counted. */
  readonly grown: BoilerplateCounts | null;
}

export const TEXT_FIGURES: Task<string, TextFigures> = { name: 'text', run: (raw) => figuresOf(normalText(raw)) };

export const COMPARABLE_TEXT: Task<{ readonly raw: string; readonly boilerplate: BoilerplateCounts }, ComparableText> =
  {
    name: 'text to compare',
    run: ({ raw, boilerplate }) => {
      const normal = normalText(raw);
      const figures = figuresOf(normal);
      const lines = linesOf(raw);
      const fingerprint = textFingerprint(lines, normal, boilerplate);
      const grown = isCounted(boilerplate, figures.digest) ? withPage(boilerplate, lines) : null;
      return { figures, fingerprint: { ...fingerprint, own: beginning(fingerprint.own) }, grown };
    },
  };

export function textFigures(
  { url, text }: { readonly url: string; readonly text: string },
  { offload }: { readonly offload: Offload },
  signal: AbortSignal,
): Promise<TaskEnd<TextFigures>> {
  return offload.run(TEXT_FIGURES, text, { url, size: text.length }, signal);
}

/** The record's fields about a text; empty for a page without one. */
export function textFields(figures: TextFigures | null): {
  readonly words: number | null;
  readonly digest: string | null;
} {
  if (figures === null) return { words: null, digest: null };
  return { words: figures.words, digest: `sha256:${figures.digest}` };
}

function figuresOf(normal: string): TextFigures {
  return { words: countWords(normal), digest: createHash('sha256').update(normal).digest('hex') };
}

/** The lines that fit into the text limit of a sketch, plus the next one. */
function beginning(lines: readonly string[]): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > SKETCH_TEXT_LIMIT;
  });
  return end < 0 ? lines : lines.slice(0, end + 1);
}

function countWords(text: string): number {
  if (text === '') return 0;
  let words = 1;
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) words += 1;
  return words;
}
