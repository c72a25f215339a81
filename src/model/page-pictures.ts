/** Pictures of a page in several viewport sizes, with the places of its elements in them. */

export interface ViewportSize {
  readonly width: number;
  readonly height: number;
}

/** An element and its place in a picture, in pixels from the upper left corner. */
export interface ElementBox {
  readonly selector: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PagePicture {
  readonly viewport: ViewportSize;
  /** JPEG or PNG. */
  readonly picture: Uint8Array;
  /** Empty where places are not recorded. */
  readonly boxes: readonly ElementBox[];
}

/** Most elements of a picture whose places are kept, from the first; containers come before their contents. */
export const BOXES_KEPT = 1500;
/** Most characters of a selector. */
export const SELECTOR_LENGTH = 200;

/** Name of a viewport in records and file names. */
export function viewportName({ width, height }: ViewportSize): string {
  return `${width}x${height}`;
}
