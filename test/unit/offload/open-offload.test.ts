/** Tasks over long texts run in threads that can be ended; the caller's loop continues meanwhile. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mebibytes, milliseconds } from '../../../src/base/units.ts';
import { SMALL_TEXT } from '../../../src/offload/offload.ts';
import { openOffload, type OffloadOptions, type ThreadedOffload } from '../../../src/offload/open-offload.ts';
import type { Task, TaskEnd } from '../../../src/offload/task.ts';
import * as tasks from './sample-tasks.ts';

const never = new AbortController().signal;
const LONG = { url: 'http://a.test/long', size: SMALL_TEXT + 1 };
const SHORT = { url: 'http://a.test/short', size: SMALL_TEXT };

let source = '';
beforeAll(() => {
  const entry = new URL('./sample-thread.ts', import.meta.url).pathname;
  const bundle = buildSync({ entryPoints: [entry], bundle: true, write: false, platform: 'node', format: 'cjs' });
  source = bundle.outputFiles[0]?.text ?? '';
});

const open: ThreadedOffload[] = [];
function pool(more: Partial<OffloadOptions> = {}): ThreadedOffload {
  const made = openOffload({ source: () => Promise.resolve(source), cores: 2, ...more });
  open.push(made);
  return made;
}
const close = async (): Promise<void> => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
};
afterEach(close);
afterAll(close);

const run = <In, Out>(
  of: ThreadedOffload,
  task: Task<In, Out>,
  input: In,
  signal: AbortSignal = never,
): Promise<TaskEnd<Out>> => of.run(task, input, LONG, signal);

describe('a task', () => {
  it('over a small text runs here, and no thread is started', async () => {
    const threads = pool();
    expect(await threads.run(tasks.THREAD, null, SHORT, never)).toEqual({ kind: 'done', value: 'main' });
    expect(threads.started).toBe(0);
  });

  it('over a long text runs in a thread, which is used again', async () => {
    const threads = pool();
    expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
    expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
    expect(threads.started).toBe(1);
  });

  it('that takes seconds does not keep the loop from its work', async () => {
    const threads = pool();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    delay.enable();
    await Promise.all([run(threads, tasks.SPIN, 3000), run(threads, tasks.SPIN, 3000)]);
    delay.disable();
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(20);
    expect(delay.max / 1e6).toBeLessThan(1400);
    expect(threads.started).toBe(2);
  });

  it('that throws is given up and costs no thread, wherever it runs', async () => {
    const threads = pool();
    const end = { kind: 'gave-up', cause: 'error', detail: 'no such text' };
    expect(await run(threads, tasks.THROW, 'no such text')).toEqual(end);
    expect(await threads.run(tasks.THROW, 'no such text', SHORT, never)).toEqual(end);
    expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
    expect(threads.started).toBe(1);
  });

  it('that is not finished in time is given up with its thread; those that wait behind it are done', async () => {
    const told: unknown[] = [];
    const threads = pool({
      cores: 1,
      limits: { time: milliseconds(500) },
      onGiveUp: (task, { url }, { cause }) => told.push([task, url, cause]),
    });
    const ends = await Promise.all([run(threads, tasks.FOREVER, 'loop'), run(threads, tasks.THREAD, null)]);
    expect(ends).toEqual([
      { kind: 'gave-up', cause: 'deadline', detail: 'longer than 500 ms' },
      { kind: 'done', value: 'thread' },
    ]);
    expect(told).toEqual([['forever', LONG.url, 'deadline']]);
    expect(threads.started).toBe(2);
  });

  it('that hangs in a pattern is given up likewise', async () => {
    const threads = pool({ limits: { time: milliseconds(500) } });
    expect(await run(threads, tasks.FOREVER, 'pattern')).toMatchObject({ kind: 'gave-up', cause: 'deadline' });
  });

  it.each(['objects', 'arrays', 'buffers'] as const)(
    'that fills memory with %s is given up, and the process lives',
    async (kind) => {
      const threads = pool({ limits: { memory: mebibytes(128) } });
      expect(await run(threads, tasks.FILL, kind)).toMatchObject({ kind: 'gave-up', cause: 'memory' });
      expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
    },
    30_000,
  );

  it('that nobody waits for any more is ended, waiting or at work', async () => {
    const threads = pool({ cores: 1 });
    const stop = new AbortController();
    const [first, second] = [
      run(threads, tasks.FOREVER, 'loop', stop.signal),
      run(threads, tasks.THREAD, null, stop.signal),
    ];
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await expect(second).rejects.toThrow('enough');
    expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
  });

  it('whose input cannot be cloned is given up', async () => {
    const threads = pool();
    const uncloneable = (() => 'x') as unknown as string;
    expect(await run(threads, tasks.THROW, uncloneable)).toMatchObject({ kind: 'gave-up', cause: 'error' });
    expect(await run(threads, tasks.THREAD, null)).toEqual({ kind: 'done', value: 'thread' });
  });
});

describe('the end of the pool', () => {
  it('ends what is under way, leaves no thread, and takes nothing more', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const threads = pool();
    const [one, other] = [run(threads, tasks.FOREVER, 'loop'), run(threads, tasks.THREAD, null)];
    const ended = expect(one).rejects.toThrow('closed');
    await other;
    await threads[Symbol.asyncDispose]();
    await ended;
    await expect(run(threads, tasks.THREAD, null)).rejects.toThrow('closed');
    expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toHaveLength(before);
  });
});
