/** Pictures of a page in windows of several sizes, and where its elements stand in them. */

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
  /** Empty where they are not recorded. */
  readonly boxes: readonly ElementBox[];
}

/** Elements of a picture whose places are kept; those that come first, containers before what they contain. */
export const BOXES_KEPT = 1500;
/** Characters of a selector. */
export const SELECTOR_LENGTH = 200;

/** What a viewport is called in records and names of files. */
export function viewportName({ width, height }: ViewportSize): string {
  return `${width}x${height}`;
}
