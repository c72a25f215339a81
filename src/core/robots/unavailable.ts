/** The meaning of an answer for robots.txt by its status (RFC 9309 section 2.3.1). No answer counts as a server error. */
import { hours, type Milliseconds } from '../../base/units.ts';

/** Section 2.4: a copy should not be used for longer, unless robots.txt is unreachable. */
export const ROBOTS_KEEP_LIMIT: Milliseconds = hours(24);
/** Section 2.3.1.4: after a reasonably long time ("for example, 30 days") an unreachable file counts as not there. */
export const ROBOTS_LAST_COPY_LIMIT: Milliseconds = hours(30 * 24);

/** read: the body counts. allow, disallow: everything. */
type RobotsAccess = 'read' | 'allow' | 'disallow';

/** @param status of the last answer; a redirect here is one that was not followed any more */
export function accessAfter(status: number): RobotsAccess {
  if (status >= 200 && status < 300) return 'read'; // section 2.3.1.1
  if (status >= 300 && status < 400) return 'allow'; // section 2.3.1.2: after five redirects it may count as not there
  if (status === 429) return 'disallow'; // "not now" is not "no rules"; taken as 5xx, as Google does
  if (status >= 400 && status < 500) return 'allow'; // section 2.3.1.3
  return 'disallow'; // section 2.3.1.4
}
