import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../../src/base/units.ts';
import { parseRetryAfter } from '../../../../src/core/politeness/retry-after.ts';

interface Row {
  readonly value: string | null;
  readonly wait: number | null;
}
const table = new URL('../../../../fixtures/tables/retry-after.json', import.meta.url);
const rows: readonly Row[] = JSON.parse(readFileSync(table, 'utf8'));

describe('parseRetryAfter, at the beginning of 2026', () => {
  const now = epochMs(Date.UTC(2026, 0, 1));
  it.each(rows)('reads $value as $wait ms', ({ value, wait }) => {
    expect(parseRetryAfter(value, now)).toBe(wait);
  });
});
