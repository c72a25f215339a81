/** Tasks that behave like a parser with hostile texts. */
import { isMainThread } from 'node:worker_threads';
import type { Task } from '../../../src/offload/task.ts';

export const THREAD: Task<null, string> = { name: 'thread', run: () => (isMainThread ? 'main' : 'thread') };

/** Works for that many milliseconds. */
export const SPIN: Task<number, number> = {
  name: 'spin',
  run: (time) => {
    const end = performance.now() + time;
    let turns = 0;
    while (performance.now() < end) turns += 1;
    return turns;
  },
};

export const THROW: Task<string, never> = {
  name: 'throw',
  run: (message) => {
    throw new Error(message);
  },
};

export const FOREVER: Task<'loop' | 'pattern', boolean> = {
  name: 'forever',
  run: (how) => {
    if (how === 'pattern') return /^(a+)+$/.test(`${'a'.repeat(100)}b`);
    for (;;);
  },
};

export const FILL: Task<'objects' | 'arrays' | 'buffers', void> = {
  name: 'fill',
  run: (kind) => {
    const kept: unknown[] = [];
    for (;;) {
      if (kind === 'objects') kept.push({ at: kept.length, text: String(kept.length) });
      else if (kind === 'arrays') kept.push(Array.from({ length: 100_000 }).fill(0.5));
      else kept.push(Buffer.alloc(1_000_000, 1));
    }
  },
};
