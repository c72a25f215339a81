import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { createFleetClock } from '../../../../src/crawl/fleet/fleet-clock.ts';
import { handClock } from '../../../support/hand-clock.ts';

const sample = (offset: number, at = 0): Parameters<ReturnType<typeof createFleetClock>['set']>[0] => ({
  offset,
  uncertainty: 1,
  at: milliseconds(at),
});

describe('the clock of a worker', () => {
  it('shows the time of the controller, whatever its machine says', async () => {
    const base = handClock();
    const clock = createFleetClock({ ...base, now: () => base.now() });
    clock.set(sample(5_000_000));
    await base.run(milliseconds(300));
    expect([clock.now(), clock.monotonic()]).toEqual([5_000_300, 300]);
  });

  it('does not follow a step at once: that of the server is undone as soon as the controller has seen it', () => {
    const clock = createFleetClock(handClock());
    clock.set(sample(0));
    for (const at of [1, 2, 3]) clock.set(sample(3_600_000, at));
    expect(clock.now()).toBe(0);
    clock.set(sample(0, 4));
    for (const at of [5, 6, 7]) clock.set(sample(3_600_000, at));
    expect(clock.now()).toBe(0);
    clock.set(sample(3_600_000, 8));
    expect(clock.now()).toBe(3_600_000);
  });
});
