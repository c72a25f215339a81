/**
 * Findings of other processes that a process must know before it judges links: the seeds, which make the scope, and the sitemap book. A
 * crawl that one process makes alone knows all of it anyway. Lessons about pages (page-learning.ts) go the same way, and may be late.
 */
import { z } from 'zod';
import type { ChangeLog } from '../../fleet/change-log.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { applyChange, recordedSitemaps } from '../../pipeline/shared-sitemaps.ts';
import type { SitemapBook } from '../../pipeline/sitemap-book.ts';
import type { SharedLearning } from './page-learning.ts';

export interface SharedKnowledge {
  readonly sitemaps: SitemapBook;
  /** Learns what others have published; call it before links are judged. @returns seeds that are new to this process */
  learn(): Promise<readonly CanonicalUrl[]>;
  /** Call it before a commit, so that no process sees its links without the changes. @param newSeeds that redirects of seeds made */
  publish(newSeeds: readonly CanonicalUrl[]): Promise<void>;
  /** Changes that this process knows of. */
  readonly heard: number;
  /** Changes that processes have published. */
  published(): Promise<number>;
}

/** The knowledge of a crawl that one process makes. */
export function ownKnowledge(sitemaps: SitemapBook): SharedKnowledge {
  return { sitemaps, learn: async () => [], publish: async () => {}, heard: 0, published: async () => 0 };
}

const seedChange = z.object({ kind: z.literal('seeds'), urls: z.array(z.string()) });

/** The knowledge of a crawl that several processes make. */
export function sharedKnowledge(
  book: SitemapBook,
  log: Pick<ChangeLog, 'append' | 'look' | 'read' | 'length'>,
  learning: SharedLearning,
): SharedKnowledge {
  const sitemaps = recordedSitemaps(book);
  let seeds: CanonicalUrl[] = [];

  function apply(change: unknown): void {
    if (applyChange(book, change) || learning.apply(change)) return;
    const read = seedChange.safeParse(change);
    if (read.success) seeds.push(...read.data.urls.map(storedCanonicalUrl));
  }

  return {
    sitemaps,
    learn: async () => {
      await log.look(apply);
      const learnt = seeds;
      seeds = [];
      return learnt;
    },
    publish: async (newSeeds) => {
      const own = newSeeds.length === 0 ? [] : [{ kind: 'seeds', urls: newSeeds }];
      await log.append([...sitemaps.takeChanges(), ...learning.takeChanges(), ...own]);
    },
    get heard() {
      return log.read;
    },
    published: () => log.length(),
  };
}
