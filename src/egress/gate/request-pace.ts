/**
 * Lets requests of a browser through to a host no faster than the host bears them (design/scheduling, "Requests of a page";
 * hostile F36).
 */
import type { Clock } from '../../base/clock.ts';
import type { RequestTarget } from '../proxy/request-target.ts';
import { TokenBuckets, type RequestRate } from './token-buckets.ts';

/** A client that may go away without an answer: its socket, or the response to it. */
interface Client {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  removeListener(event: 'close', listener: () => void): unknown;
}

export class RequestPace {
  readonly #buckets: TokenBuckets;
  readonly #rateOf: (hostName: string) => RequestRate | null;

  constructor(rateOf: (hostName: string) => RequestRate | null, clock: Clock) {
    this.#rateOf = rateOf;
    this.#buckets = new TokenBuckets(clock);
  }

  /** Calls `goOn` at once or when it is the request's turn; never, where the client goes away before. */
  pass({ hostName, port }: Pick<RequestTarget, 'hostName' | 'port'>, client: Client, goOn: () => void): void {
    const rate = this.#rateOf(hostName);
    const gone = new AbortController();
    const turn = rate === null ? null : this.#buckets.take(`${hostName}:${port}`, rate, gone.signal);
    if (turn === null) {
      goOn();
      return;
    }
    const leave = (): void => gone.abort(new Error('the client is gone'));
    client.once('close', leave);
    turn.then(
      () => {
        client.removeListener('close', leave);
        if (!client.destroyed) goOn();
      },
      () => {}, // nobody waits any more
    );
  }

  /** The same for a request of our own. @throws the signal's reason */
  async turn({ hostName, port }: Pick<RequestTarget, 'hostName' | 'port'>, signal: AbortSignal): Promise<void> {
    const rate = this.#rateOf(hostName);
    if (rate !== null) await this.#buckets.take(`${hostName}:${port}`, rate, signal);
  }

  holdsBack(hostName: string, port: number): boolean {
    return this.#buckets.waiting(`${hostName}:${port}`) > 0;
  }
}
