/** Finds the regions where pictures differ: boxes that a person would draw around pixels that are near each other. */

export interface PictureRegion {
  /** Upper left corner, in pixels of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pixels in it that differ. */
  readonly pixels: number;
}

/** Side of the squares by which pixels are gathered; the letters of a word are nearer to each other than two of them. */
const CELL = 8;
/** Squares between two parts of a region: parts 24 pixels apart are separate regions. */
const REACH = 2;
const MOST_REGIONS = 50;

interface Open {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

/** @param mask a byte for each pixel; 1 where they differ */
export function regionsOf(
  mask: Uint8Array,
  width: number,
): { readonly regions: readonly PictureRegion[]; readonly regionsTotal: number } {
  const columns = Math.ceil(width / CELL);
  const rows = width === 0 ? 0 : Math.ceil(mask.length / width / CELL);
  const cells = new Int32Array(columns * rows); // 0: nothing; -1: something, of no region yet; else the number of its region
  each(mask, width, (x, y) => (cells[Math.floor(y / CELL) * columns + Math.floor(x / CELL)] = -1));
  let count = 0;
  for (let cell = 0; cell < cells.length; cell++)
    if (cells[cell] === -1) fill(cells, { cell, columns, number: ++count });
  const open = Array.from({ length: count }, (): Open => ({
    left: Infinity,
    top: Infinity,
    right: 0,
    bottom: 0,
    pixels: 0,
  }));
  each(mask, width, (x, y) => {
    const region = open[(cells[Math.floor(y / CELL) * columns + Math.floor(x / CELL)] ?? 0) - 1];
    if (region !== undefined) grow(region, x, y);
  });
  const regions = open
    .sort((one, other) => other.pixels - one.pixels)
    .slice(0, MOST_REGIONS)
    .map(({ left, top, right, bottom, pixels }) => ({
      x: left,
      y: top,
      width: right - left + 1,
      height: bottom - top + 1,
      pixels,
    }));
  return { regions, regionsTotal: count };
}

function each(mask: Uint8Array, width: number, visit: (x: number, y: number) => void): void {
  for (let at = mask.indexOf(1); at !== -1; at = mask.indexOf(1, at + 1)) visit(at % width, Math.floor(at / width));
}

function grow(region: Open, x: number, y: number): void {
  region.left = Math.min(region.left, x);
  region.right = Math.max(region.right, x);
  region.top = Math.min(region.top, y);
  region.bottom = Math.max(region.bottom, y);
  region.pixels += 1;
}

/** Gives the number to a square and to all that it is connected with. */
function fill(
  cells: Int32Array,
  { cell, columns, number }: { readonly cell: number; readonly columns: number; readonly number: number },
): void {
  const rows = cells.length / columns;
  const waiting = [cell];
  cells[cell] = number;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    for (let y = Math.max(0, row - REACH); y <= Math.min(rows - 1, row + REACH); y++) {
      for (let x = Math.max(0, column - REACH); x <= Math.min(columns - 1, column + REACH); x++) {
        const near = y * columns + x;
        if (cells[near] !== -1) continue;
        cells[near] = number;
        waiting.push(near);
      }
    }
  }
}
