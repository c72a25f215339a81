/**
 * A host is visited the more slowly, the longer its server takes to answer (Mercator's 10 times, Heritrix' 5 times the last
 * fetch; design/scheduling, "Politeness"). The scripts of the frontier reckon like this; here the rules stand to be read.
 */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** The pause is so many times what the server takes for an answer (Heritrix' delayFactor). */
const SERVER_TIME_FACTOR = 5;
/** Weight of the last visit in the mean: four visits make three quarters of it. */
const SERVER_TIME_WEIGHT = 0.3;
/** However slow a server is, it is not left alone for longer because of that. */
export const ADAPTIVE_MOST: Milliseconds = seconds(60);

/** The moving mean after a visit. @param sample of the visit; null where it says nothing */
export function meanServerTime(before: Milliseconds | null, sample: Milliseconds | null): Milliseconds | null {
  if (sample === null || before === null) return sample ?? before;
  return milliseconds(before + SERVER_TIME_WEIGHT * (sample - before));
}

interface VisitDelayRequest {
  /** What the user and robots.txt ask for; 0 where a host is not to be waited for at all. */
  readonly hostDelay: Milliseconds;
  /** The moving mean; null where nothing is known. */
  readonly serverTime: Milliseconds | null;
}

/** From the end of a visit to the start of the host's next one. */
export function visitDelay({ hostDelay, serverTime }: VisitDelayRequest): Milliseconds {
  if (hostDelay === 0 || serverTime === null) return hostDelay;
  return milliseconds(Math.max(hostDelay, Math.min(SERVER_TIME_FACTOR * serverTime, ADAPTIVE_MOST)));
}
