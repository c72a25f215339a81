/**
 * Guards the memory of one browser's processes. It looks four times a second, and faster where much is taken, and kills the process of a
 * page beyond its limit. `crashReason` says whether a page crashed for memory. The kernel bounds all processes together where it can; it
 * knows nothing of pages.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Browser } from '../../browsers/protocol/browser.ts';
import {
  CLOSE_MEMORY_INTERVAL,
  CONSEQUENCE_TIME,
  HEAP_LIMIT,
  MEMORY_INTERVAL,
  RELIEF_GROWTH,
  RELIEF_TIME,
} from './limits/browser-limits.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { argumentsOf, processTree, processUse } from '../base/process/process-memory.ts';
import { bytes, type Bytes, type Milliseconds } from '../base/units.ts';
import {
  memoryReason,
  memoryVerdict,
  treeMemory,
  type MemoryLimits,
  type MemoryVerdict,
  type ProcessMemory,
} from '../core/memory/memory-verdict.ts';

/** Kind of a Chromium process: a leaf starts no others, and its arguments name its kind. */
type ProcessKind = 'renderer' | 'leaf' | 'other';

/** Questions for the kind of a process: it has its own arguments some milliseconds after its start, on a busy machine after some looks (arbitrary). */
const KIND_QUESTIONS = 40;

/** The pages of the browser that no visit uses now. */
export interface RestingPages {
  /** Called after each look. */
  readonly onLook: () => void;
  /** Ends all of them. @returns whether any are still there, or just ending */
  readonly giveUp: () => boolean;
}

const NONE_AT_REST: RestingPages = { onLook: () => {}, giveUp: () => false };

/** Processes that were ended, until their memory is surely back. */
interface Relief {
  readonly pids: readonly number[];
  readonly until: number;
  /** Memory of the other processes when the last of them was ended. */
  readonly others: Bytes;
}

type Excess = Exclude<MemoryVerdict, { kind: 'fine' }>;

export class MemoryGuard {
  readonly #browser: Pick<Browser, 'pid' | 'memory' | 'heapOverflows' | 'kill'>;
  readonly #limits: MemoryLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #kinds = new Map<number, ProcessKind>();
  /** How often the kind of each process was asked for. */
  readonly #asked = new Map<number, number>();
  /** Ticks of each process at the last look. */
  #ticks = new Map<number, number>();
  #reported = { kills: 0, overflows: 0 };
  #ended: { readonly at: number; readonly reason: string } | null = null;
  #relief: Relief | null = null;
  /** Memory when the pages at rest were given up, and the time until which theirs comes back; null where none is awaited. */
  #givenUp: { readonly tree: Bytes; until: number } | null = null;
  /** Memory of the browser at the last look. */
  #tree: Bytes = bytes(0);

  constructor(
    browser: Pick<Browser, 'pid' | 'memory' | 'heapOverflows' | 'kill'>,
    limits: MemoryLimits,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#browser = browser;
    this.#limits = limits;
    this.#clock = clock;
    this.#log = log;
  }

  /** Does the browser take less than half of its limit? */
  get hasRoom(): boolean {
    return this.#tree < this.#limits.tree / 2;
  }

  /** Ends by the signal. */
  async watch(signal: AbortSignal, resting: RestingPages = NONE_AT_REST): Promise<void> {
    if (process.platform !== 'linux' || this.#browser.pid === null) return;
    while (!signal.aborted) {
      const pause = this.#look(resting);
      resting.onLook();
      await this.#clock.sleep(pause, signal).catch(() => {}); // it is over
    }
  }

  /**
   * The reason of a crash of a page or the browser for memory; null where it was not for memory, or the reason cannot be known.
   * A heap that was filled is reported once, to the first caller.
   */
  async crashReason(): Promise<string | null> {
    await turn(); // the browser's output so far is read by then
    return this.crashReasonNow();
  }

  /** The same for a caller that cannot wait. */
  crashReasonNow(): string | null {
    const ended = this.#ended;
    if (ended !== null && this.#clock.monotonic() - ended.at < CONSEQUENCE_TIME) return ended.reason;
    const kills = this.#browser.memory?.kills() ?? 0;
    const overflows = this.#browser.heapOverflows();
    const { kills: killsBefore, overflows: overflowsBefore } = this.#reported;
    this.#reported = { kills, overflows };
    if (kills > killsBefore) {
      // the kernel ends all processes at once: each page gets the same reason
      this.#ended = { at: this.#clock.monotonic(), reason: memoryReason('browser', this.#limits.tree) };
      return this.#ended.reason;
    }
    return overflows > overflowsBefore ? memoryReason('heap', HEAP_LIMIT) : null;
  }

  /** @returns time until the next look */
  #look(resting: RestingPages): Milliseconds {
    if (this.#relief !== null && this.#clock.monotonic() >= this.#relief.until) this.#relief = null;
    const relief = this.#relief;
    const processes = this.#processes().filter(({ pid }) => relief?.pids.includes(pid) !== true);
    const seen = treeMemory(processes);
    // the kernel's account includes a killed process until all of its memory is back
    const tree = relief === null ? bytes(Math.max(seen, this.#browser.memory?.used() ?? 0)) : seen;
    this.#tree = tree;
    const program = bytes(this.#limits.withProgram === true ? process.memoryUsage.rss() : 0);
    const verdict = memoryVerdict(processes, this.#limits, { tree, program });
    if (verdict.kind === 'fine') {
      this.#givenUp = null;
      return tree > this.#limits.tree / 2 ? CLOSE_MEMORY_INTERVAL : MEMORY_INTERVAL;
    }
    if (isOfAll(verdict) && this.#comesBack(resting, tree)) return CLOSE_MEMORY_INTERVAL;
    if (relief !== null && seen < relief.others + RELIEF_GROWTH) return CLOSE_MEMORY_INTERVAL;
    this.#end(verdict, processes, tree);
    return CLOSE_MEMORY_INTERVAL;
  }

  /**
   * Gives up the pages at rest before one at work is ended, and says whether their memory may still come back. Not where the
   * memory grows meanwhile: then the kernel would end all pages.
   */
  #comesBack({ giveUp }: RestingPages, tree: Bytes): boolean {
    const now = this.#clock.monotonic();
    if (giveUp()) {
      this.#givenUp ??= { tree, until: now };
      this.#givenUp.until = now + RELIEF_TIME;
    }
    const given = this.#givenUp;
    return given !== null && now < given.until && tree < given.tree + RELIEF_GROWTH;
  }

  #end(verdict: Excess, processes: readonly ProcessMemory[], tree: Bytes): void {
    const all = isOfAll(verdict);
    const now = this.#clock.monotonic();
    this.#ended = { at: now, reason: memoryReason(all ? 'browser' : 'page', verdict.limit) };
    const pid = verdict.kind === 'end' ? verdict.pid : null;
    this.#log.warn('page ended for memory', { pid, tree, limit: verdict.limit });
    this.#relief = {
      pids: [...(this.#relief?.pids ?? []), ...(pid === null ? [] : [pid])],
      until: now + RELIEF_TIME,
      others: treeMemory(processes.filter((process) => process.pid !== pid)),
    };
    if (pid === null) this.#browser.kill();
    else end(pid);
  }

  #processes(): readonly ProcessMemory[] {
    const { pid: root, memory } = this.#browser;
    if (root === null) return [];
    const known = memory?.processes() ?? [];
    const pids = known.length > 0 ? known : processTree(root, (pid) => (this.#kinds.get(pid) ?? 'other') !== 'other');
    const ticks = new Map<number, number>();
    const processes: ProcessMemory[] = [];
    for (const pid of pids) {
      const use = processUse(pid);
      if (use === null) continue;
      ticks.set(pid, use.ticks);
      this.#learnKind(pid);
      const renderer = this.#kinds.get(pid) === 'renderer';
      processes.push({ ...use, renderer, busy: use.ticks - (this.#ticks.get(pid) ?? 0) });
    }
    this.#ticks = ticks;
    for (const known of [this.#kinds, this.#asked])
      for (const pid of known.keys()) if (!ticks.has(pid)) known.delete(pid);
    return processes;
  }

  /** Repeats the question some times while the process may start others: a new process begins as a copy of such a process. */
  #learnKind(pid: number): void {
    if ((this.#kinds.get(pid) ?? 'other') !== 'other' || pid === this.#browser.pid) return;
    const asked = (this.#asked.get(pid) ?? 0) + 1;
    if (asked > KIND_QUESTIONS) return;
    this.#asked.set(pid, asked);
    void argumentsOf(pid).then((text) => {
      const type = /--type=([\w-]+)/.exec(text)?.[1] ?? '';
      this.#kinds.set(pid, type === 'renderer' ? 'renderer' : type === '' || type === 'zygote' ? 'other' : 'leaf');
    });
  }
}

/** Has the whole browser passed its limit, not one page its own? */
function isOfAll(verdict: Excess): boolean {
  return verdict.kind === 'end-browser' || verdict.all;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
