/** Keeps in mind, while a crawl opens, which crawls may have left keys in a server of the user's (crawl-folder/unbegun.ts): itself, and killed ones. */
import type { Disposal } from '../../base/disposal.ts';
import { noteUnbegun, readUnbegun } from '../../crawl-folder/unbegun.ts';
import { crawlId, type CrawlId } from '../../model/crawl-id.ts';
import { keySpace } from '../../redis/key-space.ts';
import { withoutPassword } from '../folder/crawl-json.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import type { Notes } from '../summary/notes.ts';
import { noteUnbegunElsewhere } from './forget-state.ts';
import type { OpenedRedis } from './open-redis.ts';

interface Unbegun {
  /** Notes a crawl before its first key is written, in a folder that was claimed for it. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  note(id: CrawlId): Promise<void>;
  /** Removes the keys of crawls that were killed, and the note. To be called when the crawl has its crawl.json; never rejects. */
  forget(id: CrawlId, redis: OpenedRedis, notes: Notes, signal: AbortSignal): Promise<void>;
}

/** @param disposal takes the note back where the start fails, after the keys: so it must be called before the server is connected to */
export async function keepUnbegun(
  folder: string,
  { options, resumed }: CrawlPlan,
  disposal: Disposal,
): Promise<Unbegun> {
  const found = await readUnbegun(folder);
  let isNoted = false;
  disposal.defer(async () => {
    if (isNoted) await noteUnbegun(folder, found).catch(() => {});
  });
  return {
    note: async (id) => {
      if (options.redis === undefined || resumed !== null) return;
      isNoted = true;
      await noteUnbegun(folder, [...found, { id, redis: withoutPassword(options.redis) }]);
    },
    forget: async (id, redis, notes, signal) => {
      isNoted = false;
      const killed = found.filter((crawl) => crawl.id !== id); // its own, if it was killed when its crawl.json had been written
      // together, because a dead controller is waited for
      const known = await Promise.all(killed.map((crawl) => redis.forgetUnbegun(keySpace(crawlId(crawl.id)), signal)));
      for (const [at, crawl] of killed.entries())
        if (known[at] === false) noteUnbegunElsewhere(crawl, options.redis, notes);
      await noteUnbegun(folder, []).catch(() => {}); // looked at again by the next start
    },
  };
}
