/** What the frames of a page do: how many there are, when its document has loaded, which windows and frames it opens. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import type { Milliseconds } from '../../base/units.ts';
import { NAVIGATION_LIMIT, URL_LENGTH } from '../page-limits.ts';

/** The document of a page between visits; its events belong to no visit. */
const BLANK = 'about:blank';

export class FrameWatch {
  readonly #mainFrameId: string;
  readonly #clock: Clock;
  readonly #windows: string[] = [];
  readonly #asked: string[] = [];
  /** Ids of the frames below the main one. */
  readonly #children = new Set<string>();
  /** Has the visit's document taken the place of the one before? That one's load event may still come. */
  #arrived = false;
  #loadAt: Milliseconds | null = null;

  constructor(session: DevToolsSession, mainFrameId: string, clock: Clock) {
    this.#mainFrameId = mainFrameId;
    this.#clock = clock;
    this.#watch(session);
  }

  clear(): void {
    this.#windows.length = 0;
    this.#asked.length = 0;
    this.#arrived = false;
    this.#loadAt = null;
  }

  /** Number of frames, the main one included. */
  get count(): number {
    return 1 + this.#children.size;
  }

  /** URLs that were to be loaded into frames, by links with a target for instance. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  /** When the load event came, on the monotonic clock; null before. */
  get loadAt(): Milliseconds | null {
    return this.#loadAt;
  }

  /** URLs of windows that the page wanted to open. */
  get windows(): readonly string[] {
    return this.#windows;
  }

  #watch(session: DevToolsSession): void {
    session.on('Page.loadEventFired', () => {
      if (this.#arrived) this.#loadAt = this.#clock.monotonic();
    });
    session.on('Page.windowOpen', ({ url }) => keep(this.#windows, url));
    session.on('Page.frameAttached', ({ frameId }) => {
      this.#children.add(frameId);
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#children.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#mainFrameId) return;
      this.#children.clear();
      this.#arrived = frame.url !== BLANK;
      this.#loadAt = null;
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, reason, url }) => {
      if (frameId !== this.#mainFrameId && reason !== 'initialFrameNavigation') keep(this.#asked, url);
    });
  }
}

function keep(urls: string[], url: string): void {
  const kept = cutText(url, URL_LENGTH);
  if (urls.length < NAVIGATION_LIMIT && !urls.includes(kept)) urls.push(kept);
}
