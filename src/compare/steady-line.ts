import { steadyText } from '../core/diff/volatile.ts';
import { withoutMoments } from '../core/fingerprint/normal-text.ts';

/** Stands for a date, a time or an age, as it is shown. */
const MOMENT = '‹time›';

/** A line of a text without the parts that change by themselves. */
export function steadyLine(line: string): string {
  return steadyText(withoutMoments(line, MOMENT));
}
