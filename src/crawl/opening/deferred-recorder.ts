import type { EpochMs } from '../../base/units.ts';
import type { ExchangeRecorder } from '../../model/exchange.ts';

/** A recorder for an egress gate that is opened before the archive. Until `keep` is called nothing is recorded. */
export interface DeferredRecorder extends ExchangeRecorder {
  keep(recorder: ExchangeRecorder): void;
  /** Records no exchange that begins before the returned function is called: for sign-ins. */
  mute(): () => void;
}

/** @param now the time of the crawl, where this machine's clock may differ; null where it does not */
export function createDeferredRecorder(now: (() => EpochMs) | null = null): DeferredRecorder {
  let target: ExchangeRecorder | null = null;
  let muted = 0;
  return {
    begin: (request) => {
      if (muted > 0 || target === null) return null;
      return target.begin(now === null ? request : { ...request, startedAt: now() });
    },
    keep: (recorder) => {
      target = recorder;
    },
    mute: () => {
      muted += 1;
      return () => {
        muted -= 1;
      };
    },
  };
}
