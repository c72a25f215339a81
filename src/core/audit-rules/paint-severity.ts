import type { PaintFigure } from '../../model/paint.ts';
import type { Severity } from '../../model/finding.ts';

interface PaintBounds {
  /** Upper bounds: `good` of a good figure, `fair` of one that is not yet poor. */
  readonly good: number;
  readonly fair: number;
}

/** Bounds of web.dev, made for figures of many readers; applied here to those of one machine. */
const BOUNDS: Readonly<Record<PaintFigure, PaintBounds>> = {
  /** Milliseconds: https://web.dev/articles/lcp */
  lcp: { good: 2500, fair: 4000 },
  /** https://web.dev/articles/cls */
  cls: { good: 0.1, fair: 0.25 },
  /** Milliseconds: https://web.dev/articles/tbt for good, and the scoring of Lighthouse on phones for poor. */
  tbt: { good: 200, fair: 600 },
};

/** Null for a figure that is good. */
export function paintSeverity(name: PaintFigure, value: number): Severity | null {
  const { good, fair } = BOUNDS[name];
  if (value <= good) return null;
  return value <= fair ? 'notice' : 'warning';
}
