import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { mebibytes, milliseconds, seconds } from '../../../src/base/units.ts';
import { MEMORY_INTERVAL, RELIEF_GROWTH, RELIEF_TIME } from '../../../src/render/limits/browser-limits.ts';
import { MemoryGuard } from '../../../src/render/memory-guard.ts';
import { handClock, type HandClock } from '../../support/hand-clock.ts';

/** No process has this id: the memory of the browser is what its account says. */
const NO_PROCESS = 2 ** 22 + 1;
const LIMITS = { page: mebibytes(1024), tree: mebibytes(1000) };
const EXCEEDED = mebibytes(900);

describe.runIf(process.platform === 'linux')('a browser that takes more than it may', () => {
  let clock: HandClock;
  let used: number;
  let ended: number;
  let atRest: boolean;
  let guard: MemoryGuard;
  const watch = (): void => {
    void guard.watch(new AbortController().signal, { onLook: () => {}, giveUp: () => atRest });
  };

  beforeEach(() => {
    clock = handClock();
    used = EXCEEDED;
    ended = 0;
    atRest = true;
    const memory = { used: () => used, kills: () => 0, processes: () => [] };
    const browser = { pid: NO_PROCESS, memory, heapOverflows: () => 0, kill: () => void (ended += 1) };
    guard = new MemoryGuard(browser, LIMITS, { clock, log: silentLog });
  });

  test('is left alone while pages at rest give their memory back', async () => {
    watch();
    await clock.run(seconds(3));
    atRest = false;
    await clock.run(milliseconds(RELIEF_TIME / 2));
    used = mebibytes(300);
    await clock.run(seconds(3));
    expect(ended).toBe(0);
  });

  test('is ended once these are gone and it still takes too much', async () => {
    watch();
    await clock.run(seconds(1));
    atRest = false;
    await clock.run(milliseconds(RELIEF_TIME + MEMORY_INTERVAL));
    expect(ended).toBeGreaterThan(0);
  });

  test('is ended before they are gone if it takes more and more', async () => {
    watch();
    await clock.run(seconds(1));
    used = EXCEEDED + RELIEF_GROWTH;
    await clock.run(MEMORY_INTERVAL);
    expect(ended).toBeGreaterThan(0);
  });

  test('is ended at once where no page rests', async () => {
    atRest = false;
    watch();
    await clock.run(MEMORY_INTERVAL);
    expect(ended).toBeGreaterThan(0);
  });
});
