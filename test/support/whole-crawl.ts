/** Is the folder of a crawl whole that a test has made? */
import { expect } from 'vitest';
import { verifyCrawl } from '../../src/inspect/verify/verify-crawl.ts';

/**
 * Fails where the program itself says that a line, a total, a snapshot or a record is not as it should be.
 * @param how areGathered: false where workers have snapshots on their own disks
 */
export async function expectWhole(folder: string, { areGathered = true } = {}): Promise<void> {
  const { checks } = await verifyCrawl(folder);
  const held = checks.filter(({ part }) => areGathered || part !== 'snapshots');
  expect(held.flatMap(({ first }) => first)).toEqual([]);
}
