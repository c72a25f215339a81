import type { ExchangeKeeper } from '../model/exchange.ts';

/** A keeper for a gate that is opened before there is a place to keep things in. Until `keep` is called nothing is kept. */
export interface LateKeeper extends ExchangeKeeper {
  keep(keeper: ExchangeKeeper): void;
}

export function createLateKeeper(): LateKeeper {
  let target: ExchangeKeeper | null = null;
  return {
    begin: (request) => target?.begin(request) ?? null,
    keep: (keeper) => {
      target = keeper;
    },
  };
}
