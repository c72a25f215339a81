/** Makes URLs known in calls of limited size: lua/admit.lua decides, and Redis answers others between two calls. */
import type { EpochMs } from '../base/units.ts';
import type { FrontierState } from './frontier-state.ts';
import { distinct, groupUrls, type DiscoveredUrl } from './url-groups.ts';

/** URLs per call, so that Redis answers others within some milliseconds (design/scheduling, "Memory of a URL"). */
const ADMIT_CHUNK = 500;

/** The URLs are all seeds, all probes, or neither. */
type AdmittedKind = 'yes' | 'probes' | 'no';

/** Seeds share half of lambda's credit: whatever the number of calls, each gets the same. @returns the URLs that were new */
export async function admitUrls(
  { client, keys, leader, known }: FrontierState,
  discovered: readonly DiscoveredUrl[],
  seeds: AdmittedKind,
  now: EpochMs,
): Promise<readonly string[]> {
  const found = distinct(discovered);
  const isOneCall = seeds !== 'yes' || found.length <= ADMIT_CHUNK;
  const added: string[] = [];
  for (let start = 0; start < found.length; start += ADMIT_CHUNK) {
    const { fields, order } = groupUrls(found.slice(start, start + ADMIT_CHUNK), known);
    const shares = isOneCall ? '' : 2 * found.length - start;
    const flags = await leader.admit(client, keys, { now, seeds, shares }, fields);
    for (const [index, { url }] of order.entries()) if (flags[index] === '1') added.push(url);
  }
  return added;
}
