/** Keeps the lease of a visit while the visit lasts. */
import type { LinkedAbort } from '../base/linked-abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { after, type Milliseconds } from '../base/units.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { Visit } from '../model/visit.ts';

interface LeaseHolding {
  readonly frontier: Pick<Frontier, 'renew'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Duration of a lease between two renewals. */
  readonly leaseFor: Milliseconds;
  /**
   * Must a lease be given up if it could not be renewed in time? A worker must: others may visit its host by then. The controller need not: after a
   * time without Redis it takes no leases back until its visits have renewed theirs (lease-grace.ts).
   */
  readonly givesUpSilent?: boolean;
}

/** Renews the lease until disposed. @param lost is aborted where the frontier has given the lease to another */
export function holdLease(visit: Visit, lost: LinkedAbort, holding: LeaseHolding): Disposable {
  const { frontier, clock, log, leaseFor, givesUpSilent = false } = holding;
  let renewed = clock.monotonic();
  const timer = setInterval(() => {
    const asked = clock.monotonic();
    if (givesUpSilent && asked - renewed >= leaseFor) lost.abort(new Error('the lease could not be renewed in time'));
    frontier.renew(visit.token, after(clock.now(), leaseFor)).then(
      (isOurs) => {
        if (isOurs) renewed = asked;
        else lost.abort(new Error('the lease was taken back'));
      },
      (error: unknown) => log.warn('lease was not renewed', { url: visit.url, error: String(error) }),
    );
  }, leaseFor / 3);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
