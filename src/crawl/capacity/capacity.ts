/**
 * Sets how many visits this process makes at a time: once a second it follows the processor time and memory to spare. A number that
 * the user has named stays fixed.
 */
import { cpus } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import type { Gauge } from '../../base/gauge.ts';
import type { Log } from '../../base/log.ts';
import { readMachineGrant, type MachineGrant } from '../../base/process/machine-grant.ts';
import { ProcessorMeter } from '../../base/process/processor-meter.ts';
import { seconds, type Milliseconds } from '../../base/units.ts';
import {
  fixedSlots,
  nextSlots,
  slotRanges,
  startSlots,
  visitSlots,
  type SlotRanges,
  type SlotState,
} from '../../core/capacity/slots.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import { WAITING_PER_WORKER } from '../../render/limits/browser-limits.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { BrowserDemand } from './browser-demand.ts';

const LOOK_EVERY: Milliseconds = seconds(1);

type LoadPage = (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;
type MakeVisit = (visit: Visit) => Promise<void>;

interface CapacityOptions {
  readonly ranges: SlotRanges;
  /** Makes no visits: a controller whose slots are all elsewhere. */
  readonly idle: boolean;
  readonly rendering: 'always' | 'auto' | 'never';
}

interface CapacityParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Pages that only wait for answers, and have no slot. */
  readonly waiting: Gauge;
}

/** The ranges of a process: a number that the user has named, else by what its machine grants. @param cores granted */
export function rangesFor(
  asked: number | undefined,
  cores: number,
  grant: MachineGrant = readMachineGrant(),
): SlotRanges {
  return asked === undefined
    ? slotRanges(Math.min(cores, grant.cores), grant.memory().limit)
    : fixedSlots(Math.max(1, asked));
}

/** Opens the capacity of a process for a crawl; looks until it is disposed. */
export function openCapacity(plan: CrawlPlan, parts: CapacityParts): Capacity {
  const rendering = plan.browser === null ? 'never' : plan.options.render;
  return new Capacity({ ranges: plan.slots, idle: plan.workers === 0, rendering }, parts);
}

export class Capacity implements AsyncDisposable {
  readonly grant: MachineGrant = readMachineGrant();
  readonly #options: CapacityOptions;
  readonly #parts: CapacityParts;
  readonly #demand: BrowserDemand;
  readonly #listeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #watching: Promise<void>;
  #state: SlotState;
  #busy = 0;
  #mostBusy = 0;

  /** Looks until it is disposed. */
  constructor(options: CapacityOptions, parts: CapacityParts) {
    this.#options = options;
    this.#parts = parts;
    this.#demand = new BrowserDemand(options.rendering);
    this.#state = startSlots(options.ranges);
    this.#watching = this.#watch();
  }

  /** Visits at a time, without those that only wait for answers; 0 in a process that makes none. */
  get slots(): number {
    return this.#options.idle ? 0 : visitSlots(this.#state, this.#demand.share);
  }

  /** Pages of the browser at work, at most. */
  get pages(): number {
    return this.#state.pages;
  }

  /** Upper bound of `slots` plus the pages that wait. */
  get most(): number {
    const { pages, fetches } = this.#options.ranges;
    return Math.max(pages.most, fetches.most) + pages.most * WAITING_PER_WORKER;
  }

  /** @param listener called after each change */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Wraps the function to count the visits under way. */
  counting(make: MakeVisit): MakeVisit {
    return async (visit) => {
      this.#busy += 1;
      this.#mostBusy = Math.max(this.#mostBusy, this.#busy - this.#parts.waiting.value);
      try {
        await make(visit);
      } finally {
        this.#busy -= 1;
      }
    };
  }

  /** Wraps the function to learn how many visits need a page. */
  learning(load: LoadPage): LoadPage {
    return async (visit, signal) => {
      const outcome = await load(visit, signal);
      this.#demand.note(outcome);
      return outcome;
    };
  }

  /** Logs what the machine grants, and the slots made of it. */
  tell(): void {
    const { cores } = this.grant;
    this.#parts.log.info('slots', {
      cores,
      memory: this.grant.memory().limit,
      slots: this.slots,
      ...this.#options.ranges,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the crawl has ended'));
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { ranges, idle } = this.#options;
    const { clock } = this.#parts;
    const isFixed = ranges.pages.least === ranges.pages.most && ranges.fetches.least === ranges.fetches.most;
    if (idle || isFixed) return;
    const processes = new ProcessorMeter(process.pid);
    let before = readMeter(processes, clock);
    let slots = this.slots;
    for (;;) {
      await clock.sleep(LOOK_EVERY, this.#closing.signal).catch(() => {}); // it is over
      if (this.#closing.signal.aborted) return;
      const now = readMeter(processes, clock);
      const full = this.#mostBusy >= Math.min(slots, this.slots);
      this.#mostBusy = this.#busy - this.#parts.waiting.value;
      const { cores } = this.grant;
      this.#follow(nextSlots(this.#state, { ...rates(before, now), cores, memory: this.grant.memory(), full }, ranges));
      before = now;
      if (this.slots !== slots) for (const listener of this.#listeners) listener();
      slots = this.slots;
    }
  }

  #follow(next: SlotState): void {
    const { pages, fetches, why } = next;
    const isChanged = pages !== this.#state.pages || fetches !== this.#state.fetches;
    this.#state = next;
    if (isChanged) this.#parts.log.info('slots changed', { why, slots: this.slots, pages, fetches });
  }
}

interface Meter {
  readonly at: Milliseconds;
  /** Seconds of processor time of each process: this one and its descendants. */
  readonly own: ReadonlyMap<number, number>;
  /** Seconds in which processors of the machine had nothing to do. */
  readonly idle: number;
}

function readMeter(processes: ProcessorMeter, clock: Clock): Meter {
  const own = new Map(processes.read());
  const { user, system } = process.cpuUsage();
  if (!own.has(process.pid) || process.platform !== 'linux') own.set(process.pid, (user + system) / 1e6);
  const idle = cpus().reduce((sum, { times }) => sum + times.idle / 1000, 0);
  return { at: clock.monotonic(), own, idle };
}

function rates(before: Meter, now: Meter): { readonly used: number; readonly idle: number } {
  const elapsed = Math.max(0.001, (now.at - before.at) / 1000);
  let used = 0;
  for (const [pid, spent] of now.own) used += Math.max(0, spent - (before.own.get(pid) ?? 0));
  return { used: used / elapsed, idle: Math.max(0, now.idle - before.idle) / elapsed };
}
