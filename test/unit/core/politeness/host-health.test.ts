import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hours, milliseconds, minutes, seconds } from '../../../../src/base/units.ts';
import {
  afterHostFailure,
  afterHostSuccess,
  CIRCUIT_FAILURES,
  WELL,
  type AfterHostFailure,
  type HostBackoff,
  type HostHealth,
} from '../../../../src/core/politeness/host-health.ts';

const grows: HostBackoff = { wait: seconds(30), most: hours(1) };

function inARow(count: number, backoff: HostBackoff): readonly AfterHostFailure[] {
  const steps: AfterHostFailure[] = [];
  for (let index = 0; index < count; index += 1) steps.push(afterHostFailure(steps.at(-1)?.health ?? WELL, backoff));
  return steps;
}

describe('a host that fails', () => {
  it('is left alone twice as long with each failure in a row', () => {
    expect(inARow(4, grows).map(({ rest }) => rest)).toEqual([seconds(30), minutes(1), minutes(2), minutes(4)]);
  });

  it('is left alone for six hours after five in a row, and again after each further one', () => {
    const steps = inARow(CIRCUIT_FAILURES + 1, grows);
    expect(steps.map(({ circuit }) => circuit)).toEqual(['closed', 'closed', 'closed', 'closed', 'open', 'open']);
    expect(steps.slice(4).map(({ rest }) => rest)).toEqual([hours(6), hours(6)]);
  });

  it('gets the time that it asks for, no doubling, and more than six hours where it wants more', () => {
    const steps = inARow(CIRCUIT_FAILURES, { wait: hours(24), most: null });
    expect(steps.map(({ rest }) => rest)).toEqual(Array.from({ length: 5 }, () => hours(24)));
    expect(inARow(2, { wait: seconds(1), most: null })[1]?.rest).toBe(1000);
  });

  it('is not left alone for longer than the most, however many failures there were', () => {
    const before: HostHealth = { failures: 3, pause: minutes(40) };
    expect(afterHostFailure(before, { wait: minutes(10), most: hours(1) }).rest).toBe(hours(1));
  });
});

describe('a success', () => {
  it('halves the pause and ends the row', () => {
    const strained = inARow(3, grows)[2]?.health ?? WELL;
    expect(strained).toEqual({ failures: 3, pause: minutes(2) });
    expect(afterHostSuccess(strained)).toEqual({ failures: 0, pause: minutes(1) });
  });

  it('takes away what is shorter than a second', () => {
    expect(afterHostSuccess({ failures: 1, pause: milliseconds(1999) })).toEqual(WELL);
  });

  it('keeps nothing of what the host itself asked for', () => {
    const [step] = inARow(1, { wait: hours(24), most: null });
    expect(afterHostSuccess(step?.health ?? WELL)).toEqual(WELL);
  });

  it('follows often enough, and every host is well again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 * 3_600_000 }), (pause) => {
        let health: HostHealth = { failures: 9, pause: milliseconds(pause) };
        for (let step = 0; step < 25; step += 1) health = afterHostSuccess(health);
        expect(health).toEqual(WELL);
      }),
    );
  });
});
