import { describe, expect, it } from 'vitest';
import { bytes } from '../../../../src/base/units.ts';
import {
  fixedSlots,
  hasMemoryToSpare,
  nextSlots,
  slotRanges,
  startSlots,
  visitSlots,
  type CapacityLook,
  type SlotState,
} from '../../../../src/core/capacity/slots.ts';

const GIB = 1024 ** 3;
const RANGES = slotRanges(8, bytes(32 * GIB));
/** A machine with room, whose slots are all taken. */
const ROOM: CapacityLook = {
  cores: 8,
  used: 2,
  idle: 5,
  memory: { used: bytes(4 * GIB), limit: bytes(32 * GIB), stall: 0 },
  full: true,
};

/** The states after each of `count` equal looks. */
function looks(from: SlotState, look: CapacityLook, count: number, ranges = RANGES): readonly SlotState[] {
  const states: SlotState[] = [];
  for (let state = from; states.length < count; states.push(state)) state = nextSlots(state, look, ranges);
  return states;
}

const pagesOf = (states: readonly SlotState[]): readonly number[] => states.map(({ pages }) => pages);

describe('memory', () => {
  it.each([
    [0, 4, true],
    [2, 4, true],
    [3, 4, false],
    [5, 4, false],
  ])('of which %s of %s GiB are used can be spared: %s', (used, limit, expected) => {
    expect(hasMemoryToSpare({ used: bytes(used * GIB), limit: bytes(limit * GIB) })).toBe(expected);
  });
});

describe('slots at the start', () => {
  it.each([
    [0.5, 8, { least: 1, start: 1, most: 2 }],
    [1, 8, { least: 1, start: 1, most: 2 }],
    [2, 8, { least: 1, start: 2, most: 4 }],
    [2.5, 8, { least: 1, start: 3, most: 6 }],
    [8, 32, { least: 1, start: 4, most: 16 }],
    [64, 256, { least: 1, start: 4, most: 16 }],
    [64, 2, { least: 1, start: 2, most: 2 }],
    [64, 0.5, { least: 1, start: 1, most: 1 }],
  ])('are, for pages on %s cores with %s GiB, %j', (cores, gibibytes, pages) => {
    expect(slotRanges(cores, bytes(gibibytes * GIB)).pages).toEqual(pages);
  });

  it('are more than a hundred where nothing is rendered, on one core as well', () => {
    const state = startSlots(slotRanges(1, bytes(GIB)));
    expect(visitSlots(state, 0)).toBeGreaterThanOrEqual(100);
  });

  it('are the number that the user named, and stay it whatever the pressure', () => {
    const ranges = fixedSlots(3);
    const short = { ...ROOM, memory: { used: bytes(GIB), limit: bytes(GIB), stall: 1 } };
    for (const look of [ROOM, short, { ...ROOM, used: 8 }]) {
      for (const state of looks(startSlots(ranges), look, 20, ranges)) {
        expect([visitSlots(state, 0), visitSlots(state, 1)]).toEqual([3, 3]);
      }
    }
  });
});

describe('slots under way', () => {
  it('are added after three looks in a row with room, up to the most', () => {
    expect(pagesOf(looks(startSlots(RANGES), ROOM, 9))).toEqual([4, 4, 5, 5, 5, 6, 6, 6, 7]);
    expect(looks(startSlots(RANGES), ROOM, 100).at(-1)).toMatchObject(RANGES.pages.most === 16 ? { pages: 16 } : {});
  });

  it.each([
    ['some are free', { full: false }],
    ['the processor is busy', { used: 6.5 }],
    ['others keep the machine busy', { idle: 0.5 }],
    ['memory is three quarters full', { memory: { ...ROOM.memory, used: bytes(25 * GIB) } }],
  ])('are not added where %s', (_, change) => {
    const states = looks(startSlots(RANGES), { ...ROOM, ...change }, 30);
    expect(states.at(-1)).toMatchObject({ pages: 4, fetches: 128, why: 'start' });
  });

  it('stay where a look with room is followed by one without', () => {
    let state = startSlots(RANGES);
    for (let look = 0; look < 20; look += 1) state = nextSlots(state, { ...ROOM, full: look % 3 !== 2 }, RANGES);
    expect(state.pages).toBe(4);
  });

  it('are taken away again where the processor is full, but for the pages of the start', () => {
    const grown = looks(startSlots(RANGES), ROOM, 30).at(-1) ?? startSlots(RANGES);
    const states = looks(grown, { ...ROOM, used: 7.9, idle: 0 }, 120);
    expect(states.at(-1)).toMatchObject({ pages: 4, fetches: 16, why: 'processor' });
    expect(Math.min(...pagesOf(states))).toBe(4);
  });

  it.each([
    ['memory runs out', { used: bytes(30 * GIB) }],
    ['others wait for memory', { stall: 0.2 }],
  ])('are taken away at once where %s, down to a single page', (_, change) => {
    const short = { ...ROOM, memory: { ...ROOM.memory, ...change } };
    const states = looks(startSlots(RANGES), short, 30);
    expect(states[0]).toMatchObject({ pages: 3, why: 'memory' });
    expect(states.at(-1)).toMatchObject({ pages: 1, fetches: 16 });
  });

  it('are given time to end before more are taken', () => {
    const short = { ...ROOM, memory: { ...ROOM.memory, stall: 0.2 } };
    const fetches = looks(startSlots(RANGES), short, 7).map((state) => state.fetches);
    expect(fetches).toEqual([96, 96, 96, 72, 72, 72, 54]);
  });

  it('come back no sooner than ten looks after some were taken', () => {
    const [cut] = looks(startSlots(RANGES), { ...ROOM, used: 8 }, 1);
    const states = looks(cut ?? startSlots(RANGES), ROOM, 14).map((state) => state.fetches);
    expect(states.findIndex((fetches) => fetches > 112)).toBe(9);
  });

  it('do not swing between two looks that are nearly the same', () => {
    let state = startSlots(RANGES);
    for (let look = 0; look < 60; look += 1) {
      state = nextSlots(state, { ...ROOM, used: look % 2 === 0 ? 6.1 : 7.5 }, RANGES);
    }
    expect(state).toMatchObject({ pages: 4, fetches: 128 });
  });
});

describe('visits at a time', () => {
  it.each([
    [1, 4],
    [0.5, 8],
    [0.1, 40],
    [0.02, 128],
    [0, 128],
  ])('are, where a share of %s needs one of four pages, %i', (share, slots) => {
    expect(visitSlots({ pages: 4, fetches: 128 }, share)).toBe(slots);
  });
});
