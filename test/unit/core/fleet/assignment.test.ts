import { describe, expect, it } from 'vitest';
import { assign, countFree, freeSlots } from '../../../../src/core/fleet/assignment.ts';

const slots = new Map([
  ['', 1],
  ['w1', 2],
  ['w2', 4],
]);
const unknown = (): null => null;

describe('free slots', () => {
  it('are those of the living crews that no visit takes; visits of the dead take none', () => {
    const free = freeSlots(slots, ['', 'w1', 'dead', 'dead']);
    expect([...free]).toEqual([
      ['w1', 1],
      ['w2', 4],
    ]);
    expect(countFree(free)).toBe(5);
  });

  it('are none where a crew has more under way than it has slots now', () => {
    expect([...freeSlots(new Map([['w1', 1]]), ['w1', 'w1'])]).toEqual([]);
  });
});

describe('a visit goes', () => {
  it('to the crew that visited its host before, as long as that has a slot', () => {
    expect(assign(['a', 'a', 'a'], slots, () => 'w1')).toEqual(['w1', 'w1', 'w2']);
  });

  it('to the crew with the most free slots where nobody knows its host', () => {
    expect(assign(['a', 'b', 'c', 'd', 'e', 'f', 'g'], slots, unknown)).toEqual([
      'w2',
      'w2',
      'w1',
      'w2',
      '',
      'w1',
      'w2',
    ]);
  });

  it('never to a crew that knows its host and is gone', () => {
    expect(assign(['a'], new Map([['w2', 1]]), () => 'w1')).toEqual(['w2']);
  });

  it('first to who knows its host: others do not take that place', () => {
    expect(
      assign(
        ['new', 'old'],
        new Map([
          ['w1', 1],
          ['w2', 1],
        ]),
        (host) => (host === 'old' ? 'w1' : null),
      ),
    ).toEqual(['w2', 'w1']);
  });
});
