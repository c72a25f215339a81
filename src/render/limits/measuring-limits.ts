/** Limits of measurements in real time. Numbers without a source are arbitrary. */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** Until the load event. */
export const LOAD_TIME: Milliseconds = milliseconds(30_000);
/** After the load event: shifts and tasks come late, and the largest paint may, too. */
export const LATER_TIME: Milliseconds = milliseconds(2000);
/** How often it is looked for the load event. */
export const LOAD_LOOK: Milliseconds = milliseconds(50);
/** Of a list of the browser. */
export const ENTRIES = 200;
/** Milliseconds of a figure. */
export const LONGEST = 600_000;
