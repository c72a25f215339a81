/**
 * Asks the system's own resolver for names that the DNS does not know: names of mDNS (`printer.local`), of a search list (Kubernetes), of
 * the split DNS of a VPN. Such a question takes a thread, so a few are asked at a time, and none is waited for beyond a bound.
 */
import { seconds, type Milliseconds } from '../../base/units.ts';

/** Rejects where the system knows no address. */
export type AskSystem = (name: string) => Promise<readonly string[]>;

/** Questions at a time: libuv gives getaddrinfo two of its four threads; all others of this process would wait for them. */
const AT_A_TIME = 2;
/** Time for one question with its waiting; the DNS has answered before, so a crawl with many dead names need not stand still. Arbitrary. */
const LIMIT: Milliseconds = seconds(4);

/** @returns a function whose answer is empty where the system knows no address, or does not say so in time; it never rejects */
export function systemLookups(ask: AskSystem, limit: Milliseconds = LIMIT): AskSystem {
  let running = 0;
  const waiting = new Set<() => void>();

  function beginNext(): void {
    const [next] = waiting;
    if (next === undefined || running >= AT_A_TIME) return;
    waiting.delete(next);
    running += 1;
    next();
  }

  return (name) =>
    new Promise((resolve) => {
      const begin = (): void => {
        const done = (addresses: readonly string[]): void => {
          clearTimeout(timer);
          running -= 1;
          resolve(addresses);
          beginNext();
        };
        ask(name).then(done, () => done([]));
      };
      // a question that is not begun by then is never asked; one that is begun keeps its thread, and its place
      const timer = setTimeout(() => {
        waiting.delete(begin);
        resolve([]);
      }, limit);
      waiting.add(begin);
      beginNext();
    });
}
