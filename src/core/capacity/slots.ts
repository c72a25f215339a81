/**
 * How many visits a process makes at a time, by what they cost: a page of a browser takes processor and memory, a document that is fetched mostly waits.
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

/** How slots are used, and what that takes, since the last look. */
export interface CapacityLook {
  /** Cores that are granted to this process and those that it started; 0.5 is half of one. */
  readonly cores: number;
  /** Cores that they used. */
  readonly used: number;
  /** Cores of the machine that nobody used. */
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
  /** Looks that still pass before slots may be added again. */
  readonly rest: number;
  /** Why they changed last. */
  readonly why: SlotReason;
}

/** Pages of a browser start by the number of cores, and no more than this: more gain nothing where pages keep the processor busy (design/rendering, "Pages and browsers"). */
const MOST_START_PAGES = 4;
/** Pages for each core, where they leave it idle; and in all (arbitrary). */
const PAGES_PER_CORE = 2;
const MOST_PAGES = 16;
/** Memory that a page may take, and a browser without any (core/memory: the share of a tree's limit); half of what is granted is for others. */
const PAGE_MEMORY = 256 * 1024 ** 2;
const BROWSER_MEMORY = 512 * 1024 ** 2;
const BROWSER_SHARE = 0.5;
/** Documents at a time: a core reads some hundreds a second, and far servers answer within some tenths of one. More are of use only where hosts are slow. */
const START_FETCHES = 128;
const LEAST_FETCHES = 16;
const MOST_FETCHES = 512;

/** Slots are added below this share of the processor, and taken away above the other one. */
const CPU_ROOM = 0.75;
const CPU_FULL = 0.95;
/** Of the machine, for slots to be added: others need it, too. */
const IDLE_ROOM = 0.1;
/** The same of memory. A stall of a tenth is where Facebook's oomd begins to act. */
const MEMORY_ROOM = 0.75;
const MEMORY_FULL = 0.9;
const STALL_FULL = 0.1;
/** Looks, a second each: slots are added after so many with room, and not sooner than so many after some were taken away. */
const CALM_LOOKS = 3;
const REST_LOOKS = 10;
/** Slots are added by a quarter, taken by a quarter for memory, which is urgent, and by an eighth for the processor. */
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

/** A number that the user has named: neither more nor less, whatever the pressure. */
export function fixedSlots(count: number): SlotRanges {
  const range = { least: count, start: count, most: count };
  return { pages: range, fetches: range };
}

export function startSlots({ pages, fetches }: SlotRanges): SlotState {
  return { pages: pages.start, fetches: fetches.start, calm: 0, rest: 0, why: 'start' };
}

/** To be asked once a second. */
export function nextSlots(before: SlotState, look: CapacityLook, ranges: SlotRanges): SlotState {
  const rest = Math.max(0, before.rest - 1);
  const isCutOver = rest <= REST_LOOKS - CALM_LOOKS; // visits that were too many need time to end
  if (isMemoryShort(look)) {
    return isCutOver ? scaled({ ...before, rest }, MEMORY_CUT, ranges, 'memory') : { ...before, calm: 0, rest };
  }
  if (look.used > look.cores * CPU_FULL) {
    // pages that keep all cores busy are what is wanted; more than the start are not
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

/** May more memory be taken, for what saves time? */
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
 * Visits at a time. Where only some of them need a page of the browser, there are as many more as keep the pages busy, and no more.
 * @param share of the visits lately that needed a page, 0 to 1
 */
export function visitSlots({ pages, fetches }: Pick<SlotState, 'pages' | 'fetches'>, share: number): number {
  if (share * fetches <= pages) return Math.max(fetches, pages);
  return Math.max(pages, Math.floor(pages / share));
}
