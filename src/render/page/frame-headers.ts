/** The user's headers for the requests of a page, by the frame that makes them. */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { headersFor, webOrigin, type BoundHeaders, type UserHeaders } from '../../model/user-headers.ts';

interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

interface Watched {
  readonly bound: BoundHeaders;
  /** Frames that have held a document of an origin that does not get these headers, and the frames in them. */
  readonly foreignFrames: Set<string>;
}

export class FrameHeaders {
  readonly #watched: readonly Watched[];
  readonly #mainFrame: string;
  /** Has the user given any headers? */
  readonly areGiven: boolean;

  constructor(session: DevToolsSession, mainFrame: string, extra: UserHeaders) {
    this.#watched = extra.map((bound) => ({ bound, foreignFrames: new Set() }));
    this.#mainFrame = mainFrame;
    this.areGiven = extra.length > 0;
    if (!this.areGiven) return;
    session.on('Page.frameAttached', ({ frameId: child, parentFrameId }) => {
      for (const { foreignFrames } of this.#watched) if (foreignFrames.has(parentFrameId)) foreignFrames.add(child);
    });
  }

  /** Forgets the document before. */
  clear(): void {
    for (const { foreignFrames } of this.#watched) foreignFrames.clear();
  }

  /**
   * All headers of a request with the user's among them; null where it gets none of these.
   * @param page address of the page's document
   */
  changed(event: EventOf<'Fetch.requestPaused'>, page: string): readonly HeaderEntry[] | null {
    const extra = Object.entries(this.#of(event, page));
    if (extra.length === 0) return null;
    const given = new Set(extra.map(([name]) => name.toLowerCase()));
    const usual = Object.entries(event.request.headers).filter(([name]) => !given.has(name.toLowerCase()));
    return [...usual, ...extra].map(([name, value]) => ({ name, value }));
  }

  /**
   * The headers for a request of a page, or of a frame in it, whose own origin is meant, so that no other site can act in the user's name.
   * Each hop of a redirect is judged anew; the browser carries no header from one hop to the next.
   * @param page address of the page's document
   */
  #of(
    { frameId, resourceType, request: { url, headers } }: EventOf<'Fetch.requestPaused'>,
    page: string,
  ): Readonly<Record<string, string>> {
    const trusted: BoundHeaders[] = [];
    for (const { bound, foreignFrames } of this.#watched) {
      const isMeant = (place: string): boolean => bound.origins.has(webOrigin(place) ?? '');
      if (isMeant(page) && !foreignFrames.has(frameId) && !givesWay(bound, headers)) trusted.push(bound);
      if (resourceType === 'Document' && frameId !== this.#mainFrame && !isMeant(url)) foreignFrames.add(frameId);
    }
    return headersFor(url, trusted);
  }
}

function givesWay({ yields, headers }: BoundHeaders, own: Readonly<Record<string, string>>): boolean {
  if (yields !== true) return false;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return Object.keys(headers).some((name) => names.has(name.toLowerCase()));
}
