import type { Clock } from '../base/clock.ts';
import type { Gauge } from '../base/gauge.ts';
import type { Disposal } from '../base/disposal.ts';
import type { Log } from '../base/log.ts';
import type { MainLoopWatch } from '../base/process/main-loop-watch.ts';
import type { ReadPages } from '../core/page-clusters/read-pages.ts';
import type { Scope } from '../core/scope/decide.ts';
import type { CrawlFolder } from '../crawl-folder/crawl-folder.ts';
import type { JournalFiles } from '../crawl-folder/journal-files.ts';
import type { SnapshotWriter } from '../crawl-folder/writer.ts';
import type { SimilarityIndex } from '../dedup/similarity-index.ts';
import type { RobotsChecker } from '../dispatch/robots-checker.ts';
import type { WorkQueue } from '../dispatch/work-queue.ts';
import type { Egress } from '../egress/egress.ts';
import type { FrontierFigures } from '../frontier/frontier-figures.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { UserHeaders } from '../model/user-headers.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { Offload } from '../offload/offload.ts';
import type { Identity } from '../options/identity.ts';
import type { Extension } from '../pipeline/extension.ts';
import type { Processors } from '../pipeline/processors.ts';
import type { SitemapBook } from '../pipeline/sitemap-book.ts';
import type { LiveBrowser } from '../render/live-browser.ts';
import type { ParameterMemory } from '../traps/parameter-memory.ts';
import type { TrapMemory } from '../traps/trap-memory.ts';
import type { Capacity } from './capacity/capacity.ts';
import type { CrawlFileContent } from './folder/crawl-json.ts';
import type { CrawlPlan } from './crawl-plan.ts';
import type { CrawlFleet } from './fleet/crawl-fleet.ts';
import type { SharedKnowledge } from './fleet/shared-knowledge.ts';
import type { Notes } from './summary/notes.ts';
import type { StateFate } from './opening/open-redis.ts';
import type { PolitenessPolicy } from './opening/politeness-policy.ts';
import type { SizeLimit } from './folder/stored-size.ts';
import type { Tally } from './summary/tally.ts';

/** All that is needed to make and commit visits, whichever process does it. */
export interface VisitingContext {
  readonly plan: CrawlPlan;
  readonly identity: Identity;
  readonly frontier: Frontier;
  readonly egress: Egress;
  readonly robots: RobotsChecker;
  /** Counts pages that wait for answers without a slot. */
  readonly waitingPages: Gauge;
  /** How many visits this process makes at a time. */
  readonly capacity: Capacity;
  /** Makes a visit, with a browser or without one (`--render`); null where it is to be given back, as the crawl is signed out. */
  readonly loadPage: (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;
  /** Pages that were only read, to be visited again where that proves wrong. */
  readonly readPages: ReadPages;
  /** Knows which pages are alike. */
  readonly similar: SimilarityIndex;
  /** The words that hosts have shown, and their infinite spaces. */
  readonly trapMemory: TrapMemory;
  /** Knows which parameters of URLs change nothing. */
  readonly parameterMemory: ParameterMemory;
  readonly snapshots: SnapshotWriter;
  readonly size: SizeLimit;
  readonly politeness: PolitenessPolicy;
  /** Pages that earlier runs of the crawl committed, as far as they count for its limit; not all are in the folder yet. */
  readonly pagesBefore: number;
  readonly notes: Notes;
  /** The scope of the seeds that were known when the context was opened. */
  readonly scope: Scope;
  readonly sitemaps: SitemapBook;
  /** Findings of the crawl's other processes. */
  readonly knowledge: SharedKnowledge;
  readonly extensions: readonly Extension[];
  /** Find out about pages and files by their types. */
  readonly processors: Processors;
  /** Reports stalls of the main loop. */
  readonly watch: MainLoopWatch;
  /** Runs the reading of page texts. */
  readonly offload: Offload;
  readonly clock: Clock;
  readonly log: Log;
  /** Lengths of the frontier, for monitoring. */
  readonly figures: () => Promise<FrontierFigures>;
  /** Opens BullMQ; visits come back through the function. */
  readonly openQueue: (visit: (visit: Visit) => Promise<void>) => Promise<WorkQueue>;
  /** Closes everything, in the reverse order. */
  readonly disposal: Disposal;
}

/** All that a crawl needs, opened by open-crawl-context.ts and used by running-crawl.ts. */
export interface CrawlContext extends VisitingContext {
  readonly folder: CrawlFolder;
  readonly journalFiles: JournalFiles;
  readonly tally: Tally;
  /** Starts a browser that shows pages as their readers see them; null where no page is rendered. */
  readonly openMeasuringBrowser: ((signal: AbortSignal) => Promise<LiveBrowser>) | null;
  /** The workers of the crawl; null where it has a Redis server of its own. */
  readonly fleet: CrawlFleet | null;
  /** The content of crawl.json, without the crawl's state. */
  readonly description: Omit<CrawlFileContent, 'state' | 'end' | 'finished' | 'totals' | 'resumable' | 'notes'>;
  /** Resolves when the crawl has lost for good something that it cannot go on without; otherwise never. */
  readonly lost: Promise<Error>;
  /** The headers of `--http-auth`, sent also with requests that are no visits. */
  readonly httpAuth: UserHeaders;
  /** Resolves, with the reason, when the crawl is signed out and cannot sign in again; otherwise never. */
  readonly signedOut: Promise<string>;
  /** Sets the fate of the frontier's state when everything is closed; until then it is left as it is, but that of a start that fails. Never rejects. */
  readonly settleState: (fate: StateFate) => Promise<void>;
  /** Removes the state of the crawl that this one replaces in its folder, if the same Redis server has it. Never rejects. */
  readonly forgetReplaced: (signal: AbortSignal) => Promise<void>;
}
