/** Lets reloads of the shown document pass its interceptor, while somebody works on the page who may cause them. */
import type { EventOf } from '../../../browsers/protocol/session.ts';

type Paused = EventOf<'Fetch.requestPaused'>;

export class AllowedReloads {
  #left: number;
  readonly #refused: () => void;
  #awaited = false;

  /** @param refused called for each navigation of the main frame that is stopped */
  constructor(count: number, refused: () => void) {
    this.#left = count;
    this.#refused = refused;
  }

  /** Is the document asked for again, and its new one not shown yet? */
  get awaited(): boolean {
    return this.#awaited;
  }

  /** @param own address of the document that is shown */
  admits({ request, responseStatusCode, responseErrorReason }: Paused, own: string): boolean {
    const isAnswer = responseStatusCode !== undefined || responseErrorReason !== undefined;
    if (isAnswer && this.#awaited && request.url === own) return true;
    const admitted = !isAnswer && this.#left > 0 && request.method === 'GET' && request.url === own;
    if (admitted) this.#left -= 1;
    else this.#refused();
    this.#awaited ||= admitted;
    return admitted;
  }

  /** Called when the new document is shown, or none will be. */
  ended(): void {
    this.#awaited = false;
  }
}
