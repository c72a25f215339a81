/** Two pictures of a page that differ, as comparisons tell it and reports show it. */
export interface PictureChange {
  /** The page as it is now. */
  readonly url: string;
  /** `375x812`; `first` for the window of the crawl. */
  readonly viewport: string;
  /** Paths in the folder of the new crawl; null where there is no such picture. */
  readonly before: string | null;
  readonly after: string | null;
  readonly difference: string | null;
  /** In pixels, before and now. */
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  /** Of all pixels, 0 to 1; without known noise. */
  readonly share: number;
  /** Pixels that only one of the two has. */
  readonly uncompared: number;
  readonly regionsTotal: number;
  /** The largest first. */
  readonly regions: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** That differ. */
    readonly pixels: number;
    /** Of the element that it belongs to; null where that is not known. */
    readonly selector: string | null;
  }[];
}
