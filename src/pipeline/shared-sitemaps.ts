/**
 * The sitemap book of a crawl with several processes: each records its writes as changes, which the others apply to their own
 * books. Changes may arrive out of order, and twice: the books still agree. Processes that decide at the same moment
 * may let a few more sitemaps wait unread, and a few more entries pass, than a single one would.
 */
import { z } from 'zod';
import type { Candidate } from '../model/candidate.ts';
import { LINK_KINDS } from '../model/link-kinds.ts';
import { LINK_CONFIDENCES } from '../model/link.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../model/url/canonical-url.ts';
import type { SitemapBook, SitemapPlace } from './sitemap-book.ts';
import type { SitemapBudget, SpentElsewhere } from './sitemap-budget.ts';

type SitemapChange =
  | { readonly kind: 'note'; readonly url: CanonicalUrl; readonly place: SitemapPlace }
  | { readonly kind: 'take'; readonly url: CanonicalUrl }
  | { readonly kind: 'hold'; readonly candidate: Candidate }
  | { readonly kind: 'ended'; readonly url: CanonicalUrl }
  | ({ readonly kind: 'spent' } & SpentElsewhere);

const count = z.int().min(0);
const url = z.string().transform(storedCanonicalUrl);
const candidate = z.object({
  url,
  depth: count,
  redirects: count,
  hops: count,
  referrer: url.nullable(),
  kind: z.enum([...LINK_KINDS, 'seed', 'probe']),
  confidence: z.enum(LINK_CONFIDENCES),
});
const change: z.ZodType<SitemapChange> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('note'),
    url,
    place: z.object({ depth: count, hosts: z.array(z.string()).nullable() }),
  }),
  z.object({ kind: z.literal('take'), url }),
  z.object({ kind: z.literal('hold'), candidate }),
  z.object({ kind: z.literal('ended'), url }),
  z.object({
    kind: z.literal('spent'),
    host: z.string(),
    files: count,
    pages: count,
    bytes: count,
    refused: z.object({ files: count, pages: count }),
  }),
]);

/** Applies a change of another process; ignores anything else. @returns true where it was a change */
export function applyChange(book: SitemapBook, value: unknown): boolean {
  const read = readChange(value);
  switch (read?.kind) {
    case undefined:
      return false;
    case 'note':
      book.note(read.url, read.place);
      return true;
    case 'take':
      book.take(read.url);
      return true;
    case 'hold':
      book.hold(read.candidate);
      return true;
    case 'ended':
      book.ended(read.url);
      return true;
    case 'spent':
      book.budget.add(read);
      return true;
  }
}

/** Reads a change; null where it is none. The parser of URLs throws for invalid text, and zod passes that on. */
function readChange(value: unknown): SitemapChange | null {
  try {
    return change.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

interface RecordedSitemaps extends SitemapBook {
  /** The changes since the last call. */
  takeChanges(): readonly SitemapChange[];
}

/** Wraps a book so that writes through the wrapper are recorded. */
export function recordedSitemaps(book: SitemapBook): RecordedSitemaps {
  let changes: SitemapChange[] = [];
  const spent = new Map<string, SpentElsewhere>();
  const { budget } = book;

  function spend(host: string, more: Partial<SpentElsewhere>): void {
    const before = spent.get(host) ?? NOTHING_SPENT;
    spent.set(host, {
      host,
      files: before.files + (more.files ?? 0),
      pages: before.pages + (more.pages ?? 0),
      bytes: before.bytes + (more.bytes ?? 0),
      refused: {
        files: before.refused.files + (more.refused?.files ?? 0),
        pages: before.refused.pages + (more.refused?.pages ?? 0),
      },
    });
  }

  const recordedBudget: SitemapBudget = {
    ...budget,
    take: (what, host) => {
      const refusal = budget.take(what, host);
      if (refusal === null) spend(host, { [what]: 1 });
      return refusal;
    },
    read: (host, size) => {
      budget.read(host, size);
      spend(host, { bytes: size });
    },
    refuse: (what) => {
      spend('', { refused: { ...NOTHING_SPENT.refused, [what]: 1 } });
      return budget.refuse(what);
    },
  };
  const take = (taken: CanonicalUrl): void => void changes.push({ kind: 'take', url: taken });
  const recorded = (next: Candidate | null): Candidate | null => {
    if (next !== null) take(next.url);
    return next;
  };
  return {
    budget: recordedBudget,
    placeOf: (noted) => book.placeOf(noted),
    isTaken: (asked) => book.isTaken(asked),
    take: (taken) => book.take(taken),
    counts: () => book.counts(),
    hold: (held) => book.hold(held),
    get held() {
      return book.held;
    },
    note: (noted, { depth, hosts }) => {
      if (book.placeOf(noted) === null) changes.push({ kind: 'note', url: noted, place: { depth, hosts } });
      book.note(noted, { depth, hosts });
    },
    admits: (asked) => {
      const [wasTaken, heldBefore] = [book.isTaken(asked.url), book.held];
      const admitted = book.admits(asked);
      if (book.held > heldBefore) changes.push({ kind: 'hold', candidate: { ...asked } });
      else if (admitted && !wasTaken) take(asked.url);
      return admitted;
    },
    takeHeld: () => recorded(book.takeHeld()),
    takeLeft: (mayVisit) => recorded(book.takeLeft(mayVisit)),
    ended: (visited) => {
      if (book.placeOf(visited) !== null || book.isTaken(visited)) changes.push({ kind: 'ended', url: visited });
      book.ended(visited);
    },
    takeChanges: () => {
      const all = [...changes, ...[...spent.values()].map((each) => ({ kind: 'spent', ...each }) as const)];
      changes = [];
      spent.clear();
      return all;
    },
  };
}

const NOTHING_SPENT: SpentElsewhere = { host: '', files: 0, pages: 0, bytes: 0, refused: { files: 0, pages: 0 } };
