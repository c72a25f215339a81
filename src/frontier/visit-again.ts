/** Queues pages for their second visits. */
import type { EpochMs } from '../base/units.ts';
import type { SecondVisit } from '../model/candidate.ts';
import type { FrontierState } from './frontier-state.ts';
import { recordedText } from './kind-letter.ts';
import { distinct, groupUrls } from './url-groups.ts';

/** URLs per call, as for admit (redis-frontier.ts). */
const CHUNK = 500;

/** @returns the number of pages queued */
export async function visitAgain(
  { client, keys, leader, known }: FrontierState,
  pages: readonly SecondVisit[],
  now: EpochMs,
): Promise<number> {
  const found = distinct(pages);
  const recorded = new Map<string, string>();
  for (const { url, recorded: hashes = [] } of pages) if (hashes.length > 0) recorded.set(url, recordedText(hashes));
  let queued = 0;
  for (let start = 0; start < found.length; start += CHUNK) {
    const { fields, order } = groupUrls(found.slice(start, start + CHUNK), known);
    const texts = order.map(({ url }) => [url, recorded.get(url)] as const);
    const args = { now, recorded: JSON.stringify(Object.fromEntries(texts)) };
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that Redis answers others between them
    queued += await leader.visitAgain(client, keys, args, fields);
  }
  return queued;
}
