/**
 * Scrolls as a reader would, until nothing grows any more: the page and the scrollable elements in it, down and across. Links
 * found then have the stage `scroll`. The order is frame, grant, frame: intersection observers must see the intersections
 * (design/rendering, "Scrolling").
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { FoundLink } from '../../model/link.ts';
import type { ScrollInput, ScrollLook } from '../../model/page-actions.ts';
import { childAddresses, collectLinksOnly, mainAddress, orNothing } from '../extract/collect.ts';
import { foundLinkKey } from '../extract/found-links.ts';
import { SOURCE as SCROLL } from '../generated/scroll.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import type { PatternWaits } from '../idle/learned-waits.ts';
import {
  LITTLE_GROWTH,
  SCROLL_FRAMES,
  SCROLL_LATE_TIME,
  SCROLL_NODES,
  SCROLL_PLACES,
  SCROLL_ROUNDS,
  SCROLL_ROUND_TIME,
  SCROLL_STEPS,
  SCROLL_STEP_TIME,
} from '../limits/interaction-limits.ts';
import { runInWorld, type FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseScroll } from './answer-shapes.ts';

interface ScrollOptions {
  readonly idleWait: IdleWait;
  readonly learnedWaits: PatternWaits;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
  /** The same for the time that the page was at work: its waits for answers do not count. */
  readonly busyUntil: Milliseconds;
  /** Was there anything to scroll in the page when it was read? */
  readonly scrolls: boolean;
  /** Will the page be looked at from its start? */
  readonly backToStart: boolean;
  /** Will the page be used any further, so that it must return to its start after it has grown? */
  readonly isUsed: boolean;
}

interface Scrolled {
  /** Did scrolling bring anything? If not, the page need not be read again. */
  readonly grown: boolean;
  /** Links that were there only during the scroll. */
  readonly passed: readonly FoundLink[];
}

export async function scrollThrough(page: WarmPage, options: ScrollOptions, signal: AbortSignal): Promise<Scrolled> {
  const { frameCount } = page.watch;
  if (!options.scrolls && frameCount === 1) return { grown: false, passed: [] };
  const first = await look(page, mainAddress(page), 'next', signal);
  const children = frameCount > 1 ? ((await orNothing(childAddresses(page, signal), page, signal)) ?? []) : [];
  const frames = [mainAddress(page), ...children.slice(0, SCROLL_FRAMES)];
  if (!first.scrollable && frames.length === 1) return { grown: false, passed: [] };
  return new Scrolling(page, frames, options).run(first, signal);
}

class Scrolling {
  readonly #page: WarmPage;
  readonly #options: ScrollOptions;
  /** Frames that can be scrolled. */
  #frames: readonly FrameAddress[];
  readonly #passed = new Map<string, FoundLink>();

  constructor(page: WarmPage, frames: readonly FrameAddress[], options: ScrollOptions) {
    this.#page = page;
    this.#frames = frames;
    this.#options = options;
  }

  async run(first: ScrollLook, signal: AbortSignal): Promise<Scrolled> {
    const { idleWait, backToStart, isUsed } = this.#options;
    let end = first;
    for (let place = 0; place < SCROLL_PLACES && end.moved && this.#mayGoOn(); place++) {
      await idleWait.more(SCROLL_STEP_TIME, signal);
      end = await look(this.#page, mainAddress(this.#page), 'next', signal);
    }
    if (this.#frames.length > 1) end = await this.#all('end', signal);
    const ends = end.scrollable ? await this.#toTheEnd(end, signal) : [end];
    const recycled = ends.some((one) => one.recycled);
    if (recycled) await this.#stepByStep(signal);
    const passed = [...this.#passed.values()];
    if (idleWait.spoiled || !end.scrollable) return { grown: false, passed };
    const grown = ends.length === 1 || recycled || !ends.every((one) => isSame(one, first));
    // the snapshot of such a list is to have its first rows, as a reader sees them, not its last ones
    if (backToStart || recycled || (grown && isUsed)) await this.#all('start', signal);
    // it draws them anew: else the first action would seem to reveal them
    if (recycled) await idleWait.more(SCROLL_STEP_TIME, signal);
    return { grown, passed };
  }

  /** Scrolls to the end until nothing changes. @param end the look at the first round. @returns the looks of all rounds */
  async #toTheEnd(end: ScrollLook, signal: AbortSignal): Promise<readonly ScrollLook[]> {
    const { idleWait, learnedWaits } = this.#options;
    const looks = [end];
    let nudged = false;
    /** The look at which a longer wait began, for what comes by slow timers. */
    let late: ScrollLook | null = null;
    /** Least growth that is known to take the end out of view: more followed it. */
    let enough = LITTLE_GROWTH;
    while (looks.length < SCROLL_ROUNDS && this.#mayGoOn()) {
      await idleWait.more(late === null ? SCROLL_ROUND_TIME : SCROLL_LATE_TIME, signal);
      const now = await this.#all('end', signal);
      const [earlier, before] = [looks.at(-2), looks.at(-1) ?? end];
      looks.push(now);
      if (now.recycled || now.nodes > SCROLL_NODES) break;
      const growth = before.height - (earlier ?? before).height;
      if (!isSame(now, before)) {
        if (!nudged && growth > 0 && now.height > before.height) enough = Math.min(enough, growth);
        nudged = false;
        continue;
      }
      // a list that grew by little may still have its end in view: the end must leave the view before it can come again
      if (nudged || earlier === undefined || growth >= enough) {
        if (late !== null || !learnedWaits.isWorth('scroll')) break;
        late = now;
        continue;
      }
      nudged = true;
      await this.#all('back', signal);
      await idleWait.more(SCROLL_STEP_TIME, signal);
      await this.#all('end', signal);
    }
    const last = looks.at(-1) ?? end;
    if (late !== null) learnedWaits.learn('scroll', last.links > late.links || last.height > late.height);
    return looks;
  }

  /** Reads view by view a list that removes entries out of view. */
  async #stepByStep(signal: AbortSignal): Promise<void> {
    const { idleWait } = this.#options;
    await this.#all('start', signal);
    for (let step = 0; step < SCROLL_STEPS && this.#mayGoOn(); step++) {
      await idleWait.more(SCROLL_STEP_TIME, signal);
      await this.#readPassed(signal);
      if (!(await this.#all('step', signal)).moved) return;
    }
    await this.#readPassed(signal);
  }

  async #readPassed(signal: AbortSignal): Promise<void> {
    const { foundLinks } = await collectLinksOnly(this.#page, 'scroll', signal);
    for (const foundLink of foundLinks) this.#passed.set(foundLinkKey(foundLink), foundLink);
  }

  #mayGoOn(): boolean {
    const { clock, until, busyUntil, idleWait } = this.#options;
    const now = clock.monotonic();
    return now < until && now - idleWait.waited < busyUntil && !idleWait.over;
  }

  /** Scrolls every frame that can be scrolled, and adds up their looks. */
  async #all(to: ScrollInput['to'], signal: AbortSignal): Promise<ScrollLook> {
    const looks: ScrollLook[] = [];
    const scrollable: FrameAddress[] = [];
    for (const frame of this.#frames) {
      const isPage = frame.url === null;
      const asked = look(this.#page, frame, to, signal);
      const seen = isPage ? await asked : await orNothing(asked, this.#page, signal);
      if (seen === null) continue;
      looks.push(seen);
      if (isPage || seen.scrollable) scrollable.push(frame);
    }
    this.#frames = scrollable;
    return {
      height: looks.reduce((sum, { height }) => sum + height, 0),
      links: looks.reduce((sum, { links }) => sum + links, 0),
      nodes: looks.reduce((sum, { nodes }) => sum + nodes, 0),
      scrollable: looks.some((one) => one.scrollable),
      recycled: looks.some((one) => one.recycled),
      moved: looks.some((one) => one.moved),
    };
  }
}

function isSame(one: ScrollLook, other: ScrollLook): boolean {
  return one.height === other.height && one.links === other.links && one.nodes === other.nodes;
}

function look(page: WarmPage, frame: FrameAddress, to: ScrollInput['to'], signal: AbortSignal): Promise<ScrollLook> {
  const input: ScrollInput = { to };
  return runInWorld(page, frame, { source: SCROLL, input, parse: parseScroll }, signal);
}
