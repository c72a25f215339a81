import type { ExchangeRecorder } from '../model/exchange.ts';

/** A recorder for a gate that is opened before there is a place to keep things in. Until `keep` is called nothing is kept. */
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
