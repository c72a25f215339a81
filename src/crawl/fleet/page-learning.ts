/**
 * What pages taught about pages like them: which need a browser, what their sheets name, which waits bring something. Of a crawl that several processes make
 * each tells the others, so that they do not all render the first pages of each kind. It only saves work: what is lost, or comes late, is learnt again. Which
 * scripts were read is each process's own, for the links of a script belong to the first page that loads it, and that page may never be committed.
 */
import { z } from 'zod';
import { ADDED_LIMIT, ClusterMemory } from '../../core/page-clusters/cluster-memory.ts';
import { KnownSubresources } from '../../core/page-clusters/known-subresources.ts';
import { ReadPages } from '../../core/page-clusters/read-pages.ts';
import type { RenderComparison } from '../../core/page-clusters/render-comparison.ts';
import { LINK_KINDS } from '../../model/link-kinds.ts';
import { LINK_CONFIDENCES, LINK_STAGES, type FoundLink } from '../../model/link.ts';
import { LearnedWaits, WAIT_KINDS } from '../../render/idle/learned-waits.ts';

export interface PageLearning {
  readonly clusters: ClusterMemory;
  /** Of pages that are read with the answers of an API; of this process. */
  readonly answeredClusters: ClusterMemory;
  /** Pages of this process that were only read. */
  readonly readPages: ReadPages;
  readonly known: KnownSubresources;
  readonly waits: LearnedWaits;
}

/** Of a process; nobody else hears of it. @param isAudit see {@link ClusterMemory} */
export function ownLearning({ isAudit }: { readonly isAudit: boolean }): PageLearning {
  const clusters = new ClusterMemory({ isAudit });
  const answeredClusters = new ClusterMemory({ isStrict: true });
  const readPages = new ReadPages([clusters, answeredClusters]);
  return { clusters, answeredClusters, readPages, known: new KnownSubresources(), waits: new LearnedWaits() };
}

/** What a process has learnt, told to others and heard from them. */
export interface SharedLearning {
  /** What is to be told since the last call. */
  takeChanges(): readonly object[];
  /** @returns false where it is no such change */
  apply(change: unknown): boolean;
}

/** A process tells so many at the most: the list of all changes is kept as long as the crawl, and where each page is a kind of its own they are of no use (arbitrary). */
const MOST_TOLD = 20_000;
/** Links of a sheet that is told; others are read by each process. */
const SHEET_LINKS = 100;
/** Characters of a change (arbitrary). */
const LONGEST = 16_384;

/** Names of a page that scripts mention. */
const PAGE_NAMES = 1000;

/** Characters of a difference, in words. */
const HOW_LENGTH = 200;

const text = z.string().max(LONGEST);
const link = z.object({
  href: text,
  base: text,
  resolved: text.nullable(),
  kind: z.enum(LINK_KINDS),
  confidence: z.enum(LINK_CONFIDENCES),
  context: text,
  stage: z.enum(LINK_STAGES),
  frame: text.nullable(),
  text,
  rel: z.array(text),
});
const lesson = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page-kind'),
    cluster: z.object({
      host: text,
      specific: text,
      general: text,
      fingerprint: text,
      names: z.array(text).max(PAGE_NAMES),
    }),
    seen: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('alike'),
        added: z.array(link).max(ADDED_LIMIT),
        code: z.array(link).max(ADDED_LIMIT),
        isClear: z.boolean(),
        namesUnread: z.boolean(),
      }),
      z.object({ kind: z.literal('differs'), how: text }),
    ]),
    isOwn: z.boolean(),
  }),
  z.object({ kind: z.literal('sheet'), url: text, links: z.array(link).max(SHEET_LINKS) }),
  z.object({ kind: z.literal('wait'), cluster: text, wait: z.enum([...WAIT_KINDS, 'clock']), gained: z.boolean() }),
]);

export function shareLearning({
  clusters,
  known,
  waits,
}: Pick<PageLearning, 'clusters' | 'known' | 'waits'>): SharedLearning {
  let changes: object[] = [];
  let told = 0;
  const tell = (change: z.infer<typeof lesson>): void => {
    if (told >= MOST_TOLD || JSON.stringify(change).length > LONGEST) return;
    told += 1;
    changes.push(change);
  };
  clusters.onLearnt = ({ host, specific, general, fingerprint, names }, seen, isOwn) =>
    tell({
      kind: 'page-kind',
      cluster: { host, specific, general, fingerprint, names: names.slice(0, PAGE_NAMES) },
      seen: tellable(seen),
      isOwn,
    });
  known.onSheet = (url, links) => {
    if (links.length <= SHEET_LINKS) tell({ kind: 'sheet', url, links: links.map(tellableLink) });
  };
  waits.onLearnt = (learnt) => tell({ kind: 'wait', ...learnt });
  return {
    takeChanges: () => {
      const taken = changes;
      changes = [];
      return taken;
    },
    apply: (change) => {
      const read = lesson.safeParse(change);
      if (!read.success) return false;
      const { data } = read;
      if (data.kind === 'page-kind') clusters.note(data.cluster, data.seen, data.isOwn);
      else if (data.kind === 'sheet') known.noteSheet(data.url, data.links);
      else waits.note(data);
      return true;
    },
  };
}

type Lesson = z.infer<typeof lesson>;

function tellableLink(each: FoundLink): z.infer<typeof link> {
  return { ...each, rel: [...each.rel] };
}

/** With more links than are told a page differs. */
function tellable(seen: RenderComparison): Extract<Lesson, { kind: 'page-kind' }>['seen'] {
  if (seen.kind === 'differs') return { kind: 'differs', how: seen.how.slice(0, HOW_LENGTH) };
  if (seen.added.length > ADDED_LIMIT) return { kind: 'differs', how: `${seen.added.length} links more` };
  return {
    ...seen,
    added: seen.added.map(tellableLink),
    code: seen.code.slice(0, ADDED_LIMIT).map(tellableLink),
  };
}
