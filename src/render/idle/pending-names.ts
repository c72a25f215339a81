import { PENDING_LIMIT } from '../page-limits.ts';

/** Names that stand for many requests: `flood 20000`, `websocket 3`. */
const COUNT = /^(?:flood|websocket) \d+$/;

/** Names of pending requests for the record: `first` before `others`, counts of many at the end; at most {@link PENDING_LIMIT}. */
export function pendingNames(first: readonly string[], others: readonly string[]): readonly string[] {
  const counts = others.filter((name) => COUNT.test(name));
  const names = new Set([...first, ...others.filter((name) => !COUNT.test(name))]);
  return [...[...names].slice(0, PENDING_LIMIT - counts.length), ...counts];
}
