/** Paint measurements, made in real time after a crawl: measurements.json of its folder (docs/audit.md, "Paint"). */

/** The browser's report of one load; only its shape is validated. Times are milliseconds from the navigation. */
export interface RawPaint {
  readonly url: string;
  readonly firstPaint: number | null;
  readonly largestPaint: number | null;
  /** Opening tags of the largest painted element and of the one that moved most; '' where not known. */
  readonly largest: string;
  readonly moved: string;
  /** Layout shifts that no input caused. */
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
  /** Total blocking time, ms: the time of tasks beyond 50 ms each, from the first contentful paint on. */
  readonly tbt: number;
  /** Tasks of 50 ms and more. */
  readonly longTasks: number;
}

/** Metrics with limits of their own. */
export type PaintFigure = 'lcp' | 'cls' | 'tbt';

export interface MeasuredPage {
  readonly url: string;
  /** Number of the crawl's pages with its template. */
  readonly alike: number;
  readonly loads: readonly PaintMetrics[];
  /** Median of each metric by itself; null where too few loads could be measured. */
  readonly median: PaintMetrics | null;
  readonly largest: string;
  readonly moved: string;
  /** Reason why a load could not be measured; null where all could. */
  readonly failure: string | null;
}

/** The machine that measured: the metrics depend on it as much as on the site. */
interface MeasuringMachine {
  readonly cores: number;
  /** Load average of one minute (processes that wanted to run), before and after. */
  readonly load: readonly [before: number, after: number];
  readonly browser: string;
  readonly viewport: string;
}

export interface Measurements {
  /** Loads per page. */
  readonly loads: number;
  readonly machine: MeasuringMachine;
  readonly pages: readonly MeasuredPage[];
  /** Templates without a measured page, because there are too many or the crawl was stopped. */
  readonly left: number;
}
