import { describe, expect, it } from 'vitest';
import { assign, countFree, freeSlots, placesByEgress, type FreeSlots } from '../../../../src/core/fleet/assignment.ts';

const slots = new Map([
  ['', 1],
  ['w1', 2],
  ['w2', 4],
]);
const unknown = (): null => null;

/** The crew of each of these hosts, if any crew may visit them. */
const crewsFor = (
  hosts: readonly string[],
  free: FreeSlots,
  before: (host: string) => string | null,
): readonly string[] =>
  assign(
    hosts.map((host) => ({ host })),
    { free, before: ({ host }) => before(host), egressOf: null },
  );

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
    expect(crewsFor(['a', 'a', 'a'], slots, () => 'w1')).toEqual(['w1', 'w1', 'w2']);
  });

  it('to the crew with the most free slots where nobody knows its host', () => {
    expect(crewsFor(['a', 'b', 'c', 'd', 'e', 'f', 'g'], slots, unknown)).toEqual([
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
    expect(crewsFor(['a'], new Map([['w2', 1]]), () => 'w1')).toEqual(['w2']);
  });

  it('first to who knows its host: others do not take that place', () => {
    expect(
      crewsFor(
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

describe('where politeness counts for each egress address', () => {
  const addresses: Readonly<Record<string, string>> = { '': '10.0.0.1', w1: '10.0.0.2', w2: '10.0.0.2' };
  const egressOf = (crew: string): string => addresses[crew] ?? '';
  const to = (...egresses: readonly string[]): readonly { host: string; egress: string }[] =>
    egresses.map((egress, index) => ({ host: `h${index}`, egress }));

  it('each address is asked for once, with the free slots of all of its crews', () => {
    const all = new Map([...slots, ['w3', 5]]);
    const free = freeSlots(all, ['', 'w1', 'w3']);
    expect(placesByEgress(all, free, egressOf)).toEqual([
      { address: '10.0.0.1', count: 0 },
      { address: '10.0.0.2', count: 5 },
      { address: '', count: 4 },
    ]);
  });

  it('a crew that makes no visits at all is not asked for', () => {
    expect(placesByEgress(new Map([['', 0]]), new Map(), egressOf)).toEqual([]);
  });

  it('a visit goes to a crew of its address, whoever knows its host and has more slots', () => {
    const given = { free: slots, egressOf };
    expect(assign(to('10.0.0.1', '10.0.0.2', '10.0.0.2'), { ...given, before: () => 'w2' })).toEqual(['', 'w2', 'w2']);
    expect(assign(to('10.0.0.2', '10.0.0.1'), { ...given, before: () => '' })).toEqual(['w2', '']);
    expect(assign(to('10.0.0.2', '10.0.0.2', '10.0.0.2'), { ...given, before: unknown })).toEqual(['w2', 'w2', 'w1']);
  });

  it('no visit goes to a crew of another address, though none of its own is free', () => {
    expect(() => assign(to('10.0.0.3'), { free: slots, before: unknown, egressOf })).toThrow(RangeError);
  });
});
