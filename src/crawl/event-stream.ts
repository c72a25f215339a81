/** The events of a crawl as an async iterator. Where nobody listens, nothing is kept; who listens slowly slows the crawl's books. */
import type { CrawlEvent } from './events.ts';
import { createWake } from '../dispatch/wake.ts';

/** Events that a listener may be behind before the books wait for it. */
const BEHIND_LIMIT = 10_000;

export interface EventStream extends AsyncIterable<CrawlEvent> {
  /** Resolves at once, but for a listener that is far behind. */
  tell(event: CrawlEvent): Promise<void>;
  /** Ends the iteration after what was told. */
  end(): void;
}

export function createEventStream(): EventStream {
  const listeners = new Set<{
    readonly events: CrawlEvent[];
    readonly arrived: () => void;
    readonly room: () => Promise<void>;
  }>();
  const ended = new AbortController();

  async function* listen(): AsyncGenerator<CrawlEvent> {
    const events: CrawlEvent[] = [];
    const arrived = createWake();
    const taken = createWake();
    const gone = new AbortController();
    const listener = {
      events,
      arrived: () => arrived.ring(),
      room: async () => {
        while (events.length >= BEHIND_LIMIT && !gone.signal.aborted) await taken.wait(gone.signal);
      },
    };
    listeners.add(listener);
    try {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) {
          taken.ring();
          yield event;
        } else if (ended.signal.aborted) return;
        else await arrived.wait(ended.signal);
      }
    } finally {
      listeners.delete(listener);
      gone.abort();
    }
  }

  return {
    tell: async (event) => {
      for (const listener of listeners) {
        listener.events.push(event);
        listener.arrived();
        await listener.room();
      }
    },
    end: () => ended.abort(),
    [Symbol.asyncIterator]: listen,
  };
}
