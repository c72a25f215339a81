/** Lifetime of a verdict of an earlier audit. */
import { hours, type Milliseconds } from '../../base/units.ts';
import type { ExternalRecord, ExternalVerdict } from '../../model/external-record.ts';

const WEEK = hours(7 * 24);
const DAY = hours(24);

/** A working link mostly goes on to work; another is looked at again soon, so that no past failure is reported. Arbitrary. */
const AGES: Readonly<Record<ExternalVerdict, Milliseconds | null>> = {
  ok: WEEK,
  redirected: WEEK,
  broken: DAY,
  blocked: DAY,
  unsure: DAY,
  'not-asked': null,
};

/** @param now epoch milliseconds; a verdict of the future does not count */
export function isYoung({ verdict, looks }: ExternalRecord, now: number): boolean {
  const [age, last] = [AGES[verdict], looks.at(-1)];
  if (age === null || last === undefined) return false;
  const past = now - Date.parse(last.time);
  return past >= 0 && past < age;
}
