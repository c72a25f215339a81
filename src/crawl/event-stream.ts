/** The events of a crawl as an async iterator. A listener that is slow slows the crawl's books, so that none is lost. */
import { createWake, type Wake } from '../dispatch/wake.ts';
import type { CrawlEvent } from './events.ts';

/** Events that a listener may be behind before the books wait for it. */
const BEHIND_LIMIT = 10_000;
/** Events that are kept for the first listener, who comes a moment after the crawl began. */
const EARLY_LIMIT = 1000;

interface Listener {
  readonly events: CrawlEvent[];
  readonly arrived: Wake;
  readonly taken: Wake;
  readonly gone: AbortController;
}

export interface EventStream extends AsyncIterable<CrawlEvent> {
  /** Resolves at once, but for a listener that is far behind. */
  tell(event: CrawlEvent): Promise<void>;
  /** Ends the iteration after what was told. */
  end(): void;
}

export function createEventStream(): EventStream {
  const listeners = new Set<Listener>();
  const ended = new AbortController();
  let early: CrawlEvent[] | null = [];

  async function* deliver(listener: Listener): AsyncGenerator<CrawlEvent> {
    try {
      for (;;) {
        const event = listener.events.shift();
        if (event !== undefined) {
          listener.taken.ring();
          yield event;
        } else if (ended.signal.aborted) return;
        else await listener.arrived.wait(ended.signal);
      }
    } finally {
      listeners.delete(listener);
      listener.gone.abort();
    }
  }

  return {
    tell: async (event) => {
      if (early !== null && early.length < EARLY_LIMIT) early.push(event);
      for (const { events, arrived, taken, gone } of listeners) {
        events.push(event);
        arrived.ring();
        while (events.length >= BEHIND_LIMIT && !gone.signal.aborted) await taken.wait(gone.signal);
      }
    },
    end: () => ended.abort(),
    [Symbol.asyncIterator]: () => {
      const listener = { events: early ?? [], arrived: createWake(), taken: createWake(), gone: new AbortController() };
      early = null;
      listeners.add(listener);
      return deliver(listener);
    },
  };
}
