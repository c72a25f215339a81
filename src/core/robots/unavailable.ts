/** What it means when robots.txt cannot be had (RFC 9309 section 2.3.1), as data. */
import { hours, minutes, type Milliseconds } from '../../base/units.ts';

/** How an attempt to fetch robots.txt ended. */
export type RobotsAnswer =
  | 'found'
  | 'too-many-redirects'
  | 'not-there'
  | 'asked-to-wait'
  | 'server-error'
  | 'no-answer';

export interface RobotsMeaning {
  /** read: the body counts. allow, disallow: everything; a good copy of the last 30 days goes before `disallow`. */
  readonly access: 'read' | 'allow' | 'disallow';
  /** When robots.txt is asked for again. */
  readonly keepFor: Milliseconds;
}

/** Section 2.3.1.2: redirects that are followed, also to other hosts; the rules hold for the host first asked. */
export const ROBOTS_REDIRECT_LIMIT = 5;
/** Section 2.4: a copy should not be used for longer, unless robots.txt is unreachable. */
export const ROBOTS_KEEP_LIMIT: Milliseconds = hours(24);
/** Section 2.3.1.4: after a reasonably long time ("for example, 30 days") an unreachable file counts as not there. */
export const ROBOTS_LAST_COPY_LIMIT: Milliseconds = hours(30 * 24);

export const ROBOTS_MEANING: Readonly<Record<RobotsAnswer, RobotsMeaning>> = {
  /** Section 2.3.1.1: the rules must be followed. */
  found: { access: 'read', keepFor: ROBOTS_KEEP_LIMIT },
  /** Section 2.3.1.2: after five redirects a crawler may take the file as unavailable. */
  'too-many-redirects': { access: 'allow', keepFor: ROBOTS_KEEP_LIMIT },
  /** Section 2.3.1.3: status 400 to 499; any resource may be visited. */
  'not-there': { access: 'allow', keepFor: ROBOTS_KEEP_LIMIT },
  /** 429 says "not now", not "no rules"; taken as 5xx, as Google does. */
  'asked-to-wait': { access: 'disallow', keepFor: minutes(5) },
  /** Section 2.3.1.4: must be taken as complete disallow. Nutch asks again after 5 minutes, too. */
  'server-error': { access: 'disallow', keepFor: minutes(5) },
  /** Section 2.3.1.4: DNS, connection, TLS or time ran out: the same. */
  'no-answer': { access: 'disallow', keepFor: minutes(5) },
};

/**
 * Which case a status is.
 * @param status of the last answer; null where none came. A redirect here is one that was not followed any more.
 */
export function robotsAnswerOf(status: number | null): RobotsAnswer {
  if (status === null) return 'no-answer';
  if (status === 429) return 'asked-to-wait';
  if (status >= 200 && status < 300) return 'found';
  if (status >= 300 && status < 400) return 'too-many-redirects';
  if (status >= 400 && status < 500) return 'not-there';
  return 'server-error';
}
