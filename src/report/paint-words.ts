/** The measured figures of paint, and the machine that measured them. */
import { counted, grouped } from '../base/count-words.ts';
import type { PaintCoverage } from '../model/finding.ts';

/** Figures are of the machine as much as of the site: its load stands beside them. */
export function paintSentence({ measured, failed, left, loads, cores, load: [before, after] }: PaintCoverage): string {
  const missing = [
    ...(failed === 0 ? [] : [`${grouped(failed)} could not be measured`]),
    ...(left === 0 ? [] : [`${counted(left, 'further template')} left out`]),
  ];
  const busy = Math.max(before, after) > cores ? ': it was busy, and figures of time are too high' : '';
  return `Paint: ${counted(measured, 'page')} measured, one of each template, the median of ${grouped(loads)} loads in real time${missing.length === 0 ? '' : `; ${missing.join(', ')}`}. The machine has ${counted(cores, 'core')}, and a load of ${before.toFixed(1)} before and ${after.toFixed(1)} after${busy}.`;
}
