/**
 * Uses an element by the browser's own input, for handlers that trust nothing else (`event.isTrusted`). Costs a scroll and frames, so it is
 * only for elements whose listeners did nothing when they got our events.
 */
import type { ActResult } from '../../model/page-actions.ts';
import { mainAddress } from '../extract/collect.ts';
import { SOURCE as ACT } from '../generated/act.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import { INPUT_LIMIT } from '../limits/interaction-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseAct } from './answer-shapes.ts';

const ENTER = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } as const;
const OUTSIDE = { x: -100, y: -100 } as const;
const LEFT = { button: 'left', buttons: 1, clickCount: 1 } as const;

export class RealInput {
  readonly #page: WarmPage;
  readonly #idleWait: IdleWait;
  #moved = false;

  constructor(page: WarmPage, idleWait: IdleWait) {
    this.#page = page;
    this.#idleWait = idleWait;
  }

  /** @returns whether it was done: not where the element cannot be seen, or is covered by another */
  async use(key: string, action: 'click' | 'key', signal: AbortSignal): Promise<boolean> {
    const page = this.#page;
    const input = { key, action: 'open', turn: 0, keys: [] };
    const { end, x, y } = await runInWorld(page, mainAddress(page), { source: ACT, input, parse: parseAct }, signal);
    if (end !== 'done') return false;
    // after this frame a scrolled element is where it is drawn
    await this.#idleWait.animate(1, signal);
    const sent = action === 'click' ? this.#click({ x, y }) : await this.#strike(key, signal);
    // mouse moves are dispatched with the next frame, and later input waits for them
    await this.#idleWait.animate(1, signal);
    await page.within(Promise.all(sent), 'an input', signal, INPUT_LIMIT);
    return true;
  }

  /** Moves the mouse off the page: an element under it in the next document would get its events. */
  async leave(signal: AbortSignal): Promise<void> {
    if (!this.#moved) return;
    this.#moved = false;
    const left = this.#page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...OUTSIDE });
    await this.#idleWait.animate(1, signal);
    await this.#page.within(left, 'an input', signal, INPUT_LIMIT);
  }

  #click(at: Pick<ActResult, 'x' | 'y'>): readonly Promise<unknown>[] {
    const { session } = this.#page;
    this.#moved = true;
    return [
      session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at }),
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at, ...LEFT }),
      session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at, ...LEFT }),
    ];
  }

  async #strike(key: string, signal: AbortSignal): Promise<readonly Promise<unknown>[]> {
    const { session } = this.#page;
    const run = { source: ACT, input: { key, action: 'focus', turn: 0, keys: [] }, parse: parseAct };
    await runInWorld(this.#page, mainAddress(this.#page), run, signal);
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...ENTER, text: '\r' }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...ENTER }),
    ];
  }
}
