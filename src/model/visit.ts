import type { EpochMs } from '../base/units.ts';
import type { SecondVisit } from './candidate.ts';
import type { HostKey } from './url/host-key.ts';

/** A lease: the right and the duty to visit one URL once, now. */
export interface Visit extends SecondVisit {
  readonly host: HostKey;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Was no visit of its host committed before the lease? */
  readonly firstOfHost: boolean;
  /** Number of sudden ends of the program during a visit of this page, whether alone or beside others. */
  readonly deaths: number;
  /**
   * The page was only read before, and similar pages turned out to need a browser: this visit renders it, and adds what the first one missed.
   * Left out for a first visit.
   */
  readonly again?: true;
  /** Its address was named as a sitemap: it is read as one, whatever its type. Known where it is loaded. */
  readonly isSitemap?: true;
  /** Fencing token, unique in the crawl and rising: a result under another token changes nothing. */
  readonly token: number;
  readonly leasedAt: EpochMs;
  /** The local address that it must go out by, empty for processes that reported none; left out where any process may make it. */
  readonly egress?: string;
  /** Expiry of the lease, unless it is renewed. */
  readonly leasedUntil: EpochMs;
}
