import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { isBeating, isSilent, look, SILENCE, type Heartbeats } from '../../../../src/core/fleet/liveness.ts';

const at = milliseconds;
const beats = (...all: readonly (readonly [string, number])[]): ReadonlyMap<string, number> => new Map(all);
const living = (heartbeats: Heartbeats, now: number): readonly string[] =>
  [...heartbeats].filter(([, heartbeat]) => isBeating(heartbeat, at(now))).map(([name]) => name);

describe('a process is alive', () => {
  it('when it has come since the last look, or its heartbeat has changed', () => {
    const first = look(null, beats(['left behind', 7], ['at work', 3]), at(0));
    expect(living(first, 0)).toEqual([]);
    const second = look(first, beats(['left behind', 7], ['at work', 4], ['new', 1]), at(1000));
    expect(living(second, 1000)).toEqual(['at work', 'new']);
  });

  it('for four seconds after its heartbeat was last seen to change, and again when it changes again', () => {
    const first = look(new Map(), beats(['w', 1]), at(0));
    const stopped = look(first, beats(['w', 1]), at(SILENCE - 1));
    expect(living(stopped, SILENCE - 1)).toEqual(['w']);
    expect(living(stopped, SILENCE)).toEqual([]);
    expect(living(look(stopped, beats(['w', 2]), at(9000)), 9000)).toEqual(['w']);
  });

  it('not any more when it has taken itself out', () => {
    const first = look(new Map(), beats(['w', 1]), at(0));
    expect([...look(first, beats(), at(10))]).toEqual([]);
  });

  it('as far as others share with it, until its heartbeat was seen to stand still for four seconds', () => {
    const silent = (heartbeats: Heartbeats, now: number): readonly string[] =>
      [...heartbeats].filter(([, heartbeat]) => isSilent(heartbeat, at(now))).map(([name]) => name);
    const first = look(null, beats(['killed before', 7], ['at work', 3]), at(0));
    expect(silent(first, 0)).toEqual([]);
    const later = look(first, beats(['killed before', 7], ['at work', 9]), at(SILENCE));
    expect(silent(later, SILENCE)).toEqual(['killed before']);
  });
});
