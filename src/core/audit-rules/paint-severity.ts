import type { PaintFigure } from '../../model/paint.ts';
import type { Severity } from '../../model/finding.ts';

interface PaintBounds {
  /** Up to which a figure is good, and up to which it is not yet poor. */
  readonly good: number;
  readonly fair: number;
}

/** Of web.dev; they were made for the figures of many readers, and are taken here for those of one machine. */
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
