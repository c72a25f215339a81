/**
 * The commits of a crawl's visits: makes a commit of a finished visit, sends it to the frontier, and counts its consequences for the
 * crawl: pages for the limit, seeds that redirects made, hosts that asked to wait.
 */
import { randomInt } from 'node:crypto';
import { seededRandom } from '../base/random.ts';
import { milliseconds } from '../base/units.ts';
import { KnownTargets } from '../core/links/known-targets.ts';
import type { Scope } from '../core/scope/decide.ts';
import type { FinishedVisit } from '../dispatch/make-visit.ts';
import type { Candidate } from '../model/candidate.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';
import { isCountedPage, type CommittedLink, type Disposition, type VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { visitsAsUser } from '../options/options.ts';
import { foldOfVisit } from '../pipeline/folding.ts';
import { visitCommitOf, type CommitOptions } from '../pipeline/process-visit.ts';
import { rememberedHashes } from '../pipeline/url-hashes.ts';
import type { VisitingContext } from './crawl-context.ts';
import type { CrawlFleet } from './fleet/crawl-fleet.ts';
import type { CrawlTotals, HostWait } from './crawl.ts';
import { createHostWaits, type HostWaits } from './summary/host-waits.ts';
import { commitInPieces } from './large-commit.ts';
import { RETRY_EVENT, retryFields } from './retry-event.ts';
import { unfold } from './summary/folded-parameters.ts';

/** Callbacks after a commit. */
interface CommitListeners {
  /** Lines for the crawl folder have come. */
  readonly onCommitted: () => void;
  /** Hosts may have been named whose addresses are not known. */
  readonly onOtherHosts: () => void;
  /** Sitemaps that were held back may be needed now. */
  readonly onRoom: () => Promise<void>;
}

/** The frontier's counts when this process began. */
interface CountsBefore {
  /** The frontier's count for the limit. */
  readonly counted: number;
  /** Pages that had been visited, or had failed. */
  readonly ended: number;
}

export class VisitCommits {
  readonly #context: VisitingContext;
  readonly #listeners: CommitListeners;
  readonly #options: CommitOptions;
  readonly #waits: HostWaits;
  /** Grows when a seed's redirect makes its target a seed. */
  #scope: Scope;
  /** Pages that count for the limit. */
  #pagesEnded: number;
  /** One call at a time queues pages for second visits. */
  #queueing: Promise<void> = Promise.resolve();
  /** Null in a worker, which holds no limit. */
  #before: CountsBefore | null = null;
  #isShared = false;

  constructor(context: VisitingContext, listeners: CommitListeners) {
    this.#context = context;
    this.#listeners = listeners;
    this.#scope = context.scope;
    this.#pagesEnded = context.pagesBefore;
    this.#options = this.#commitOptions();
    this.#waits = createHostWaits(context.clock, context.log, milliseconds(context.plan.options.maxRetryAfter));
  }

  /** Visits that were committed in this run, by whatever process. @param totals of the crawl now */
  visitsOfRun({ visited, failed }: Pick<CrawlTotals, 'visited' | 'failed'>): number {
    return visited + failed - (this.#before?.ended ?? 0);
  }

  /** Pages that the limit leaves; null without one. */
  pagesLeft(): number | null {
    const { limit } = this.#context.plan.options;
    return limit === undefined ? null : limit - this.#pagesEnded;
  }

  /** Pages that may still be visited, those under way included. */
  get budget(): number {
    return this.#context.size.isReached ? 0 : (this.pagesLeft() ?? Number.POSITIVE_INFINITY);
  }

  /** Hosts that asked to wait, the longest wait first. */
  hostsWaiting(): readonly HostWait[] {
    return this.#waits.current();
  }

  /** Counts from now on; pages of other processes, too. @param fleet null where there are none */
  async countWith(fleet: Pick<CrawlFleet, 'countBy'> | null): Promise<void> {
    const { frontier } = this.#context;
    const { visited, failed } = await frontier.totals();
    this.#before = { counted: await frontier.countedPages(), ended: visited + failed };
    this.#isShared = fleet !== null;
    fleet?.countBy(() => this.#recount());
  }

  /** Counts what the frontier has committed by now. */
  async #recount(): Promise<void> {
    if (this.#before === null || this.#context.plan.options.limit === undefined) return;
    const { pagesBefore, frontier } = this.#context;
    const counted = pagesBefore + (await frontier.countedPages()) - this.#before.counted;
    this.#pagesEnded = Math.max(this.#pagesEnded, counted);
  }

  /** Makes the commit of a finished visit. @throws as {@link visitCommitOf} */
  async process(finished: FinishedVisit, signal: AbortSignal): Promise<VisitCommit> {
    await this.#learn();
    return visitCommitOf(finished, this.#options, signal);
  }

  /** Learns what other processes have found, and queues pages to visit again for it, as every process has read pages. @returns changes known */
  async look(): Promise<number> {
    await this.#learn();
    const { heard } = this.#context.knowledge;
    await this.#visitAgain();
    return heard;
  }

  async #learn(): Promise<void> {
    const seeds = await this.#context.knowledge.learn();
    if (seeds.length > 0) this.#scope = this.#scope.withSeeds(seeds);
  }

  /** Sends a commit to the frontier, and counts its consequences. @throws what the frontier throws */
  async commit(finished: FinishedVisit, commit: VisitCommit): Promise<void> {
    const { frontier, clock, log, knowledge, sitemaps, readPages } = this.#context;
    if (commit.disposition.kind !== 'retry') sitemaps.ended(finished.visit.url);
    await knowledge.publish(commit.newSeeds);
    // before the lease of the page that showed the need ends, or the crawl could end in between
    await this.#visitAgain();
    const reply = await commitInPieces(frontier, finished.visit, commit, clock.now());
    const { url } = finished.visit;
    if (reply.kind === 'committed' && commit.disposition.kind === 'visited') readPages.ended(url);
    else readPages.dropped(url);
    this.#tell(finished.visit, commit);
    // it may have been committed at its first sending, whose answer was lost
    if (reply.kind === 'fenced') return this.#recount();
    await this.#visitAgain();
    this.#count(finished.visit, commit.disposition);
    // a second visit writes over what the first one stored
    if (finished.visit.again !== true) await this.#measure(commit.disposition);
    if (this.#isShared) await this.#recount();
    await this.#listeners.onRoom();
    this.#waits.note(finished, commit.hostBackoff);
    const vain = retryFields(finished, commit, clock.now());
    if (vain !== null) log.info(RETRY_EVENT, vain);
  }

  /** Queues pages that were only read, when pages like them turned out to need a browser. */
  #visitAgain(): Promise<void> {
    // when a call returns, the pages that other calls took are queued, too
    const queued = this.#queueing.then(() => this.#queueAgain());
    this.#queueing = queued.catch(() => {});
    return queued;
  }

  async #queueAgain(): Promise<void> {
    const { frontier, clock, log, readPages } = this.#context;
    const pages = readPages.takeBack();
    if (pages.length === 0) return;
    const queued = await frontier.visitAgain(pages, clock.now());
    log.info('pages that were only read are visited again', { pages: queued, first: pages[0]?.url });
  }

  #count(visit: Visit, disposition: Disposition): void {
    const isFirst = visit.again !== true;
    const isVisit = isFirst && (disposition.kind === 'visited' || disposition.kind === 'failed');
    const counts = this.#context.plan.limitCountsRedirects ? isVisit : isFirst && isCountedPage(disposition);
    if (counts && !this.#isShared) this.#pagesEnded += 1;
  }

  #tell(visit: Visit, { links, newSeeds }: VisitCommit): void {
    if (newSeeds.length > 0) this.#scope = this.#scope.withSeeds(newSeeds);
    const ownHost = `${visit.host}/`;
    const isElsewhere = ({ target }: CommittedLink): boolean =>
      target.kind === 'candidate' && !target.candidate.url.startsWith(ownHost);
    if (links.some(isElsewhere)) this.#listeners.onOtherHosts();
    this.#listeners.onCommitted();
  }

  /** Ends the lease of a URL whose parameters change nothing. @returns false where it is to be visited */
  async leaveOut(visit: Visit): Promise<boolean> {
    const fold = await foldOfVisit(visit, this.#context);
    if (fold === null) return false;
    const { frontier, clock } = this.#context;
    const { url, referrer } = visit;
    return frontier.fold(visit, { url, reason: 'duplicate-query', rule: fold.rule, referrer }, fold.id, clock.now());
  }

  async #queueProbe(probe: Candidate): Promise<void> {
    const { frontier, clock, log } = this.#context;
    const queued = await frontier.admit([probe], [], clock.now());
    log.info('probe queued', { url: probe.url, queued: queued > 0 });
  }

  /** Measures before the worker is free, so that no page begins beyond the size limit. */
  async #measure(disposition: Disposition): Promise<void> {
    if (disposition.kind === 'visited' || disposition.kind === 'failed')
      await this.#context.size.stored(disposition.record.snapshot);
  }

  #commitOptions(): CommitOptions {
    const { plan, identity, politeness, robots } = this.#context;
    const scope = (): Scope => this.#scope;
    const urlPolicy: UrlPolicy = { ...plan.urlPolicy, cleanParams: (host) => robots.cleanParams(host) };
    return {
      ...this.#context,
      get scope() {
        return scope();
      },
      urlPolicy,
      knownTargets: new KnownTargets(urlPolicy),
      hashes: rememberedHashes(),
      readSitemaps: plan.options.sitemap,
      forbiddenBy: robots.forbiddenBy,
      respectNofollow: plan.options.robots && !plan.options.followNofollow,
      visitsAsUser: visitsAsUser(plan.options),
      robotsAgent: identity.robotsAgent,
      random: seededRandom(randomInt(2 ** 32)),
      retries: plan.options.retries,
      maxRetryAfter: milliseconds(plan.options.maxRetryAfter),
      followDuplicates: plan.options.followDuplicates,
      details: plan.options.audit,
      queueProbe: (probe) => this.#queueProbe(probe),
      unfold: (id) => unfold(this.#context, id),
      politeness: politeness.paceOf,
    };
  }
}
