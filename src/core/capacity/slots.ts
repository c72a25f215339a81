/**
 * Number of visits a process makes at a time, by their cost: a browser page takes processor and memory, a fetched document mostly waits.
 * Both numbers follow the pressure on processor and memory, each within its own range.
 */
import type { Bytes } from '../../base/units.ts';

interface SlotRange {
  readonly least: number;
  readonly start: number;
  readonly most: number;
}

export interface SlotRanges {
  /** Pages of a browser at work. */
  readonly pages: SlotRange;
  /** Visits at a time where no page has to be rendered. */
  readonly fetches: SlotRange;
}

/** Use of the slots and its cost since the last look. */
export interface CapacityLook {
  /** Cores granted to this process and those that it started; 0.5 is half a core. */
  readonly cores: number;
  /** Cores that they used. */
  readonly used: number;
  /** Idle cores of the machine. */
  readonly idle: number;
  readonly memory: { readonly used: Bytes; readonly limit: Bytes; readonly stall: number | null };
  /** Were all slots taken at some moment? */
  readonly full: boolean;
}

type SlotReason = 'start' | 'room' | 'processor' | 'memory';

export interface SlotState {
  readonly pages: number;
  readonly fetches: number;
  /** Looks in a row that found room. */
  readonly calm: number;
  /** Looks left until slots may be added again. */
  readonly rest: number;
  /** Reason of the last change. */
  readonly why: SlotReason;
}

/** Pages start with one per core, at most this many: more gain nothing if pages keep the processor busy (design/rendering, "Pages and browsers"). */
const MOST_START_PAGES = 4;
/** Most pages per core, where they leave it idle, and in all (arbitrary). */
const PAGES_PER_CORE = 2;
const MOST_PAGES = 16;
/** Memory of a page, and of a browser without pages (core/memory: the share of a tree's limit); half of the granted memory is for others. */
const PAGE_MEMORY = 256 * 1024 ** 2;
const BROWSER_MEMORY = 512 * 1024 ** 2;
const BROWSER_SHARE = 0.5;
/** Documents at a time: a core reads some hundreds a second, and far servers answer within tenths of a second. More help only if hosts are slow. */
const START_FETCHES = 128;
const LEAST_FETCHES = 16;
const MOST_FETCHES = 512;

/** Slots are added below the first share of the processor, and removed above the second. */
const CPU_ROOM = 0.75;
const CPU_FULL = 0.95;
/** Idle cores of the machine that adding slots takes, as a share of the granted ones: others need them, too. */
const IDLE_ROOM = 0.1;
/** The same for memory. Facebook's oomd begins to act at a stall of a tenth. */
const MEMORY_ROOM = 0.75;
const MEMORY_FULL = 0.9;
const STALL_FULL = 0.1;
/** Looks, one a second: slots are added after CALM_LOOKS with room, and not within REST_LOOKS of a removal. */
const CALM_LOOKS = 3;
const REST_LOOKS = 10;
/** Slots grow by a quarter; they shrink by a quarter for memory, which is urgent, and by an eighth for the processor. */
const GROWTH = 1.25;
const MEMORY_CUT = 0.75;
const CPU_CUT = 0.875;

/** @param cores granted, more than 0; @param memory granted */
export function slotRanges(cores: number, memory: Bytes): SlotRanges {
  const whole = Math.max(1, Math.ceil(cores));
  const fit = Math.floor((memory * BROWSER_SHARE - BROWSER_MEMORY) / PAGE_MEMORY);
  const most = Math.max(1, Math.min(MOST_PAGES, whole * PAGES_PER_CORE, fit));
  return {
    pages: { least: 1, start: Math.min(whole, MOST_START_PAGES, most), most },
    fetches: { least: LEAST_FETCHES, start: START_FETCHES, most: MOST_FETCHES },
  };
}

/** A number fixed by the user, whatever the pressure. */
export function fixedSlots(count: number): SlotRanges {
  const range = { least: count, start: count, most: count };
  return { pages: range, fetches: range };
}

export function startSlots({ pages, fetches }: SlotRanges): SlotState {
  return { pages: pages.start, fetches: fetches.start, calm: 0, rest: 0, why: 'start' };
}

/** Call it once a second. */
export function nextSlots(before: SlotState, look: CapacityLook, ranges: SlotRanges): SlotState {
  const rest = Math.max(0, before.rest - 1);
  const isCutOver = rest <= REST_LOOKS - CALM_LOOKS; // surplus visits need time to end
  if (isMemoryShort(look)) {
    return isCutOver ? scaled({ ...before, rest }, MEMORY_CUT, ranges, 'memory') : { ...before, calm: 0, rest };
  }
  if (look.used > look.cores * CPU_FULL) {
    // pages up to the start number may keep all cores busy; more are removed
    const { pages, fetches } = ranges;
    const floor = { pages: { ...pages, least: Math.min(before.pages, pages.start) }, fetches };
    return isCutOver ? scaled({ ...before, rest }, CPU_CUT, floor, 'processor') : { ...before, calm: 0, rest };
  }
  if (!look.full || !hasRoom(look)) return { ...before, calm: 0, rest };
  const calm = before.calm + 1;
  if (calm < CALM_LOOKS || rest > 0) return { ...before, calm, rest };
  return scaled({ ...before, rest: 0 }, GROWTH, ranges, 'room');
}

function isMemoryShort({ memory: { used, limit, stall } }: CapacityLook): boolean {
  return used > limit * MEMORY_FULL || (stall ?? 0) > STALL_FULL;
}

function hasRoom({ cores, used, idle, memory }: CapacityLook): boolean {
  return used < cores * CPU_ROOM && idle > cores * IDLE_ROOM && hasMemoryToSpare(memory);
}

/** May more memory be used to save time? */
export function hasMemoryToSpare({ used, limit }: Pick<CapacityLook['memory'], 'used' | 'limit'>): boolean {
  return used < limit * MEMORY_ROOM;
}

function scaled(before: SlotState, factor: number, { pages, fetches }: SlotRanges, why: SlotReason): SlotState {
  const step = (value: number, { least, most }: SlotRange): number => {
    const next =
      factor > 1 ? Math.max(value + 1, Math.floor(value * factor)) : Math.min(value - 1, Math.floor(value * factor));
    return Math.max(least, Math.min(most, next));
  };
  const next = { pages: step(before.pages, pages), fetches: step(before.fetches, fetches) };
  const changed = next.pages !== before.pages || next.fetches !== before.fetches;
  if (!changed) return { ...before, calm: 0 };
  return { ...next, calm: 0, rest: factor > 1 ? 0 : REST_LOOKS, why };
}

/**
 * Visits at a time. If only some of them need a page of the browser, more visits run, just enough to keep the pages busy.
 * @param share of the visits lately that needed a page, 0 to 1
 */
export function visitSlots({ pages, fetches }: Pick<SlotState, 'pages' | 'fetches'>, share: number): number {
  if (share * fetches <= pages) return Math.max(fetches, pages);
  return Math.max(pages, Math.floor(pages / share));
}
