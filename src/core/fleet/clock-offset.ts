/**
 * Estimates how far another clock is ahead of one's own, by questions to it. It was read at some moment between question and answer: the
 * shorter that span, the surer the answer. So the surest answer counts until a later one is as sure (Cristian 1989; NTP's clock filter does
 * the same).
 */
import type { Milliseconds } from '../../base/units.ts';

export interface OffsetSample {
  /** Milliseconds by which the other clock is ahead. */
  readonly offset: number;
  /** The most by which it may be more or less. */
  readonly uncertainty: number;
  /** When it was taken, on the monotonic clock. */
  readonly at: Milliseconds;
}

/** The fastest drift between clocks of machines: 100 ppm (arbitrary; crystals have 20 to 50). */
const DRIFT = 1e-4;
/** Milliseconds that no drift explains: a clock was set. */
const STEP = 500;

/** @param asked, answered by one's own clock; @param other time that the other clock said in between */
export function offsetSample(
  other: number,
  { asked, answered }: { readonly asked: number; readonly answered: number },
  at: Milliseconds,
): OffsetSample {
  return { offset: other - (asked + answered) / 2, uncertainty: (answered - asked) / 2, at };
}

/** The surer one of two samples at the time when the later one was taken. */
export function surer(before: OffsetSample | null, sample: OffsetSample): OffsetSample {
  if (before === null) return sample;
  const aged = before.uncertainty + (sample.at - before.at) * DRIFT;
  return aged < sample.uncertainty ? before : sample;
}

/** Was one of the clocks set between two samples? */
export function isStep(before: OffsetSample, sample: OffsetSample): boolean {
  return Math.abs(sample.offset - before.offset) > before.uncertainty + sample.uncertainty + STEP;
}
