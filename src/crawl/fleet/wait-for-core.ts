/** A worker's wait for a core: it starts its browser when a core of its machine has none of the crawl. */
import { BEAT_EVERY } from '../../core/fleet/liveness.ts';
import { claimCore, type ClaimNeeds, type CoreClaim } from '../../fleet/core-claim.ts';
import { readController } from '../../fleet/epoch.ts';
import type { FleetClock } from './fleet-clock.ts';

interface WaitNeeds extends ClaimNeeds {
  readonly clock: FleetClock;
  /** Cores of the processors. */
  readonly cores: number;
  /** Works whatever others do: the user has named the number of visits, or an address to go out by, whose pace is its own. */
  readonly atOnce: boolean;
  /** Called when it begins to wait. */
  readonly say: (text: string) => void;
  /** Aborts when the worker is to end. */
  readonly draining: AbortSignal;
}

/** @returns the claim, or what ended the wait */
export async function waitForCore(needs: WaitNeeds): Promise<CoreClaim | 'crawl-ended' | 'drained'> {
  const { clock, cores, atOnce, say, draining } = needs;
  for (let waits = false; !draining.aborted;) {
    // both at once: a process that waits takes processor time from those that work, most of it for its wake-ups
    const [claim, controller] = await Promise.all([
      claimCore(needs, atOnce ? null : cores),
      readController(needs, clock),
    ]);
    if (claim !== null) return claim;
    if (controller === null || controller.state === 'left') return 'crawl-ended';
    if (!waits) say(`${wordsFor(needs.keys.crawl, cores)}; --workers <n> works beside them.`);
    waits = true;
    await clock.sleep(BEAT_EVERY, draining).catch(() => {});
  }
  return 'drained';
}

function wordsFor(crawl: string, cores: number): string {
  const others = cores === 1 ? '1 process renders' : `${cores} processes render`;
  const machine = cores === 1 ? 'the only core' : `the ${cores} cores`;
  return `waiting to work for ${crawl}: ${others} its pages on ${machine} of this machine already`;
}
