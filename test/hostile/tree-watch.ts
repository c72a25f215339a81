/** Watches the processes of a command from outside, and ends them before they harm the machine. */
import { readFileSync } from 'node:fs';
import { heldBy, isRunning, openFiles, proportionalSize, treeOf, type Process } from './process-tree.ts';

/** Observations of a command while it ran. */
export interface Watched {
  /** Peak memory of all its processes together, shared pages counted once: bytes. */
  readonly treePeak: number;
  /** Most resident memory of the command's own process: bytes. */
  readonly nodePeak: number;
  /** Longest time for which the main loop was blocked: milliseconds. */
  readonly longestBlock: number;
  /** Open files of the command's own process when the attack began, and at the last sample. */
  readonly files: { readonly before: number | null; readonly after: number | null };
  /** Names of processes that outlived the command. */
  readonly leftOver: readonly string[];
  /** The reason why the suite ended it; null if it ended by itself. */
  readonly stopped: string | null;
}

export interface TreeLimits {
  /** Bytes that all processes together may hold before they are ended. */
  readonly memory: number;
  /** Milliseconds. */
  readonly time: number;
}

const EVERY = 200;
/** A command whose loop file is older than this is blocked (loop-watch.mjs); a busy machine delays it less: milliseconds. */
const SILENCE = 3000;
/** A command whose loop file is older than this will not recover: milliseconds. */
const FROZEN = 15_000;

export class TreeWatch {
  readonly #root: number;
  readonly #limits: TreeLimits;
  readonly #loopFile: string;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Map<string, Process>();
  #heights = { own: 0, tree: 0, node: 0, block: 0 };
  #files: { before: number | null; after: number | null } = { before: null, after: null };
  #stopped: string | null = null;
  #marked = false;

  constructor(root: number, loopFile: string, limits: TreeLimits) {
    this.#root = root;
    this.#loopFile = loopFile;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#look(), EVERY);
  }

  /** The command's own process; null before its start and after its end. */
  node(): number | null {
    return [...this.#seen.values()].find((each) => each.parent === this.#root && isRunning(each))?.pid ?? null;
  }

  /** Starts counting blocks of the main loop and open files. */
  mark(): void {
    this.#look();
    const node = this.node();
    if (this.#marked || node === null) return;
    this.#marked = true;
    this.#files = { before: openFiles(node), after: null };
    process.kill(node, 'SIGUSR2');
  }

  /** Ends all processes at once. */
  stop(why: string): void {
    this.#stopped ??= why;
    for (const each of this.#seen.values()) if (isRunning(each)) kill(each.pid);
  }

  /** To be asked when the command has ended: what outlives it for two seconds is left over, and is ended. */
  async end(): Promise<Watched> {
    clearInterval(this.#timer);
    this.#readLoop(false);
    const living = (): readonly Process[] => [...this.#seen.values()].filter(isRunning);
    for (const until = performance.now() + 2000; living().length > 0 && performance.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const leftOver = living().map(({ name, pid }) => `${name} ${pid}`);
    for (const { pid } of living()) kill(pid);
    return {
      treePeak: this.#heights.tree,
      nodePeak: this.#heights.node,
      longestBlock: this.#heights.block,
      files: this.#files,
      leftOver,
      stopped: this.#stopped,
    };
  }

  #look(): void {
    const tree = treeOf(this.#root);
    for (const each of tree) this.#seen.set(`${each.pid}/${each.start}`, each);
    const node = tree.find(({ parent }) => parent === this.#root)?.pid;
    const held = tree.map(({ pid }) => heldBy(pid));
    const own = held.reduce((sum, each) => sum + each.own, 0);
    if (node !== undefined) {
      this.#heights.node = Math.max(this.#heights.node, heldBy(node).most);
      if (this.#files.before !== null) this.#files.after = openFiles(node) ?? this.#files.after;
    }
    // exact counting of shared pages is slow: only at a new peak
    if (own > this.#heights.own * 1.02) {
      this.#heights.own = own;
      const size = tree.reduce((sum, { pid }) => sum + proportionalSize(pid), 0);
      this.#heights.tree = Math.max(this.#heights.tree, size);
    }
    this.#readLoop(node !== undefined);
    if (this.#heights.tree > this.#limits.memory) this.stop(`took ${Math.round(this.#heights.tree / 2 ** 20)} MiB`);
    const time = performance.now() - this.#startedAt;
    if (time > this.#limits.time) this.stop(`did not end in ${Math.round(time / 1000)} s`);
  }

  #readLoop(running: boolean): void {
    if (!this.#marked) return;
    try {
      const news = JSON.parse(readFileSync(this.#loopFile, 'utf8')) as {
        longest: number;
        marked: boolean;
        at: number;
      };
      const silence = running ? Date.now() - news.at : 0;
      this.#heights.block = Math.max(
        this.#heights.block,
        news.marked ? news.longest : 0,
        silence > SILENCE ? silence : 0,
      );
      if (silence > FROZEN) this.stop(`froze for ${Math.round(silence / 1000)} s`);
    } catch {
      // the file is being written
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process ended in between
  }
}
