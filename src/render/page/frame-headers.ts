/** The user's headers for the requests of a page, by the frame that makes them. */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { headersFor, webOrigin, type UserHeaders } from '../../model/user-headers.ts';

export class FrameHeaders {
  readonly #extra: UserHeaders;
  readonly #mainFrame: string;
  /** Frames that have held a document of an origin that gets no user headers, and the frames in them. */
  readonly #foreignFrames = new Set<string>();
  /** Has the user any? */
  readonly areGiven: boolean;

  constructor(session: DevToolsSession, mainFrame: string, extra: UserHeaders) {
    this.#extra = extra;
    this.#mainFrame = mainFrame;
    this.areGiven = Object.keys(extra.headers).length > 0;
    if (!this.areGiven) return;
    session.on('Page.frameAttached', ({ frameId: child, parentFrameId }) => {
      if (this.#foreignFrames.has(parentFrameId)) this.#foreignFrames.add(child);
    });
  }

  /** Forgets the document before. */
  clear(): void {
    this.#foreignFrames.clear();
  }

  /**
   * Those for a request of a page, or of a frame in it, whose own origin is meant, so that no other site can act in the user's name. Each
   * hop of a redirect is judged anew; the browser carries no header from one to the next.
   * @param page address of the page's document
   */
  of(
    { frameId, resourceType, request: { url } }: EventOf<'Fetch.requestPaused'>,
    page: string,
  ): Readonly<Record<string, string>> {
    if (!this.areGiven) return {};
    const { origins } = this.#extra;
    const isMeant = (place: string): boolean => origins.has(webOrigin(place) ?? '');
    const trusted = isMeant(page) && !this.#foreignFrames.has(frameId);
    if (resourceType === 'Document' && frameId !== this.#mainFrame && !isMeant(url)) this.#foreignFrames.add(frameId);
    return trusted ? headersFor(url, this.#extra) : {};
  }
}
