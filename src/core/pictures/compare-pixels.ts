/**
 * Compares two pictures pixel by pixel, and gathers differing pixels into regions. Pixels differ by their perceived colours (pixelmatch,
 * after Kotsarenko & Ramos 2010); those that only smooth an edge otherwise are told apart (after Vyšniauskas 2009) and are no difference.
 */
import pixelmatch from 'pixelmatch';
import type { Pixels } from '../../base/decode-png.ts';
import { regionsOf, type PictureRegion } from './picture-regions.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Values of a byte of {@link PictureDifference.mask}. */
export const MASK = { same: 0, different: 1, smoothed: 2 } as const;

export interface PictureDifference {
  readonly before: Size;
  readonly after: Size;
  /** The part that both have, from the upper left corner. */
  readonly common: Size;
  /** Pixels of the common part that differ. */
  readonly different: number;
  /** Pixels of it that differ as smoothed edges do; they do not count. */
  readonly smoothed: number;
  /** Pixels that only one of the pictures has. */
  readonly uncompared: number;
  /** Share of all pixels that differ, or that only one has; 0 to 1. */
  readonly share: number;
  /** Regions of the common part that differ, the largest first; at most 50. */
  readonly regions: readonly PictureRegion[];
  /** Number of all regions. */
  readonly regionsTotal: number;
  /** A byte for each pixel of the common part. */
  readonly mask: Uint8Array;
}

/** Rows that are compared at once. */
const BAND = 512;
/** Rows around a band that its verdicts depend on: neighbours, and theirs. */
const EDGE = 3;
/** Difference of colours that the eye does not see: pixelmatch's default, where 1 is black against white. */
const COLOUR_THRESHOLD = 0.1;

/** Time and memory grow with the pixels: some 15 to 50 ms and a megabyte for a million of them. */
export function comparePixels(before: Pixels, after: Pixels): PictureDifference {
  const common = { width: Math.min(before.width, after.width), height: Math.min(before.height, after.height) };
  const mask = new Uint8Array(common.width * common.height);
  let different = 0;
  let smoothed = 0;
  for (let top = 0; top < common.height; top += BAND) {
    const found = compareBand({ before, after, top, ...common }, mask);
    different += found.different;
    smoothed += found.smoothed;
  }
  const [areaBefore, areaAfter, area] = [before, after, common].map(({ width, height }) => width * height);
  const uncompared = (areaBefore ?? 0) + (areaAfter ?? 0) - 2 * (area ?? 0);
  const all = (areaBefore ?? 0) + (areaAfter ?? 0) - (area ?? 0);
  return {
    before: sizeOf(before),
    after: sizeOf(after),
    common,
    different,
    smoothed,
    uncompared,
    share: all === 0 ? 0 : (different + uncompared) / all,
    ...regionsOf(mask, common.width),
    mask,
  };
}

function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

interface Band extends Size {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly top: number;
}

function compareBand(
  { before, after, top, width, height }: Band,
  mask: Uint8Array,
): Pick<PictureDifference, 'different' | 'smoothed'> {
  const bottom = Math.min(height, top + BAND);
  const first = Math.max(0, top - EDGE);
  const last = Math.min(height, bottom + EDGE);
  const [old, now] = [rowsOf(before, { first, last, width }), rowsOf(after, { first, last, width })];
  const counts = { different: 0, smoothed: 0 };
  if (isSame(old, now)) return counts;
  const found = new Uint8Array(old.length);
  pixelmatch(old, now, found, width, last - first, { threshold: COLOUR_THRESHOLD, ...MARKS });
  const offset = (top - first) * width;
  for (let pixel = 0; pixel < (bottom - top) * width; pixel++) {
    const at = (offset + pixel) * 4;
    if (found[at + 2] === 255) continue;
    const verdict = found[at + 1] === 0 ? 'different' : 'smoothed';
    mask[top * width + pixel] = MASK[verdict];
    counts[verdict] += 1;
  }
  return counts;
}

/** Compares whole pixels; false where the data is not aligned for that. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if ((one.byteOffset | other.byteOffset) % 4 !== 0) return false;
  const [ones, others] = [one, other].map(
    ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
  );
  if (ones === undefined || others === undefined) return false;
  for (let at = 0; at < ones.length; at++) if (ones[at] !== others[at]) return false;
  return true;
}

/** Equal pixels become white, differing ones red, smoothed edges yellow: a mask would leave the edges out. */
const MARKS = {
  alpha: 0,
  diffColor: [255, 0, 0] as [number, number, number],
  aaColor: [255, 255, 0] as [number, number, number],
};

function rowsOf(
  { width, data }: Pixels,
  part: { readonly first: number; readonly last: number; readonly width: number },
): Uint8Array {
  const { first, last } = part;
  if (width === part.width) return data.subarray(first * width * 4, last * width * 4);
  const rows = new Uint8Array((last - first) * part.width * 4);
  for (let y = first; y < last; y++)
    rows.set(data.subarray(y * width * 4, (y * width + part.width) * 4), (y - first) * part.width * 4);
  return rows;
}
