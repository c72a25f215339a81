/** The parts with which every module of a crawl is opened. */
import type { Clock } from '../../base/clock.ts';
import type { Disposal } from '../../base/disposal.ts';
import type { Log } from '../../base/log.ts';
import type { Offload } from '../../offload/offload.ts';
import type { Extension } from '../../pipeline/extension.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import type { Notes } from '../summary/notes.ts';

/** Resources are registered with `disposal`, and closed with it, the last one first. */
export interface ContextParts {
  readonly environment: CrawlEnvironment;
  readonly disposal: Disposal;
  readonly clock: Clock;
  readonly log: Log;
  readonly notes: Notes;
  readonly extensions: readonly Extension[];
  /** Runs the reading of page texts. */
  readonly offload: Offload;
}
