import { createHash } from 'node:crypto';
import { normalText } from '../core/fingerprint/normal-text.ts';

/** The text of a page: as it came, in its normal form, and that form's SHA-256, hexadecimal. */
export interface PageText {
  readonly raw: string;
  readonly normal: string;
  readonly digest: string;
}

export function pageText(raw: string): PageText {
  const normal = normalText(raw);
  return { raw, normal, digest: createHash('sha256').update(normal).digest('hex') };
}

/** What a record says of a text; of no text it says nothing. */
export function textFields(text: PageText | null): { readonly words: number | null; readonly digest: string | null } {
  if (text === null) return { words: null, digest: null };
  return { words: countWords(text.normal), digest: `sha256:${text.digest}` };
}

function countWords(text: string): number {
  if (text === '') return 0;
  let words = 1;
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) words += 1;
  return words;
}
