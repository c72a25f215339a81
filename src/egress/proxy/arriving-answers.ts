/**
 * Tracks answers that are still on their way from their servers to a browser. A browser reports the same of a body that comes slowly and of
 * one that its page does not read; the proxy in between can distinguish them.
 */
import type { ServerResponse } from 'node:http';
import { parsedUrl } from '../../base/parsed-url.ts';

type Passing = Pick<ServerResponse, 'writableFinished' | 'writableNeedDrain' | 'once'>;

export class ArrivingAnswers {
  readonly #passing = new Map<string, Set<Passing>>();

  /** @param response the response to the browser; forgotten when it is closed */
  begin(url: string, response: Passing): void {
    const key = keyOf(url);
    const passing = this.#passing.get(key) ?? new Set();
    this.#passing.set(key, passing.add(response));
    response.once('close', () => {
      passing.delete(response);
      if (passing.size === 0) this.#passing.delete(key);
    });
  }

  /** Does an answer of this URL wait for its server? Not where the browser takes no more of it. */
  has(url: string): boolean {
    for (const response of this.#passing.get(keyOf(url)) ?? [])
      if (!response.writableFinished && !response.writableNeedDrain) return true;
    return false;
  }
}

function keyOf(url: string): string {
  const parsed = parsedUrl(url);
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}${parsed.search}`;
}
