/** Starts the program of a browser with a pipe for the protocol and a profile, and keeps its error output for a failed start. */
import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserProgram } from '../protocol/pipe-browser.ts';
import type { MemoryCgroup } from './memory-cgroup.ts';
import { makeProfile } from './profile-folder.ts';

export interface ProgramStart {
  readonly path: string;
  /** All flags but those of the pipe and the profile. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The group that the program enters by itself; removed with it. */
  readonly group?: MemoryCgroup | null;
}

export interface StartedProgram extends BrowserProgram {
  /** A folder that is removed with the program. */
  readonly artifacts: string;
  /** Its error output, as far as it is kept; of a program that is ending, the whole of it. */
  words(): Promise<string>;
}

/** Characters kept of its output: enough for the line that gives the cause of a failed start. */
const WORDS = 16 * 1024;

/** Milliseconds for its last output to arrive and its last process to end. */
const LAST_WORDS = 1000;

/** V8's output when the scripts of a page have filled their heap, before the words that differ between versions. */
const HEAP_OVERFLOW = '<--- Last few GCs --->';

/** Folder for the temporary files of a browser with this environment. */
export function temporaryFolder(environment: ProgramStart['environment']): string {
  return environment['TMPDIR'] ?? tmpdir();
}

/** @throws where the program cannot be started at all */
export async function startProgram({ path, flags, environment, group = null }: ProgramStart): Promise<StartedProgram> {
  const profile = await makeProfile(temporaryFolder(environment));
  const child = spawn(
    path,
    [...flags, `--user-data-dir=${profile.path}`, '--remote-debugging-pipe', '--no-startup-window'],
    {
      // libpulse makes a folder when a page asks for the microphone; it is to go with the profile
      env: { ...environment, PULSE_RUNTIME_PATH: join(profile.path, 'pulse') },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // a process group of its own: signals to ours do not reach it, and it can be ended as a whole
      detached: process.platform !== 'win32',
    },
  );
  const kill = (): void => killGroup(child);
  // for an unprepared exit: the pipe ends the browser anyway, but its profile would stay
  const atExit = (): void => {
    kill();
    profile.removeAtOnce();
    group?.removeNow();
  };
  process.once('exit', atExit);
  const started = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  const over = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = over.then(async () => {
    // its child processes may still write, and would make the folder anew
    killRest(child);
    await Promise.race([closed, wait(LAST_WORDS, undefined, { ref: false })]);
    await profile.remove();
    await group?.remove();
    process.off('exit', atExit);
  });
  const words = wordsOf(child);
  const heapOverflows = overflowsOf(child);
  const pid = await started;
  const { artifacts } = profile;
  return { pid, pipe: pipeOf(child), artifacts, memory: group, heapOverflows, ended, kill, words };
}

/** Counts heap overflows as the program prints them. */
function overflowsOf({ stderr }: ChildProcess): () => number {
  let count = 0;
  let rest = '';
  stderr?.on('data', (text: string) => {
    const pieces = `${rest}${text}`.split(HEAP_OVERFLOW);
    count += pieces.length - 1;
    rest = pieces.at(-1)?.slice(-HEAP_OVERFLOW.length) ?? '';
  });
  return () => count;
}

function wordsOf({ stderr }: ChildProcess): () => Promise<string> {
  let words = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (words.length < WORDS) words += text.slice(0, WORDS);
  });
  return () =>
    new Promise((resolve) => {
      // a child process may keep the stream open
      const timer = setTimeout(() => resolve(words), LAST_WORDS);
      const say = (): void => {
        clearTimeout(timer);
        resolve(words);
      };
      if (stderr === null || stderr.closed) say();
      else stderr.once('close', say);
    });
}

function pipeOf({ stdio }: ChildProcess): BrowserProgram['pipe'] {
  const [, , , out, incoming] = stdio;
  if (!(out instanceof Writable) || !(incoming instanceof Readable)) throw new Error('the browser has no pipe');
  return { out, in: incoming };
}

function killGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) killRest(child);
}

function killRest({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
