/** How long a verdict of an earlier audit holds. */
import { hours, type Milliseconds } from '../../base/units.ts';
import type { ExternalRecord, ExternalVerdict } from '../../model/external-record.ts';

const WEEK = hours(7 * 24);
const DAY = hours(24);

/** What works mostly goes on to; what does not is looked at again soon, so that nobody is blamed for the day before. Arbitrary. */
const AGES: Readonly<Record<ExternalVerdict, Milliseconds | null>> = {
  ok: WEEK,
  redirected: WEEK,
  broken: DAY,
  blocked: DAY,
  unsure: DAY,
  'not-asked': null,
};

/** @param now epoch milliseconds; a verdict of the future is none */
export function isYoung({ verdict, looks }: ExternalRecord, now: number): boolean {
  const [age, last] = [AGES[verdict], looks.at(-1)];
  if (age === null || last === undefined) return false;
  const past = now - Date.parse(last.time);
  return past >= 0 && past < age;
}
