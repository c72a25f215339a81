/**
 * The frames of a page. With frame control a frame is drawn on demand, at a given time (frame-clock.ts). Other browsers draw by themselves,
 * whatever the page's clock does (design/rendering, "Without frame control"): the next frames are awaited, and go by the real clock.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { SOURCE as AWAIT_FRAMES } from '../generated/await-frames.ts';
import { FRAME_INTERVAL, OWN_FRAME_LIMIT } from '../limits/idle-limits.ts';
import { FRAME_TIME_LIMIT } from '../page-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';

interface FrameWish {
  readonly count: number;
  /** Time between two frames, where they are drawn on demand. */
  readonly step: Milliseconds;
  /** Are they shown? Pages do their idle work only after a frame that is shown. */
  readonly shown?: boolean;
}

const drawn = z.literal(true);

export class PageFrames {
  readonly #page: WarmPage;
  readonly #clock: Clock;
  /** Do no frames come where they should come by themselves? The browser does not draw a window that is not seen. */
  #isHidden = false;

  constructor(page: WarmPage, clock: Clock) {
    this.#page = page;
    this.#clock = clock;
  }

  /** @returns false where a page with frame control was not drawn, and never will be again */
  async draw({ count, step, shown = false }: FrameWish, signal: AbortSignal): Promise<boolean> {
    const { browser, session, frames, frameControl } = this.#page;
    if (!frameControl) {
      await this.#await(count, signal);
      return true;
    }
    for (let frame = 0; frame < count; frame++) {
      const ask = (): Promise<unknown> =>
        session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: !shown, ...frames.next(step) });
      if ((await browser.draw(ask, FRAME_TIME_LIMIT, signal)) === null) return false;
      if (this.#page.visits === 0) await this.#settle(signal);
    }
    return true;
  }

  /** On a busy machine the first frames of a new page are answered before its process has drawn them: what they run comes after. */
  async #settle(signal: AbortSignal): Promise<void> {
    const answer = this.#page.session.send('Runtime.evaluate', { expression: '0' });
    await this.#page.within(answer, 'a drawn page', signal, FRAME_TIME_LIMIT).catch(() => {
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
    });
  }

  /** Waits until so many frames have come by themselves. */
  async #await(count: number, signal: AbortSignal): Promise<void> {
    if (this.#isHidden) return this.#clock.sleep(milliseconds(count * FRAME_INTERVAL), signal);
    const frame = { session: this.#page.session, frameId: this.#page.frameId, url: null };
    const parse = (answer: unknown): true | null => drawn.safeParse(answer).data ?? null;
    const run = { source: AWAIT_FRAMES, input: count, parse, later: true, limit: OWN_FRAME_LIMIT };
    try {
      await runInWorld(this.#page, frame, run, signal);
    } catch {
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
      this.#isHidden = true;
    }
  }
}
