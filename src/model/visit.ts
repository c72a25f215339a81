import type { EpochMs } from '../base/units.ts';
import type { SecondVisit } from './candidate.ts';
import type { HostKey } from './url/host-key.ts';

/** A lease: the right and the duty to visit one URL now, once. */
export interface Visit extends SecondVisit {
  readonly host: HostKey;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Was nothing of its host committed before it was leased? */
  readonly firstOfHost: boolean;
  /** How often the program ended suddenly while this page was visited, it alone or others beside it. */
  readonly deaths: number;
  /**
   * The page was only read before, and its like turned out to need a browser: this visit renders it, and adds what the first one missed. Left out
   * where it is the first visit.
   */
  readonly again?: true;
  /** Fencing number, unique in the crawl and rising: what is settled under another number changes nothing. */
  readonly token: number;
  readonly leasedAt: EpochMs;
  /** The local address that it must go out by, empty for processes that have not said theirs; left out where any process may make it. */
  readonly egress?: string;
  /** When the lease is taken back, unless it is renewed. */
  readonly leasedUntil: EpochMs;
}
