import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/bin/orbweaver.js', import.meta.url));

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves at the end; `code` is null if a signal ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/**
 * Starts the built command line as a person would.
 * @param variables of the environment, added to those of this process; undefined removes one
 */
export function runCommand(
  args: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): RunningCommand {
  return started(process.execPath, [MAIN, ...args], { folder, variables });
}

/**
 * Like {@link runCommand}, but never as root, for whom a browser has no sandbox: root starts it as another user.
 * @param folder in which that user may write
 */
export function runUnprivileged(
  args: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): RunningCommand {
  if (process.getuid?.() !== 0) return runCommand(args, folder, variables);
  const ids = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', '--'];
  return started('setpriv', [...ids, process.execPath, MAIN, ...args], {
    folder,
    variables: { ...variables, HOME: folder },
  });
}

/** `nobody`, by its number, which is the same everywhere. */
export const NOBODY = 65534;

/** Like {@link runCommand}, with a size limit for files. @param kibibytes of each file that the command or its child processes write */
export function runLimited(kibibytes: number, args: readonly string[], folder: string): RunningCommand {
  const shell = ['-c', `ulimit -f ${kibibytes}; exec "$@"`, 'bash', process.execPath, MAIN, ...args];
  return started('bash', shell, { folder, variables: {} });
}

/** Like {@link runCommand}, with a limit of open files. @param files of each process */
export function runWithFewFiles(files: number, args: readonly string[], folder: string): RunningCommand {
  const shell = ['-c', `ulimit -n ${files}; exec "$@"`, 'bash', process.execPath, MAIN, ...args];
  return started('bash', shell, { folder, variables: {} });
}

/** Like {@link runCommand}, in a folder that has been removed. */
export function runFromNowhere(args: readonly string[], folder: string): RunningCommand {
  const shell = ['-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'bash', process.execPath, MAIN, ...args];
  return started('bash', shell, { folder, variables: {} });
}

/** Like {@link runCommand}, in a terminal, which goes away when the started process is killed. */
export function runInTerminal(args: readonly string[], folder: string): RunningCommand {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word}'`);
  return started('script', ['-qfec', `exec ${words.join(' ')}`, '/dev/null'], { folder, variables: {} });
}

/** Like {@link runCommand}, bound to one core. */
export function runOnOneCore(args: readonly string[], folder: string): RunningCommand {
  const core = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return started('taskset', ['-c', core, process.execPath, MAIN, ...args], { folder, variables: {} });
}

function started(
  program: string,
  args: readonly string[],
  { folder, variables }: { readonly folder: string; readonly variables: Readonly<Record<string, string | undefined>> },
): RunningCommand {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', INIT_CWD: undefined, npm_lifecycle_event: undefined, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, output: () => output, ended };
}
