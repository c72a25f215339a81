/**
 * The page that a step of a log-in acts on: the newest open one, since identity providers ask for passwords in windows of their own, and the
 * one before it when that has closed. A step looks for its target on whichever page that is, and acts when the target is there.
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { HookedPage } from '../../render/hooks/page-hook.ts';

interface PageNeed {
  /** Is an address one that the step is meant for? Null: any is. */
  readonly isMeant: ((url: string) => boolean) | null;
  /** Resolves when the page has the step's target. It changes nothing: it is called again, and for other pages. */
  readonly ready: (page: HookedPage, timeout: Milliseconds) => Promise<unknown>;
}

interface ReadyPage {
  readonly page: HookedPage;
  /** The rest of the step's time. */
  readonly left: Milliseconds;
}

/** The pause between two looks for the newest page. */
const LOOK = milliseconds(250);

export class StepPages {
  readonly #first: HookedPage;
  readonly #clock: Clock;

  /** @param first the page that the log-in was given */
  constructor(first: HookedPage, clock: Clock) {
    this.#first = first;
    this.#clock = clock;
  }

  /** Open pages, the oldest first. */
  get open(): readonly HookedPage[] {
    return this.#first
      .context()
      .pages()
      .filter((page) => !page.isClosed());
  }

  get newest(): HookedPage {
    return this.open.at(-1) ?? this.#first;
  }

  /** Waits for a page that is ready. @throws what `ready` threw last; the signal's reason */
  async ready({ isMeant, ready }: PageNeed, timeout: Milliseconds, signal: AbortSignal): Promise<ReadyPage> {
    const until = this.#clock.monotonic() + timeout;
    const left = (): number => until - this.#clock.monotonic();
    let why: unknown = new NoSuchPage('no page with such an address is open');
    do {
      signal.throwIfAborted();
      const page = this.open.findLast((each) => isMeant === null || isMeant(each.url()));
      if (page === undefined) {
        await this.#clock.sleep(LOOK, signal);
        continue;
      }
      try {
        await ready(page, milliseconds(Math.max(1, Math.min(LOOK, left()))));
        return { page, left: milliseconds(Math.max(LOOK, left())) };
      } catch (error) {
        if (!isPassing(error, page)) throw error;
        why = error;
      }
    } while (left() > 0);
    throw why;
  }
}

class NoSuchPage extends Error {}

/** May the next try succeed? */
function isPassing(error: unknown, page: HookedPage): boolean {
  return page.isClosed() || (error instanceof Error && error.name === 'TimeoutError');
}
