/** Draws the difference of two pictures: the later one faded, differing pixels red, smoothed edges yellow, pixels of only one blue. */
import type { Pixels } from '../../base/decode-png.ts';
import { MASK, type PictureDifference } from './compare-pixels.ts';

/** Strength of the faded picture; the rest is white. */
const STRENGTH = 0.25;
const RED = [214, 0, 40] as const;
const YELLOW = [240, 190, 0] as const;
const BLUE = [120, 160, 230] as const;
/** Width of the frame around a region, and its distance from it. */
const FRAME = 2;

/** As wide as the wider one and as high as the higher one. */
export function differencePicture(after: Pixels, difference: PictureDifference): Pixels {
  const { common, mask, regions } = difference;
  const width = Math.max(difference.before.width, difference.after.width);
  const height = Math.max(difference.before.height, difference.after.height);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 4;
      data[to + 3] = 255;
      const value = x < common.width && y < common.height ? mask[y * common.width + x] : undefined;
      if (value === undefined) paint(data, to, BLUE);
      else if (value === MASK.same) fade(data, to, after.data, (y * after.width + x) * 4);
      else paint(data, to, value === MASK.different ? RED : YELLOW);
    }
  }
  for (const region of regions) outline({ width, height, data }, region);
  return { width, height, data };
}

function paint(data: Uint8Array, to: number, [red, green, blue]: readonly [number, number, number]): void {
  data[to] = red;
  data[to + 1] = green;
  data[to + 2] = blue;
}

function fade(data: Uint8Array, to: number, from: Uint8Array, at: number): void {
  const grey = 0.299 * (from[at] ?? 0) + 0.587 * (from[at + 1] ?? 0) + 0.114 * (from[at + 2] ?? 0);
  const light = 255 - (255 - grey) * STRENGTH;
  paint(data, to, [light, light, light]);
}

function outline(
  { width, height, data }: Pixels,
  region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const outer = FRAME * 2;
  const [left, top] = [region.x - outer, region.y - outer];
  const [right, bottom] = [region.x + region.width + outer, region.y + region.height + outer];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    const isEdgeRow = y < top + FRAME || y >= bottom - FRAME;
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      if (isEdgeRow || x < left + FRAME || x >= right - FRAME) paint(data, (y * width + x) * 4, RED);
    }
  }
}
