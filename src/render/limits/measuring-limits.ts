/** Limits of measurements in real time. Numbers without a source are arbitrary. */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** Limit until the load event. */
export const LOAD_TIME: Milliseconds = milliseconds(30_000);
/** Time after the load event: shifts and tasks come late, and the largest paint may, too. */
export const LATER_TIME: Milliseconds = milliseconds(2000);
/** Time between two looks for the load event. */
export const LOAD_LOOK: Milliseconds = milliseconds(50);
/** Entries of a list of the browser. */
export const ENTRIES = 200;
/** Largest figure, in milliseconds. */
export const LONGEST = 600_000;
