/**
 * The frames of a page. With frame control a frame is drawn on demand, at a given time (frame-clock.ts). Other browsers draw by themselves,
 * whatever the page's clock does (design/rendering, "Without frame control"): the next frames are awaited, and go by the real clock.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { SOURCE as AWAIT_FRAMES } from '../generated/await-frames.ts';
import { SOURCE as FRAME_SEEN } from '../generated/frame-seen.ts';
import {
  CHECKED_FRAMES,
  FRAME_INTERVAL,
  OWN_FRAME_LIMIT,
  UNSEEN_FRAME_PAUSE,
  UNSEEN_FRAMES,
} from '../limits/idle-limits.ts';
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
const truthOf = (answer: unknown): boolean | null => z.boolean().safeParse(answer).data ?? null;

export class PageFrames {
  readonly #page: WarmPage;
  readonly #clock: Clock;
  /** Do no frames come where they should come by themselves? The browser does not draw a window that is not seen. */
  #isHidden = false;
  /** Do frames count only where a script has seen them? No more once some were drawn in vain: the page waits for its style sheets. */
  #mustBeSeen = true;
  #hasAsked = false;

  constructor(page: WarmPage, clock: Clock) {
    this.#page = page;
    this.#clock = clock;
  }

  /** @returns false where a page with frame control was not drawn, and never will be again */
  async draw({ count, step, shown = false }: FrameWish, signal: AbortSignal): Promise<boolean> {
    const { frameControl } = this.#page;
    if (!frameControl) {
      await this.#await(count, signal);
      return true;
    }
    for (let frame = 0; frame < count; frame++) {
      // those that are drawn in numbers end animations: of them one may be lost
      const isChecked = this.#mustBeSeen && count <= CHECKED_FRAMES;
      const isDrawn = isChecked ? this.#drawSeen(step, shown, signal) : this.#drawOne(step, shown, signal);
      if (!(await isDrawn)) return false;
    }
    return true;
  }

  async #drawOne(step: Milliseconds, shown: boolean, signal: AbortSignal): Promise<boolean> {
    const { browser, session, frames } = this.#page;
    const frame = { noDisplayUpdates: !shown, ...frames.next(step) };
    const ask = (): Promise<unknown> => session.send('HeadlessExperimental.beginFrame', frame);
    return (await browser.draw(ask, FRAME_TIME_LIMIT, signal)) !== null;
  }

  /** On a busy machine the browser answers for frames before the page's process has drawn them: only those that a script has seen count. */
  async #drawSeen(step: Milliseconds, shown: boolean, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasAsked) await this.#sawFrame(signal);
    this.#hasAsked = true;
    for (let tries = 1; ; tries++) {
      if (!(await this.#drawOne(tries === 1 ? step : milliseconds(1), shown, signal))) return false;
      if (await this.#sawFrame(signal)) return true;
      if (tries === UNSEEN_FRAMES) break;
      await this.#clock.sleep(UNSEEN_FRAME_PAUSE, signal);
    }
    this.#mustBeSeen = false;
    return true;
  }

  /** Has a script of ours in the page seen a frame since this was asked last? A page that does not answer is not asked again. */
  async #sawFrame(signal: AbortSignal): Promise<boolean> {
    const frame = { session: this.#page.session, frameId: this.#page.frameId, url: null };
    try {
      return await runInWorld(this.#page, frame, { source: FRAME_SEEN, input: null, parse: truthOf }, signal);
    } catch {
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
      this.#mustBeSeen = false;
      return true;
    }
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
