import { seconds, type Milliseconds } from '../../base/units.ts';

/** Between five tries to look a name up that nobody could tell: from 1 s to 90 s, each about 4.5 times the one before (Mercator). */
export const NAME_RETRY_WAITS: readonly Milliseconds[] = [seconds(1), seconds(4.5), seconds(20), seconds(90)];
