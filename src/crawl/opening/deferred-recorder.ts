import type { ExchangeRecorder } from '../../model/exchange.ts';

/** A recorder for an egress gate that is opened before the archive. Until `keep` is called nothing is recorded. */
export interface DeferredRecorder extends ExchangeRecorder {
  keep(recorder: ExchangeRecorder): void;
  /** Records nothing that begins before the function is called that it returns: somebody signs in. */
  mute(): () => void;
}

export function createDeferredRecorder(): DeferredRecorder {
  let target: ExchangeRecorder | null = null;
  let muted = 0;
  return {
    begin: (request) => (muted > 0 ? null : (target?.begin(request) ?? null)),
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
