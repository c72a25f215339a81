/**
 * Reads pages whose scripts fill them from an API, without a browser: asks the addresses that a page would ask, and makes of the answers
 * what the scripts of its cluster make of them (answer-plan.ts). A cluster is read so after as many pages as any other
 * were the same as in a browser, with answers that were asked for here, and of its pages some are rendered and compared again.
 */
import type { Milliseconds } from '../../base/units.ts';
import { readAnswers, type AnswerReading } from './answer-plan.ts';
import { AnswerPlans, MOST_REFUSALS } from './answer-plans.ts';
import type { ClusterMemory, PageAddress, PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import { compareRendering } from '../../core/page-clusters/render-comparison.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Page } from '../../model/page.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import type { Offload } from '../../offload/offload.ts';
import type { Task } from '../../offload/task.ts';
import { fetchText } from './fetch-text.ts';
import { withSubresources } from './static-page.ts';

/** Times that an answer is used before it is asked for again (arbitrary). */
const SHARED_USES = 20;
/** Characters of one that is kept. */
const SHARED_LENGTH = 32_768;

/** {@link readAnswers} as a task. */
export const READ_ANSWERS: Task<Parameters<typeof readAnswers>[0], AnswerReading | null> = {
  name: 'answers of an API',
  run: readAnswers,
};

export interface AnswerParts {
  readonly egress: Pick<Egress, 'dispatcher' | 'subresourceTurn'>;
  readonly offload: Offload;
  /** Of pages read with answers: what a browser showed beside that. */
  readonly clusters: ClusterMemory;
  /** Left out: its own. */
  readonly answerPlans?: AnswerPlans;
}

interface AnswerOptions {
  readonly userAgent: string;
  readonly extraHeaders: UserHeaders;
  /** For each of them. */
  readonly settleTimeout: Milliseconds;
}

type Known = NonNullable<ReturnType<AnswerPlans['of']>>;

/** A page with what answers add to its markup. */
interface AnsweredPage {
  readonly page: Page;
  /** With what is in the answers: a page with what no other has had is compared. */
  readonly cluster: PageCluster;
  /** Is it as a browser would show it, as far as is known? Else it is to be compared. */
  readonly isSure: boolean;
}

export class AskedAnswers {
  readonly #options: AnswerOptions;
  readonly #parts: AnswerParts;
  readonly #plans: AnswerPlans;

  constructor(options: AnswerOptions, parts: AnswerParts) {
    this.#options = options;
    this.#parts = parts;
    this.#plans = parts.answerPlans ?? new AnswerPlans();
  }

  /** See {@link AnswerPlans.hopesFor}. */
  hopesFor(address: PageAddress): boolean {
    return this.#plans.hopesFor(address);
  }

  /** @param plain the page's markup @returns null where a browser has to load it, and nothing is to be compared */
  async read(plain: Page, cluster: PageCluster, signal: AbortSignal): Promise<AnsweredPage | null> {
    const known = this.#plans.of(cluster);
    const addresses = known?.plan.addressesOf(plain.url) ?? null;
    if (known === undefined || addresses === null || known.refusals >= MOST_REFUSALS) return null;
    const answers = await Promise.all(addresses.map((url) => this.#answer(url, known, signal)));
    const texts = answers.filter((each) => each !== null);
    const isWhole = texts.length === addresses.length;
    const read = isWhole ? await this.#reading(texts, { plain, addresses, known }, signal) : null;
    known.refusals = read === null ? known.refusals + 1 : 0;
    if (read === null) return null;
    const answeredCluster = { ...cluster, names: [...cluster.names, ...read.traits.map((trait) => `answer ${trait}`)] };
    const mode = this.#parts.clusters.loadModeOf(answeredCluster);
    if (mode === 'render') known.refusals = MOST_REFUSALS;
    if (mode === 'render') return null;
    const added = this.#parts.clusters.addedTo(answeredCluster);
    const links = [
      ...known.plan.requestLinks(addresses, plain.finalUrl),
      ...read.links,
      ...(mode === 'static' ? added : []),
    ];
    const page = { ...withSubresources(plain, links), text: [plain.text ?? '', read.text].join('\n') };
    return { page, cluster: answeredCluster, isSure: mode === 'static' };
  }

  /**
   * A browser has shown a page.
   * @param answered what {@link read} made of it
   */
  learn(rendered: Page, plain: Page, cluster: PageCluster, answered: AnsweredPage | null): void {
    const { clusters } = this.#parts;
    if (rendered.jsonAnswers?.length === 0 && this.#plans.of(cluster) === undefined) return;
    const isNews = this.#plans.learn(rendered, plain, cluster);
    if (answered === null || isNews === null || (isNews && !clusters.readsOnly(answered.cluster))) return;
    clusters.learn(answered.cluster, compareRendering(rendered, answered.page, { namesUnread: false }));
  }

  async #reading(
    texts: readonly string[],
    { plain, addresses, known }: { readonly plain: Page; readonly addresses: readonly string[]; readonly known: Known },
    signal: AbortSignal,
  ): Promise<AnswerReading | null> {
    const input = { texts, base: plain.finalUrl, requested: addresses, rules: known.plan.rules };
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    const read = await this.#parts.offload.run(READ_ANSWERS, input, { url: plain.url, size }, signal);
    return read.kind === 'done' ? read.value : null;
  }

  /** One that all pages ask is asked now and then: a browser would have kept it, too. */
  async #answer(url: string, { shared }: Known, signal: AbortSignal): Promise<string | null> {
    const kept = shared.get(url);
    if (kept !== undefined && (kept.uses += 1) <= SHARED_USES) return kept.text;
    const answer = await fetchText({ url, accept: '*/*', ...this.#options }, this.#parts.egress, signal);
    if (answer === null || answer.url !== url || !/[/+](?:x-)?json$/.test(answer.contentType)) return null;
    if (answer.text.length <= SHARED_LENGTH) shared.set(url, { text: answer.text, uses: 0 });
    return answer.text;
  }
}
