import type { EpochMs } from '../base/units.ts';
import type { Candidate } from './candidate.ts';
import type { HostKey } from './url/host-key.ts';

/** A lease: the right and the duty to visit one URL now, once. */
export interface Visit extends Candidate {
  readonly host: HostKey;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Was nothing of its host committed before it was leased? */
  readonly firstOfHost: boolean;
  /** How often the program ended suddenly while this page was visited, it alone or others beside it. */
  readonly deaths: number;
  /** Fencing number, unique in the crawl and rising: what is settled under another number changes nothing. */
  readonly token: number;
  readonly leasedAt: EpochMs;
  /** When the lease is taken back, unless it is renewed. */
  readonly leasedUntil: EpochMs;
}
