/** Pictures that tests draw. */
import type { Pixels } from '../../src/base/decode-png.ts';

type Colour = readonly [red: number, green: number, blue: number];
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A picture of one colour with boxes of others. */
export function drawn(
  size: { readonly width: number; readonly height: number },
  boxes: readonly (Box & { readonly colour: Colour })[] = [],
  ground: Colour = [255, 255, 255],
): Pixels {
  const { width, height } = size;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (const { x, y, colour, ...box } of [{ x: 0, y: 0, ...size, colour: ground }, ...boxes]) {
    for (let row = y; row < y + box.height; row++)
      for (let column = x; column < x + box.width; column++) data.set(colour, (row * width + column) * 4);
  }
  return { width, height, data };
}
