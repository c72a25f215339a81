/**
 * Lessons of pages about pages like them: which need a browser, what they take from an API, what their sheets name, which waits pay off.
 * The processes of a crawl tell each other, so that they do not all render the first pages of each kind. It only saves work: a lesson that
 * is lost, or comes late, is learnt again. Each process keeps to itself which scripts it has read: the links of a script belong to the
 * first page that loads it, and that page may never be committed.
 */
import { ADDED_LIMIT, ClusterMemory, type PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import { KnownSubresources } from '../../core/page-clusters/known-subresources.ts';
import { ReadPages } from '../../core/page-clusters/read-pages.ts';
import type { RenderComparison } from '../../core/page-clusters/render-comparison.ts';
import { AnswerPlans } from '../../fetch/static/answer-plans.ts';
import { LearnedWaits } from '../../render/idle/learned-waits.ts';
import {
  LONGEST_LESSON,
  PAGE_NAMES,
  pageLesson,
  TOLD_SHEET_LINKS,
  type LearntComparison,
  type PageLesson,
} from './page-lesson.ts';

export interface PageLearning {
  readonly clusters: ClusterMemory;
  /** Clusters of pages that are read with the answers of an API. */
  readonly answeredClusters: ClusterMemory;
  /** Plans for reading such pages. */
  readonly answerPlans: AnswerPlans;
  /** Pages of this process that were only read. */
  readonly readPages: ReadPages;
  readonly known: KnownSubresources;
  readonly waits: LearnedWaits;
}

/** The learning of one process; {@link shareLearning} tells it to others. @param isAudit see {@link ClusterMemory} */
export function ownLearning({ isAudit }: { readonly isAudit: boolean }): PageLearning {
  const clusters = new ClusterMemory({ isAudit });
  const answeredClusters = new ClusterMemory({ isStrict: true });
  const readPages = new ReadPages([clusters, answeredClusters]);
  const [answerPlans, known, waits] = [new AnswerPlans(), new KnownSubresources(), new LearnedWaits()];
  return { clusters, answeredClusters, answerPlans, readPages, known, waits };
}

/** Lessons of a process, told to others and heard from them. */
export interface SharedLearning {
  /** Takes the lessons since the last call. */
  takeChanges(): readonly object[];
  /** @returns false where the change is no lesson */
  apply(change: unknown): boolean;
}

/** The most lessons that a process tells: their list lasts as long as the crawl, and they are useless where no two pages are alike (arbitrary). */
const MOST_TOLD = 20_000;
/** Characters of a difference's description. */
const HOW_LENGTH = 200;

export function shareLearning(learning: Omit<PageLearning, 'readPages'>): SharedLearning {
  const { clusters, answeredClusters, answerPlans, known, waits } = learning;
  let changes: object[] = [];
  let told = 0;
  const tell = (change: PageLesson): boolean => {
    if (told >= MOST_TOLD || JSON.stringify(change).length > LONGEST_LESSON) return false;
    told += 1;
    changes.push(change);
    return true;
  };
  clusters.onLearnt = (...learnt) => tell({ kind: 'page-kind', ...compared(...learnt) });
  answeredClusters.onLearnt = (cluster, ...seen) => {
    if (answerPlans.isTold(cluster)) tell({ kind: 'answered-kind', ...compared(cluster, ...seen) });
  };
  answerPlans.onLearnt = ({ host, specific, general, fingerprint }, learnt) =>
    tell({ kind: 'answer-plan', cluster: { host, specific, general, fingerprint }, learnt });
  known.onSheet = (url, links) => {
    if (links.length <= TOLD_SHEET_LINKS) tell({ kind: 'sheet', url, links });
  };
  waits.onLearnt = (learnt) => tell({ kind: 'wait', ...learnt });
  return {
    takeChanges: () => {
      const taken = changes;
      changes = [];
      return taken;
    },
    apply: (change) => {
      const read = pageLesson.safeParse(change);
      if (read.success) heed(read.data, learning);
      return read.success;
    },
  };
}

function heed(lesson: PageLesson, learning: Omit<PageLearning, 'readPages'>): void {
  switch (lesson.kind) {
    case 'page-kind':
      learning.clusters.note(lesson.cluster, lesson.seen, lesson.isOwn);
      break;
    case 'answered-kind':
      learning.answeredClusters.note(lesson.cluster, lesson.seen, lesson.isOwn);
      break;
    case 'answer-plan':
      learning.answerPlans.note(lesson.cluster, lesson.learnt);
      break;
    case 'sheet':
      learning.known.noteSheet(lesson.url, lesson.links);
      break;
    case 'wait':
      learning.waits.note(lesson);
  }
}

/** Calls a page different that has more links than are told. */
function compared(
  { host, specific, general, fingerprint, names }: PageCluster,
  seen: RenderComparison,
  isOwn: boolean,
): LearntComparison {
  const cluster = { host, specific, general, fingerprint, names: names.slice(0, PAGE_NAMES) };
  if (seen.kind === 'differs') return { cluster, seen: { kind: 'differs', how: seen.how.slice(0, HOW_LENGTH) }, isOwn };
  const { length } = seen.added;
  if (length > ADDED_LIMIT) return { cluster, seen: { kind: 'differs', how: `${length} links more` }, isOwn };
  return { cluster, seen: { ...seen, code: seen.code.slice(0, ADDED_LIMIT) }, isOwn };
}
