/**
 * Locality-sensitive hashing (Mining of Massive Datasets, section 3.4): a signature is cut into bands, and two texts are
 * compared where one of their bands is equal. At a similarity of J, the probability of that is 1 - (1 - J^rows)^bands.
 */
import { COMPONENTS } from './minhash.ts';

export interface Banding {
  readonly bands: number;
  /** Components of a band. */
  readonly rows: number;
}

interface Choice extends Banding {
  /** The least similarity at which 99 of 100 pairs are found. */
  readonly from: number;
}

/**
 * The fewest bands that find enough pairs: 12 x 10 finds 99.4 % at .9, 16 x 8 99.4 % at .85 (design/duplicates-and-traps,
 * "Banding").
 */
const CHOICES: readonly Choice[] = [
  { from: 0.9, bands: 12, rows: 10 },
  { from: 0.85, bands: 16, rows: 8 },
  { from: 0.76, bands: 21, rows: 6 },
  { from: 0.7, bands: 25, rows: 5 },
  { from: 0.5, bands: 42, rows: 3 },
];

/** The least similarity that may be asked for: below it, texts differ in more shingles than they share. */
export const LEAST_THRESHOLD = 0.5;

/** @param threshold similarity from which on texts are to be found alike, LEAST_THRESHOLD to 1 */
export function bandingFor(threshold: number): Banding {
  const { bands, rows } = CHOICES.find(({ from }) => threshold >= from) ?? { bands: 42, rows: 3 };
  return { bands, rows };
}

/** The probability that two texts are compared. */
export function candidateProbability(similarity: number, { bands, rows }: Banding): number {
  return 1 - (1 - similarity ** rows) ** bands;
}

/** Two components of one byte are equal by chance in one of 256 cases. */
const BYTE = 256;

/** The lowest byte of each component; only it is kept. */
export function lowBytes(components: Uint32Array): Uint8Array {
  return Uint8Array.from(components);
}

/** Similarity by the share of equal bytes, less those that are equal by chance (b-bit MinHash, Li & König, WWW 2010). */
export function similarityOfBytes(equal: number, of: number = COMPONENTS): number {
  return Math.max(0, (equal / of - 1 / BYTE) / (1 - 1 / BYTE));
}

/** The number of equal bytes of a signature that mean at least this similarity. */
export function equalBytesFor(similarity: number, of: number = COMPONENTS): number {
  return Math.min(of, Math.ceil((similarity * (1 - 1 / BYTE) + 1 / BYTE) * of - 1e-9));
}
