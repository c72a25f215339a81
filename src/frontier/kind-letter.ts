import type { Candidate } from '../model/candidate.ts';
import { letterOfKind, LINK_KINDS } from '../model/link-kinds.ts';

/** A seed is no link, and has a letter of its own. */
const SEED_LETTER = 's';

const KINDS: ReadonlyMap<string, Candidate['kind']> = new Map<string, Candidate['kind']>([
  [SEED_LETTER, 'seed'],
  ...LINK_KINDS.map((kind) => [letterOfKind(kind), kind] as const),
]);

/**
 * How a URL was found and how sure that was, as it is kept while the URL is pending. The letter of a speculative link, a URL that only links of
 * low confidence named so far, is a capital one.
 */
export function kindMark({ kind, confidence }: Pick<Candidate, 'kind' | 'confidence'>): string {
  const letter = kind === 'seed' ? SEED_LETTER : letterOfKind(kind);
  return confidence === 'low' ? letter.toUpperCase() : letter;
}

/** @throws {TypeError} where no kind has the letter. */
export function kindOfMark(mark: string): Pick<Candidate, 'kind' | 'confidence'> {
  const letter = mark.toLowerCase();
  const kind = KINDS.get(letter);
  if (kind === undefined) throw new TypeError(`no kind of link has the letter ${mark}`);
  return { kind, confidence: mark === letter ? 'high' : 'low' };
}
