import { between, epochMs, hours, milliseconds, seconds, type EpochMs, type Milliseconds } from '../../base/units.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';

/** Retry-After is honoured for at least this long. */
const RETRY_AFTER_LEAST: Milliseconds = seconds(1);
/** And for at most this long, where the user does not say otherwise: somebody waits for the crawl. */
const RETRY_AFTER_MOST: Milliseconds = hours(1);
/** Longer times (than 30,000 years) count as this, so that sums stay exact. */
const LONGEST_SECONDS = 1e12;

interface AskedWait {
  readonly asked: Milliseconds;
  /** The part of it that the host gets. */
  readonly granted: Milliseconds;
}

/** The time that a host asked to be left alone, and the time it gets; null where it asked for none. @param most that is granted */
export function askedWait(outcome: VisitOutcome, most: Milliseconds = RETRY_AFTER_MOST): AskedWait | null {
  const asked = outcome.kind === 'throttled' || outcome.kind === 'unreachable' ? (outcome.retryAfter ?? null) : null;
  if (asked === null) return null;
  return { asked, granted: milliseconds(Math.min(Math.max(asked, RETRY_AFTER_LEAST), most)) };
}

/** Words for a host that gets less than it asked for; null where it gets all of it. */
export function cutWords({ asked, granted }: AskedWait): string | null {
  if (granted >= asked) return null;
  return `the host asked to wait ${asked / 1000} s (Retry-After), of which ${granted / 1000} s are granted (--max-retry-after)`;
}

/**
 * The wait that a Retry-After header asks for (RFC 9110 section 10.2.3): seconds, or an HTTP date. Not clamped here.
 * @returns null where there is none, or it cannot be understood; 0 where the date has passed
 */
export function parseRetryAfter(value: string | null, now: EpochMs): Milliseconds | null {
  const text = value?.trim() ?? '';
  // Fractions and exponents are not in the RFC, but are sent.
  if (/^\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text)) return seconds(Math.min(Number(text), LONGEST_SECONDS));
  const date = httpDate(text, now);
  return date === null ? null : between(now, date);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The three forms of RFC 9110 section 5.6.7; Date.parse would take `12` and `tomorrow 5` for dates, too. */
const IMF_FIXDATE = /^[a-z]{3}, (\d{1,2}) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) (?:gmt|utc)$/;
const RFC_850 = /^[a-z]{6,9}, (\d{1,2})-([a-z]{3})-(\d\d) (\d\d):(\d\d):(\d\d) (?:gmt|utc)$/;
const ASCTIME = /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/;

function httpDate(value: string, now: EpochMs): EpochMs | null {
  const text = value.toLowerCase();
  const fixed = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text);
  if (fixed !== null) {
    const [, day, month, year, hour, minute, second] = fixed;
    return moment([fullYear(year, now), month, day, hour, minute, second]);
  }
  const asctime = ASCTIME.exec(text);
  if (asctime === null) return null;
  const [, month, day, hour, minute, second, year] = asctime;
  return moment([year, month, day, hour, minute, second]);
}

/** Two digits that would lie more than 50 years ahead mean the past (RFC 9110). */
function fullYear(year: string | undefined, now: EpochMs): string | undefined {
  if (year === undefined || year.length === 4) return year;
  const present = new Date(now).getUTCFullYear();
  const ahead = present - (present % 100) + Number(year);
  return String(ahead > present + 50 ? ahead - 100 : ahead);
}

function moment(parts: readonly (string | undefined)[]): EpochMs | null {
  const [year, name, day, hour, minute, second] = parts;
  const month = MONTHS.indexOf(name ?? '');
  if (
    month === -1 ||
    Number(day) < 1 ||
    Number(day) > 31 ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 60
  )
    return null;
  return epochMs(Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second)));
}
