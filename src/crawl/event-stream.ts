/** The events of a crawl as an async iterator. A slow listener slows the journal, so that no event is lost. */
import { createWake, type Wake } from '../base/wake.ts';
import type { CrawlEvent } from './events.ts';

/** How many events a listener may be behind before the journal waits for it. */
const BEHIND_LIMIT = 10_000;
/** Events that are kept for the first listener, which is added a moment after the crawl began. */
const EARLY_LIMIT = 1000;

interface Listener {
  readonly events: CrawlEvent[];
  readonly arrived: Wake;
  readonly taken: Wake;
  readonly gone: AbortController;
}

interface EventStream extends AsyncIterable<CrawlEvent> {
  /** Resolves at once, unless a listener is far behind. */
  push(event: CrawlEvent): Promise<void>;
  /** Ends the iteration after the events so far. */
  end(): void;
}

export function createEventStream(): EventStream {
  const listeners = new Set<Listener>();
  const ended = new AbortController();
  let early: CrawlEvent[] | null = [];

  async function* deliver({ events, arrived, taken, gone }: Listener): AsyncGenerator<CrawlEvent> {
    const over = AbortSignal.any([ended.signal, gone.signal]);
    for (;;) {
      const event = events.shift();
      if (event !== undefined) {
        taken.notify();
        yield event;
      } else if (over.aborted) return;
      else await arrived.wait(over);
    }
  }

  function leave(listener: Listener): void {
    listeners.delete(listener);
    listener.events.length = 0;
    listener.gone.abort();
  }

  /** Wraps the generator: the `return` of one that has not started runs none of its code, so `leave` is called outside. */
  function listen(listener: Listener): AsyncIterator<CrawlEvent> {
    const delivery = deliver(listener);
    listeners.add(listener);
    return {
      next: () => delivery.next(),
      return: () => {
        leave(listener);
        return delivery.return(undefined);
      },
    };
  }

  return {
    push: async (event) => {
      if (early !== null && early.length < EARLY_LIMIT) early.push(event);
      for (const { events, arrived, taken, gone } of listeners) {
        events.push(event);
        arrived.notify();
        while (events.length >= BEHIND_LIMIT && !gone.signal.aborted) await taken.wait(gone.signal);
      }
    },
    end: () => ended.abort(),
    [Symbol.asyncIterator]: () => {
      const listener = { events: early ?? [], arrived: createWake(), taken: createWake(), gone: new AbortController() };
      early = null;
      return listen(listener);
    },
  };
}
