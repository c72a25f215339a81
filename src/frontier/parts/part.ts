import type { HostKey } from '../../model/url/host-key.ts';
import type { Visit } from '../../model/visit.ts';
import type { FrontierState } from '../frontier-state.ts';
import type { RedisFrontier } from '../redis-frontier.ts';

/** A part of a crawl: the frontier of some of its hosts, under a hash tag of its own. */
export interface Part extends FrontierState {
  /** Number of the part, from 0. */
  readonly number: number;
  readonly frontier: RedisFrontier;
}

/** The parts of a crawl; at least one. */
export class Parts {
  readonly all: readonly Part[];
  readonly #numberOf: (url: string) => number;

  /** @param numberOf maps a URL to the number of its part, from 0 */
  constructor(all: readonly Part[], numberOf: (url: string) => number) {
    this.all = all;
    this.#numberOf = numberOf;
  }

  get count(): number {
    return this.all.length;
  }

  at(number: number): Part {
    const part = this.all[number];
    if (part === undefined) throw new RangeError(`the crawl has no part ${number}`);
    return part;
  }

  numberOf(url: string): number {
    return this.#numberOf(url);
  }

  ofUrl(url: string): Part {
    return this.at(this.#numberOf(url));
  }

  ofHost(host: HostKey): Part {
    return this.ofUrl(`${host}/`);
  }

  // Each part numbers its leases by itself. An external token encodes the part, too: the part's own token times the number of parts, plus the part.

  ofToken(token: number): Part {
    return this.at(token % this.count);
  }

  ownToken(token: number): number {
    return Math.floor(token / this.count);
  }

  token(part: Part, own: number): number {
    return own * this.count + part.number;
  }

  /** A visit with its part's own token. */
  ownVisit(visit: Visit): Visit {
    return { ...visit, token: this.ownToken(visit.token) };
  }

  /** Groups values by part. */
  byPart<Value>(values: Iterable<Value>, urlOf: (value: Value) => string): ReadonlyMap<Part, readonly Value[]> {
    const lists = new Map<Part, Value[]>();
    for (const value of values) {
      const part = this.ofUrl(urlOf(value));
      const list = lists.get(part);
      if (list === undefined) lists.set(part, [value]);
      else list.push(value);
    }
    return lists;
  }

  /** Asks all parts at once. @returns their answers in order */
  ask<Answer>(question: (part: Part) => Promise<Answer>): Promise<readonly Answer[]> {
    return Promise.all(this.all.map(question));
  }

  async sum(question: (part: Part) => Promise<number>): Promise<number> {
    return (await this.ask(question)).reduce((sum, each) => sum + each, 0);
  }
}
