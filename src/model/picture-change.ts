/** Two pictures of a page that differ: for comparisons and reports. */
export interface PictureChange {
  /** The page as it is now. */
  readonly url: string;
  /** `375x812`; `first` for the crawl's own viewport. */
  readonly viewport: string;
  /** Paths in the folder of the new crawl; null where there is no such picture. */
  readonly before: string | null;
  readonly after: string | null;
  readonly difference: string | null;
  /** Sizes in pixels, before and now. */
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  /** Share of all pixels that differ, 0 to 1; without known noise. */
  readonly share: number;
  /** Pixels that only one of the two has. */
  readonly uncompared: number;
  readonly regionsTotal: number;
  /** Regions that differ, the largest first. */
  readonly regions: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** Number of pixels that differ. */
    readonly pixels: number;
    /** CSS selector of the element that it belongs to; null where that is not known. */
    readonly selector: string | null;
  }[];
}
