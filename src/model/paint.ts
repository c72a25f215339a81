/** How pages are painted, measured in real time when a crawl has ended: measurements.json of its folder (docs/audit.md, "Paint"). */

/** What the browser reported of one load: unchecked but for its shape. Times are milliseconds from the navigation. */
export interface RawPaint {
  readonly url: string;
  readonly firstPaint: number | null;
  readonly largestPaint: number | null;
  /** Opening tag of what was painted largest, and of what moved most; '' where that is not known. */
  readonly largest: string;
  readonly moved: string;
  /** Those that no input had brought about. */
  readonly shifts: readonly { readonly at: number; readonly value: number }[];
  /** Tasks of 50 ms and more. */
  readonly tasks: readonly { readonly at: number; readonly duration: number }[];
}

export interface PaintMetrics {
  /** First contentful paint, ms; null where nothing was painted. */
  readonly fcp: number | null;
  /** Largest contentful paint, ms. */
  readonly lcp: number | null;
  /** Cumulative layout shift, without unit. */
  readonly cls: number;
  /** Total blocking time, ms: what tasks took beyond 50 ms each, from the first contentful paint on. */
  readonly tbt: number;
  /** Tasks of 50 ms and more. */
  readonly longTasks: number;
}

/** Figures with bounds of their own. */
export type PaintFigure = 'lcp' | 'cls' | 'tbt';

export interface MeasuredPage {
  readonly url: string;
  /** Pages of the crawl that have its template. */
  readonly alike: number;
  readonly loads: readonly PaintMetrics[];
  /** Of each figure by itself; null where too few loads could be measured. */
  readonly median: PaintMetrics | null;
  readonly largest: string;
  readonly moved: string;
  /** Why a load could not be measured; null where all could. */
  readonly failure: string | null;
}

/** The machine that measured: its figures are of it as much as of the site. */
interface MeasuringMachine {
  readonly cores: number;
  /** Processes that wanted to run, on average of a minute: before and after. */
  readonly load: readonly [before: number, after: number];
  readonly browser: string;
  readonly viewport: string;
}

export interface Measurements {
  /** Of each page. */
  readonly loads: number;
  readonly machine: MeasuringMachine;
  readonly pages: readonly MeasuredPage[];
  /** Templates of which no page was measured, for there are too many, or the crawl was stopped. */
  readonly left: number;
}
