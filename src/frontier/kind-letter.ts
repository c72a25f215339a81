import type { Candidate } from '../model/candidate.ts';
import type { Visit } from '../model/visit.ts';
import { letterOfKind, LINK_KINDS } from '../model/link-kinds.ts';

/** Seeds and probes are not links, so they have letters of their own. */
const SEED_LETTER = 's';
/** Same as in lua/includes/entries.lua. */
const PROBE_LETTER = 'z';

const KINDS: ReadonlyMap<string, Candidate['kind']> = new Map<string, Candidate['kind']>([
  [SEED_LETTER, 'seed'],
  [PROBE_LETTER, 'probe'],
  ...LINK_KINDS.map((kind) => [letterOfKind(kind), kind] as const),
]);

/**
 * Letter for the kind and confidence of a pending URL. It is a capital for a speculative link, that is, a URL that only
 * low-confidence links lead to so far.
 */
export function kindMark({ kind, confidence }: Pick<Candidate, 'kind' | 'confidence'>): string {
  const letter = letterOf(kind);
  return confidence === 'low' ? letter.toUpperCase() : letter;
}

function letterOf(kind: Candidate['kind']): string {
  if (kind === 'seed') return SEED_LETTER;
  return kind === 'probe' ? PROBE_LETTER : letterOfKind(kind);
}

/** Follows the letter in lease.lua's reply for a second visit; hashes of the links that the first visit recorded come after it. */
const AGAIN = '+';

/** The hashes in stored form. */
export function recordedText(recorded: readonly number[]): string {
  return recorded.map((hash) => hash.toString(36)).join(',');
}

/** @throws {TypeError} where no kind has the letter. */
export function kindOfMark(mark: string): Pick<Visit, 'kind' | 'confidence' | 'again' | 'recorded'> {
  const [first = '', recorded] = mark.split(AGAIN);
  if (recorded === undefined) return kindOfLetter(mark);
  const hashes = recorded === '' ? {} : { recorded: recorded.split(',').map((text) => Number.parseInt(text, 36)) };
  return { ...kindOfLetter(first), again: true, ...hashes };
}

function kindOfLetter(mark: string): Pick<Candidate, 'kind' | 'confidence'> {
  const letter = mark.toLowerCase();
  const kind = KINDS.get(letter);
  if (kind === undefined) throw new TypeError(`no kind of link has the letter ${mark}`);
  return { kind, confidence: mark === letter ? 'high' : 'low' };
}
