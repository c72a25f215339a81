import { describe, expect, it } from 'vitest';
import { createWake } from '../../../src/base/wake.ts';

const never = new AbortController().signal;

/** Is a promise settled once all ready work has run? */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true)); // only observed
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('a wake', () => {
  it('keeps a ring that came before anybody waited, once', async () => {
    const wake = createWake();
    wake.notify();
    wake.notify();
    expect(await isSettled(wake.wait(never))).toBe(true);
    expect(await isSettled(wake.wait(never))).toBe(false);
  });

  it('lets go who waits when it rings', async () => {
    const wake = createWake();
    const waiting = wake.wait(never);
    expect(await isSettled(waiting)).toBe(false);
    wake.notify();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('lets go who waits when the signal aborts, and keeps a later ring for the next', async () => {
    const wake = createWake();
    const stop = new AbortController();
    const waiting = wake.wait(stop.signal);
    stop.abort();
    expect(await isSettled(waiting)).toBe(true);
    wake.notify();
    expect(await isSettled(wake.wait(never))).toBe(true);
  });

  it('does not wait at all for a signal that has aborted', async () => {
    expect(await isSettled(createWake().wait(AbortSignal.abort()))).toBe(true);
  });
});
