/**
 * Waits until the pages of a log-in ask for nothing any more. Playwright's own state for it (`networkidle`) is reached once for a document,
 * and says nothing of what a later step sends: a form whose script asks whether the password is right is such a document.
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { HookedPage } from '../../render/hooks/page-hook.ts';

/** The time without a request that counts as quiet; Playwright has the same. */
const QUIET = milliseconds(500);
const LOOK_EVERY = milliseconds(100);
/** Classes of requests that a sign-in may need. Pictures may hang, and streams never end. */
const NEEDED: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch']);

interface Asked {
  /** @throws where it has no frame, or none yet */
  frame(): { page(): { isClosed(): boolean } };
}

export class QuietNetwork {
  readonly #clock: Clock;
  /** Requests that are not answered yet. */
  readonly #pending = new Set<Asked>();
  /** When a request began or ended last, on the monotonic clock. */
  #changed: Milliseconds;

  /** Begins to count at once. */
  constructor(context: Pick<ReturnType<HookedPage['context']>, 'on'>, clock: Clock) {
    this.#clock = clock;
    this.#changed = clock.monotonic();
    context.on('request', (request) => {
      if (!NEEDED.has(request.resourceType())) return;
      this.#pending.add(request);
      this.#changed = clock.monotonic();
    });
    const ended = (request: Asked): void => {
      if (this.#pending.delete(request)) this.#changed = clock.monotonic();
    };
    context.on('requestfinished', ended);
    context.on('requestfailed', ended);
  }

  /** Resolves when nothing is asked for, for a while from now on, or after the limit. @throws the signal's reason */
  async reached(limit: Milliseconds, signal: AbortSignal): Promise<void> {
    const began = this.#clock.monotonic();
    const now = (): number => this.#clock.monotonic();
    const isQuiet = (): boolean => this.#isAnswered() && now() - Math.max(began, this.#changed) >= QUIET;
    while (!isQuiet() && now() - began < limit) await this.#clock.sleep(LOOK_EVERY, signal);
  }

  /** Nobody reports the end of what a window asked for that has closed. */
  #isAnswered(): boolean {
    for (const request of this.#pending) if (isOfClosed(request)) this.#pending.delete(request);
    return this.#pending.size === 0;
  }
}

function isOfClosed(request: Asked): boolean {
  try {
    return request.frame().page().isClosed();
  } catch {
    return false; // its window is only being opened
  }
}
