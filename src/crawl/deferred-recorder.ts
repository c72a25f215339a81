import type { ExchangeRecorder } from '../model/exchange.ts';

/** A recorder for an egress gate that is opened before the archive. Until `keep` is called nothing is recorded. */
export interface DeferredRecorder extends ExchangeRecorder {
  keep(recorder: ExchangeRecorder): void;
}

export function createDeferredRecorder(): DeferredRecorder {
  let target: ExchangeRecorder | null = null;
  return {
    begin: (request) => target?.begin(request) ?? null,
    keep: (recorder) => {
      target = recorder;
    },
  };
}
