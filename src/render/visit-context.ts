/** The parameters of a visit in a browser page, and its result. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import type { InteractionMemory } from '../core/interaction/interaction-memory.ts';
import type { Egress } from '../egress/egress.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { VisitHooks } from './hooks/visit-hooks.ts';
import type { ClockChoice } from './idle/idle-wait.ts';
import type { PageSlot } from './idle/page-slot.ts';
import type { PatternWaits } from './idle/learned-waits.ts';
import type { RenderOptions } from './renderer.ts';

export interface VisitContext {
  readonly options: RenderOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** Knows why a connection could not be made; null where the browser has no egress gate before it (tests). */
  readonly egress: Pick<Egress, 'lastFailure' | 'holdsBack' | 'bodyArrives'> | null;
  /** What using earlier pages has taught. */
  readonly memory: InteractionMemory;
  /** Wait times learnt from similar pages. */
  readonly learnedWaits: PatternWaits;
  /** The slot of the visit, given away while the page only waits for answers. */
  readonly slot: PageSlot;
  /** Is the page known to hang in virtual time? Its {@link WarmPage} must be one that never had such a clock. */
  readonly realClock: boolean;
  /** Has a script of the page closed it? Then none may. */
  readonly staysOpen: boolean;
  /** Requests that earlier tries of the visit have sent. */
  readonly sentBefore: number;
  /** The hooks of the page; null where there are none for it. */
  readonly hooks: VisitHooks | null;
}

/** A visit, and its document where that was fetched already. */
export interface PageVisit {
  readonly visit: Visit;
  readonly document: FetchedDocument | null;
}

export interface VisitEnd {
  readonly outcome: VisitOutcome;
  /** May the page serve again? */
  readonly sound: boolean;
  /** It hung in virtual time, and there is time for a second try in real time. */
  readonly needsRealClock?: boolean;
  /** A script of it has closed it. */
  readonly closedItself?: boolean;
  /** Requests that were sent in this try and the tries before it. */
  readonly sent?: number;
}

/** The clock by which the page runs. */
export function clockOf({ options, realClock }: VisitContext): ClockChoice {
  return { mode: options.settle, realClock };
}
