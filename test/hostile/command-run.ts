/** The real command on its own terminal (util-linux's script), watched from outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TreeWatch, type Watched } from './tree-watch.ts';

const MAIN = fileURLToPath(new URL('../../dist/bin/orbweaver.js', import.meta.url));
const LOOP_WATCH = new URL('loop-watch.mjs', import.meta.url).href;

/** Limits beyond which the machine would suffer: bytes and milliseconds. */
export const HARD_LIMITS = { memory: 4 * 2 ** 30, time: 60_000 };

export interface EndedRun {
  readonly code: number | null;
  readonly terminal: Buffer;
  readonly watched: Watched;
  readonly seconds: number;
  /** Files left in its folder for temporary files. */
  readonly temporary: readonly string[];
}

export class CommandRun {
  readonly watch: TreeWatch;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #temporary: string;
  readonly #chunks: Buffer[] = [];
  readonly #startedAt = performance.now();

  /** @param base folder of the run and of its temporary files; @param name distinguishes several runs in one folder */
  static async start(
    words: readonly string[],
    base: string,
    { name = 'run', variables = {} }: { name?: string; variables?: Readonly<Record<string, string>> } = {},
  ): Promise<CommandRun> {
    const temporary = join(base, `temporary-${name}`);
    await mkdir(temporary);
    // root's browser runs as a user of its own, who must be able to enter the folder
    await chmod(base, 0o755);
    await chmod(temporary, 0o1777);
    return new CommandRun(words, base, temporary, variables);
  }

  private constructor(
    words: readonly string[],
    base: string,
    temporary: string,
    variables: Readonly<Record<string, string>>,
  ) {
    this.#temporary = temporary;
    const loopFile = join(base, `${temporary}.loop.json`.slice(base.length + 1));
    const { HOSTILE_PRELOAD: preload, ...own } = variables;
    const loaded = [LOOP_WATCH, ...(preload === undefined ? [] : [preload])].flatMap((file) => ['--import', file]);
    const command = ['exec', process.execPath, ...loaded, MAIN, ...words].map(quoted).join(' ');
    const { NO_COLOR: _1, CI: _2, INIT_CWD: _3, npm_lifecycle_event: _4, ...environment } = process.env;
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: base,
      env: { ...environment, TERM: 'xterm', TMPDIR: temporary, HOSTILE_LOOP_FILE: loopFile, ...own },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (data: Buffer) => this.#chunks.push(data));
    this.#ended = once(this.#child, 'close').then(([code]) => code as number | null);
    this.watch = new TreeWatch(this.#child.pid ?? 0, loopFile, HARD_LIMITS);
  }

  terminal(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  signal(name: NodeJS.Signals): void {
    const node = this.watch.node();
    if (node !== null) process.kill(node, name);
  }

  /** Waits until the terminal shows the text. @returns milliseconds until then; null if the limit passes or the command ends first */
  async shows(text: string, limit: number): Promise<number | null> {
    const startedAt = performance.now();
    let over = false;
    void this.#ended.then(() => (over = true));
    for (;;) {
      if (this.terminal().includes(text)) return performance.now() - startedAt;
      if (over || performance.now() - startedAt > limit) return null;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async ended(): Promise<EndedRun> {
    const code = await this.#ended;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const watched = await this.watch.end();
    const temporary = await readdir(this.#temporary);
    return { code, terminal: this.terminal(), watched, seconds, temporary };
  }
}

/** A word quoted for a shell; plain words stay as they are. */
function quoted(word: string): string {
  return /^[\w:/.=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
