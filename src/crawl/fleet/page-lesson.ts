/** A lesson about pages that a process tells others (page-learning.ts): its shapes, which are checked again on arrival. */
import { z } from 'zod';
import { MOST_PARTS, MOST_READINGS, MOST_REQUESTS } from '../../core/page-clusters/answer-addresses.ts';
import { MOST_RULES } from '../../core/page-clusters/answer-links.ts';
import { ADDED_LIMIT, type ClusterMemory, type PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import type { RenderComparison } from '../../core/page-clusters/render-comparison.ts';
import type { LearntPlan } from '../../fetch/static/answer-plan.ts';
import type { PlanCluster } from '../../fetch/static/answer-plans.ts';
import { LINK_KINDS } from '../../model/link-kinds.ts';
import { LINK_CONFIDENCES, LINK_STAGES, type FoundLink } from '../../model/link.ts';
import { WAIT_KINDS, type WaitLesson } from '../../render/idle/learned-waits.ts';

/** Characters of a lesson (arbitrary). */
export const LONGEST_LESSON = 16_384;
/** The most links of a sheet that is told; each process reads longer sheets itself. */
export const TOLD_SHEET_LINKS = 100;
/** Names of a page that scripts mention. */
export const PAGE_NAMES = 1000;
/** Fields of answers that pages show (arbitrary: a longer list makes the lesson too long). */
const SHOWN_FIELDS = 1000;
/** Ways in which a page records one of its requests. */
const REQUEST_LINKS = 20;

const text = z.string().max(LONGEST_LESSON);

const how = {
  kind: z.enum(LINK_KINDS),
  confidence: z.enum(LINK_CONFIDENCES),
  context: text,
  stage: z.enum(LINK_STAGES),
  rel: z.array(text),
};

const link = z.object({ ...how, href: text, base: text, resolved: text.nullable(), frame: text.nullable(), text });

const place = { host: text, specific: text, general: text, fingerprint: text };

/** A page, and its comparison with the result without a browser. */
const compared = {
  cluster: z.object({ ...place, names: z.array(text).max(PAGE_NAMES) }),
  seen: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('alike'),
      added: z.array(link).max(ADDED_LIMIT),
      code: z.array(link).max(ADDED_LIMIT),
      isClear: z.boolean(),
      namesUnread: z.boolean(),
      isRespelled: z.literal(true).exactOptional(),
    }),
    z.object({ kind: z.literal('differs'), how: text }),
  ]),
  isOwn: z.boolean(),
};

const reading = z.object({ source: text.nullable(), before: text, after: text });

const request = z.object({
  shape: text,
  origin: text,
  names: z.array(text).max(MOST_PARTS),
  parts: z.array(z.array(reading).max(MOST_READINGS)).max(MOST_PARTS),
});

const rule = z.object({
  pattern: text,
  before: text,
  after: text,
  encoded: z.boolean(),
  how: z.object(how),
  textPattern: text.nullable(),
  text,
});

/** The plan for pages that take data from an API. */
const learnt = z.object({
  addresses: z.object({ requests: z.array(request).max(MOST_REQUESTS), pages: z.array(text).max(MOST_REQUESTS) }),
  requestLinks: z.array(z.array(link).max(REQUEST_LINKS)).max(MOST_REQUESTS),
  links: z.array(rule).max(MOST_RULES),
  shown: z.array(text).max(SHOWN_FIELDS),
});

/** A page that was rendered and compared, see {@link ClusterMemory.learn}. */
export interface LearntComparison {
  readonly cluster: PageCluster;
  readonly seen: RenderComparison;
  readonly isOwn: boolean;
}

export type PageLesson =
  /** A page compared with its markup, or with the result of its markup and the answers of an API. */
  | ({ readonly kind: 'page-kind' | 'answered-kind' } & LearntComparison)
  | { readonly kind: 'answer-plan'; readonly cluster: PlanCluster; readonly learnt: LearntPlan }
  | { readonly kind: 'sheet'; readonly url: string; readonly links: readonly FoundLink[] }
  | ({ readonly kind: 'wait' } & WaitLesson);

export const pageLesson: z.ZodType<PageLesson> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page-kind'), ...compared }),
  z.object({ kind: z.literal('answered-kind'), ...compared }),
  z.object({ kind: z.literal('answer-plan'), cluster: z.object(place), learnt }),
  z.object({ kind: z.literal('sheet'), url: text, links: z.array(link).max(TOLD_SHEET_LINKS) }),
  z.object({ kind: z.literal('wait'), cluster: text, wait: z.enum([...WAIT_KINDS, 'clock']), gained: z.boolean() }),
]);
