/**
 * Reads pages without a browser whose scripts fill them from an API: requests the addresses that a page would request, and reads the answers
 * as the scripts of its cluster do (answer-plan.ts). A cluster is read like this after the usual number of its pages
 * equalled the rendered ones, with answers requested here; some later pages are rendered and compared again.
 */
import type { Milliseconds } from '../../base/units.ts';
import { readAnswers, type AnswerReading } from './answer-plan.ts';
import { AnswerPlans, MOST_REFUSALS } from './answer-plans.ts';
import type { ClusterMemory, PageAddress, PageCluster } from '../../core/page-clusters/cluster-memory.ts';
import { compareRendering, exactDifference } from '../../core/page-clusters/render-comparison.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Page } from '../../model/page.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import type { Offload } from '../../offload/offload.ts';
import type { Task } from '../../offload/task.ts';
import { fetchText } from './fetch-text.ts';
import { withSubresources } from './static-page.ts';

/** Most uses of an answer before it is requested again (arbitrary). */
const SHARED_USES = 20;
/** Most characters of an answer that is kept. */
const SHARED_LENGTH = 32_768;

/** {@link readAnswers} as a task. */
export const READ_ANSWERS: Task<Parameters<typeof readAnswers>[0], AnswerReading | null> = {
  name: 'answers of an API',
  run: readAnswers,
};

export interface AnswerParts {
  readonly egress: Pick<Egress, 'dispatcher' | 'subresourceTurn'>;
  readonly offload: Offload;
  /** Comparisons of pages read with answers with rendered ones. */
  readonly clusters: ClusterMemory;
  /** Plans; left out: its own. */
  readonly answerPlans?: AnswerPlans;
}

interface AnswerOptions {
  readonly userAgent: string;
  readonly extraHeaders: UserHeaders;
  /** Time limit for each answer. */
  readonly settleTimeout: Milliseconds;
}

type Known = NonNullable<ReturnType<AnswerPlans['of']>>;

/** A page with the content that answers add to its markup. */
interface AnsweredPage {
  readonly page: Page;
  /** Its cluster, with traits of the answers: a page with a new trait is compared. */
  readonly cluster: PageCluster;
  /** Is it probably equal to the rendered page? If not, it must be compared. */
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

  /** As {@link AnswerPlans.hopesFor}. */
  hopesFor(address: PageAddress): boolean {
    return this.#plans.hopesFor(address);
  }

  /** @param plain the page's markup @returns null where a browser must load it, without a comparison */
  async read(plain: Page, cluster: PageCluster, signal: AbortSignal): Promise<AnsweredPage | null> {
    const known = this.#plans.of(cluster);
    const addresses = known?.plan.addressesOf(plain.url) ?? null;
    if (known === undefined || addresses === null || known.refusals >= MOST_REFUSALS) return null;
    const answers = await Promise.all(addresses.map((url) => this.#answer(url, { plain, known }, signal)));
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
   * Learns from a rendered page.
   * @param answered the result of {@link read} for it
   */
  learn(rendered: Page, plain: Page, cluster: PageCluster, answered: AnsweredPage | null): void {
    const { clusters } = this.#parts;
    if (rendered.jsonAnswers?.length === 0 && this.#plans.of(cluster) === undefined) return;
    const isNews = this.#plans.learn(rendered, plain, cluster);
    if (answered === null || isNews === null || (isNews && !clusters.readsOnly(answered.cluster))) return;
    // which field of an answer is the headline is not learnt
    const page = { ...answered.page, h1: rendered.h1 };
    const seen = exactDifference(compareRendering(rendered, page, { namesUnread: false }));
    clusters.learn(answered.cluster, seen);
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

  /** Gets an answer. One that all pages request is requested only now and then: a browser would have cached it, too. */
  async #answer(
    url: string,
    { plain, known: { shared } }: { readonly plain: Page; readonly known: Known },
    signal: AbortSignal,
  ): Promise<string | null> {
    const kept = shared.get(url);
    if (kept !== undefined && (kept.uses += 1) <= SHARED_USES) return kept.text;
    const request = { url, page: plain.finalUrl, accept: '*/*', ...this.#options };
    const answer = await fetchText(request, this.#parts.egress, signal);
    if (answer === null || answer.url !== url || !/[/+](?:x-)?json$/.test(answer.contentType)) return null;
    if (answer.text.length <= SHARED_LENGTH) shared.set(url, { text: answer.text, uses: 0 });
    return answer.text;
  }
}
