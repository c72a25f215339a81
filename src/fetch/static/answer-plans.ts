/**
 * The plans of clusters whose pages take something from an API (answer-plan.ts), by cluster and by the template of their pages. What one
 * process has learnt others may hear of, so that they do not all render the first pages of such a cluster.
 */
import { hash64 } from '../../base/hash.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { PageAddress, PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import type { Page } from '../../model/page.ts';
import { AnswerPlan, type LearntPlan } from './answer-plan.ts';

/** Clusters whose answers are known; the longest unused makes room. With what each may keep (answer-plan.ts) some 100 MB at worst (arbitrary). */
const PLANS_LIMIT = 100;
/** Answers of a cluster that are kept for what its pages share (arbitrary). */
const SHARED_LIMIT = 6;
/** Times in a row that an API answered nothing to be read: then its pages are left to the browser (arbitrary). */
export const MOST_REFUSALS = 3;

/** Whose plan it is: of a page without its names. */
export type PlanCluster = Omit<PageCluster, 'names'>;

interface KnownPlan {
  readonly plan: AnswerPlan;
  /** Answers to what pages have asked before. */
  readonly shared: LruMap<string, { readonly text: string; uses: number }>;
  refusals: number;
  /** Hash of what others were to hear of it last, and did they? */
  said: string;
  isTold: boolean;
}

export class AnswerPlans {
  /** Called with a plan that has changed; returns whether others hear of it. Null: nobody else loads such pages. */
  onLearnt: ((cluster: PlanCluster, learnt: LearntPlan) => boolean) | null = null;
  readonly #plans = new LruMap<string, KnownPlan>(PLANS_LIMIT);
  readonly #ofTemplates = new LruMap<string, KnownPlan>(PLANS_LIMIT);

  of(cluster: PlanCluster): KnownPlan | undefined {
    return this.#plans.peek(keyOf(cluster));
  }

  /** May a page of it be read with answers, now or when more is known? */
  hopesFor({ host, specific }: PageAddress): boolean {
    const known = this.#ofTemplates.peek(`${host} ${specific}`);
    return known !== undefined && !known.plan.isGivenUp && known.refusals < MOST_REFUSALS;
  }

  /** A browser has shown a page. @returns whether that changed what is known; null where the plan is given up */
  learn(rendered: Page, plain: Page, cluster: PlanCluster): boolean | null {
    const known = this.#at(cluster);
    if (known.plan.isGivenUp) return null;
    const isNews = known.plan.learn(rendered, plain);
    this.#tell(cluster, known);
    return isNews;
  }

  /** Do others know all that is known of it? Only then do verdicts on its pages hold for what they make of them. */
  isTold(cluster: PlanCluster): boolean {
    return this.of(cluster)?.isTold === true;
  }

  /** Others have learnt of a cluster. */
  note(cluster: PlanCluster, learnt: LearntPlan): void {
    this.#at(cluster).plan.adopt(learnt);
  }

  #at(cluster: PlanCluster): KnownPlan {
    const known = this.#plans.getOrMake(keyOf(cluster), () => ({
      plan: new AnswerPlan(),
      shared: new LruMap(SHARED_LIMIT),
      refusals: 0,
      said: '',
      isTold: false,
    }));
    this.#ofTemplates.set(`${cluster.host} ${cluster.specific}`, known);
    return known;
  }

  #tell(cluster: PlanCluster, known: KnownPlan): void {
    const learnt = this.onLearnt === null ? null : known.plan.learnt;
    if (learnt === null) return;
    const said = hash64(JSON.stringify(learnt));
    if (said === known.said) return;
    known.said = said;
    known.isTold = this.onLearnt?.(cluster, learnt) === true;
  }
}

function keyOf({ host, general, fingerprint }: PlanCluster): string {
  return `${host} ${general} ${fingerprint}`;
}
