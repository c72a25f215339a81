import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';

import type { ServedRequest } from './site-server.ts';

/** Requests that are kept; beyond it the oldest are dropped (arbitrary: a fixture crawl makes some hundreds). */
const REQUEST_LIMIT = 100_000;

/** The requests of a site, oldest first. */
export class ServedRequestLog {
  #entries: ServedRequest[] = [];

  add(request: IncomingMessage): void {
    if (this.#entries.length >= 2 * REQUEST_LIMIT) this.#entries = this.#entries.slice(-REQUEST_LIMIT);
    this.#entries.push({
      host: request.headers.host ?? '',
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      at: performance.now(),
      userAgent: request.headers['user-agent'] ?? '',
    });
  }

  /** A copy, at most 100,000 entries. */
  entries(): readonly ServedRequest[] {
    return this.#entries.slice(-REQUEST_LIMIT);
  }
}
