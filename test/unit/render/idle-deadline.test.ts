import { describe, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import { IdleDeadline } from '../../../src/render/idle/idle-deadline.ts';
import { AFTER_ANSWERS, AFTER_HELD_BACK } from '../../../src/render/limits/idle-limits.ts';
import { handClock } from '../../support/hand-clock.ts';

const TIME = seconds(15);
const LATEST = seconds(57);

function opened(heldBack = (): boolean => false): { clock: ReturnType<typeof handClock>; deadline: IdleDeadline } {
  const clock = handClock();
  return { clock, deadline: new IdleDeadline({ time: TIME, latest: LATEST, heldBack, clock }) };
}

describe('the time of a page', () => {
  test('ends with the settle timeout, and goes on for a moment where answers were given up', async () => {
    const { clock, deadline } = opened();
    await clock.run(milliseconds(TIME - 1));
    expect([deadline.answersOver, deadline.passed]).toEqual([false, false]);
    await clock.run(milliseconds(1));
    expect([deadline.answersOver, deadline.passed]).toEqual([true, true]);
    deadline.goOn();
    expect([deadline.passed, deadline.left]).toEqual([false, AFTER_ANSWERS]);
    await clock.run(AFTER_ANSWERS);
    expect(deadline.passed).toBe(true);
  });

  test('begins anew with each thing that is done to it, up to the end of the visit', async () => {
    const { clock, deadline } = opened();
    for (let turn = 0; turn < 4; turn++) {
      await clock.run(seconds(14));
      expect(deadline.answersOver).toBe(turn === 3); // 56 s of 57, less the reserve
      deadline.restart();
    }
  });

  test('does not count while our own proxy keeps its requests waiting', async () => {
    let held = true;
    const { clock, deadline } = opened(() => held);
    await clock.run(seconds(30));
    expect(deadline.answersOver).toBe(false);
    held = false;
    expect(deadline.answersOver).toBe(false);
    await clock.run(AFTER_HELD_BACK);
    expect(deadline.answersOver).toBe(true);
  });

  test('keeps a share of a short visit back for what the page does without its answers', async () => {
    const clock = handClock();
    const heldBack = (): boolean => false;
    const deadline = new IdleDeadline({ time: TIME, latest: milliseconds(1000), heldBack, clock });
    await clock.run(milliseconds(799));
    expect(deadline.answersOver).toBe(false);
    await clock.run(milliseconds(1));
    expect(deadline.answersOver).toBe(true);
  });
});
