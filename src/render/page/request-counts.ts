/** How many requests of a visit have begun, and how many were sent. */
import { COUNTED_FROM, REQUEST_LIMIT } from '../page-limits.ts';

export class RequestCounts {
  #begun = 0;
  #sent = 0;

  /** @param sentBefore requests that an earlier try of this visit has sent */
  clear(sentBefore: number): void {
    this.#begun = sentBefore;
    this.#sent = sentBefore;
  }

  /** Requests that the page has reported, those beyond the limit included. */
  get begun(): number {
    return this.#begun;
  }

  /** Requests that the browser's network has reported. It does so at once; a page does between two tasks. */
  get sent(): number {
    return this.#sent;
  }

  /** Are there so many that each is to be counted before it leaves? */
  get areMany(): boolean {
    return this.#begun >= COUNTED_FROM || this.#sent >= COUNTED_FROM;
  }

  /** Have more begun than may leave? */
  get exceedLimit(): boolean {
    return this.#begun > REQUEST_LIMIT;
  }

  begin(): void {
    this.#begun += 1;
  }

  send(): void {
    this.#sent += 1;
  }

  /** Leaves out a preflight: the page did not make it. */
  preflight(): void {
    this.#sent -= 1;
  }
}
