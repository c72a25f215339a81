import { seconds, type Milliseconds } from '../../base/units.ts';

/** Waits between five attempts to resolve a name that gave no answer: from 1 s to 90 s, each about 4.5 times the one before (Mercator). */
export const NAME_RETRY_WAITS: readonly Milliseconds[] = [seconds(1), seconds(4.5), seconds(20), seconds(90)];
/** The same where no name was ever resolved: a machine without DNS should say so soon, and a server that starts late needs seconds. */
export const FIRST_NAME_RETRY_WAITS: readonly Milliseconds[] = NAME_RETRY_WAITS.slice(0, 2);
