import { setTimeout as wait } from 'node:timers/promises';

/** Checks repeatedly until the condition holds. @throws if it does not within the limit (milliseconds) */
export async function until(condition: () => Promise<boolean> | boolean, what: string, limit = 30_000): Promise<void> {
  const end = performance.now() + limit;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited in vain for: ${what}`);
    await wait(20);
  }
}
