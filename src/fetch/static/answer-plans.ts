/**
 * The plans of clusters whose pages use an API (answer-plan.ts), by cluster and by the template of their pages. Processes may share their
 * knowledge, so that they do not all render the first pages of such a cluster.
 */
import { hash64 } from '../../base/hash.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { PageAddress, PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import type { Page } from '../../model/page.ts';
import { AnswerPlan, type LearntPlan } from './answer-plan.ts';

/** Most clusters with a plan; the longest unused is dropped. With all that each may keep (answer-plan.ts) some 100 MB at worst (arbitrary). */
const PLANS_LIMIT = 100;
/** Most answers kept per cluster for sharing between its pages (arbitrary). */
const SHARED_LIMIT = 6;
/** Consecutive unreadable answers of an API after which its pages are left to the browser (arbitrary). */
export const MOST_REFUSALS = 3;

/** Key of a plan: a page's cluster without its names. */
export type PlanCluster = Omit<PageCluster, 'names'>;

interface KnownPlan {
  readonly plan: AnswerPlan;
  /** Answers to requests of earlier pages. */
  readonly shared: LruMap<string, { readonly text: string; uses: number }>;
  refusals: number;
  /** Hash of the last knowledge offered to other processes, and whether they received it. */
  said: string;
  isTold: boolean;
}

export class AnswerPlans {
  /** Called with a changed plan; returns true where other processes receive it. Null: no other process loads such pages. */
  onLearnt: ((cluster: PlanCluster, learnt: LearntPlan) => boolean) | null = null;
  readonly #plans = new LruMap<string, KnownPlan>(PLANS_LIMIT);
  readonly #ofTemplates = new LruMap<string, KnownPlan>(PLANS_LIMIT);

  of(cluster: PlanCluster): KnownPlan | undefined {
    return this.#plans.peek(keyOf(cluster));
  }

  /** May a page of the cluster be read with answers, now or with more knowledge? */
  hopesFor({ host, specific }: PageAddress): boolean {
    const known = this.#ofTemplates.peek(`${host} ${specific}`);
    return known !== undefined && !known.plan.isGivenUp && known.refusals < MOST_REFUSALS;
  }

  /** Learns from a rendered page. @returns whether that changed the knowledge; null where the plan is given up */
  learn(rendered: Page, plain: Page, cluster: PlanCluster): boolean | null {
    const known = this.#at(cluster);
    if (known.plan.isGivenUp) return null;
    const isNews = known.plan.learn(rendered, plain);
    this.#tell(cluster, known);
    return isNews;
  }

  /** Do other processes have all knowledge of the cluster? Only then do verdicts on its pages hold for their readings, too. */
  isTold(cluster: PlanCluster): boolean {
    return this.of(cluster)?.isTold === true;
  }

  /** Adds another process's knowledge of a cluster. */
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
