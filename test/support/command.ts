import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/bin/orbweaver.js', import.meta.url));

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Waits for the end; `code` is null where a signal ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/**
 * Starts the built command line as a person would.
 * @param variables of the environment, beside those of this process; undefined takes one away
 */
export function runCommand(
  args: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): RunningCommand {
  return started(process.execPath, [MAIN, ...args], { folder, variables });
}

/**
 * The same, but never as root, as whom a browser has no sandbox: root takes another user for it.
 * @param folder where that user may write
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

/** `nobody`, by a number that is the same everywhere. */
export const NOBODY = 65534;

/** The same, with files that may become no larger than this. @param kibibytes of each file that it, or what it starts, writes */
export function runLimited(kibibytes: number, args: readonly string[], folder: string): RunningCommand {
  const shell = ['-c', `ulimit -f ${kibibytes}; exec "$@"`, 'bash', process.execPath, MAIN, ...args];
  return started('bash', shell, { folder, variables: {} });
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
