/** Checks that the folder of a test's crawl is whole. */
import { expect } from 'vitest';
import { verifyCrawl } from '../../src/inspect/verify/verify-crawl.ts';

/**
 * Fails if the program's own check finds a wrong line, total, snapshot or record.
 * @param how areGathered: false if workers have snapshots on their own disks
 */
export async function expectWhole(folder: string, { areGathered = true } = {}): Promise<void> {
  const { checks } = await verifyCrawl(folder);
  const held = checks.filter(({ part }) => areGathered || part !== 'snapshots');
  expect(held.flatMap(({ first }) => first)).toEqual([]);
}
