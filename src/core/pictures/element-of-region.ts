/** Finds the element of a page that a region of its picture belongs to. */
import type { ElementBox } from '../../model/page-pictures.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels by which a region may stand out of its element: shadows and smoothed edges do. */
const SLACK = 3;

/** The selector of the smallest element that contains the region; of equal ones the innermost. Null where none does. */
export function elementOfRegion(region: Box, boxes: readonly ElementBox[]): string | null {
  let best: ElementBox | null = null;
  for (const box of boxes) {
    if (contains(box, region) && (best === null || areaOf(box) <= areaOf(best))) best = box;
  }
  return best?.selector ?? null;
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x - SLACK &&
    inner.y >= outer.y - SLACK &&
    inner.x + inner.width <= outer.x + outer.width + SLACK &&
    inner.y + inner.height <= outer.y + outer.height + SLACK
  );
}

function areaOf({ width, height }: Box): number {
  return width * height;
}
