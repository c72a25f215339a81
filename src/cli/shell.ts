/** Everything of the outside that the command line touches, handed to it once: tests hand over another one. */
import { relative } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { CrawlEnvironment } from '../crawl/environment.ts';
import type { Engine } from './engine.ts';
import type { Variables } from './environment.ts';
import type { SignalSource } from './interruption.ts';
import type { Output } from './terminal.ts';

export interface Shell {
  /** Without the interpreter and the script. */
  readonly words: readonly string[];
  /** Path of the script that runs, as it was called. */
  readonly script: string;
  readonly variables: Variables;
  /** Working folder of the process. */
  readonly workingFolder: string;
  readonly input: AsyncIterable<Buffer | string>;
  readonly output: Output;
  readonly errors: Output;
  readonly signals: SignalSource;
  readonly clock: Clock;
  readonly environment: (typedIn: string) => CrawlEnvironment;
  /** Loaded when a command needs it: the help is there at once. */
  readonly engine: () => Promise<Engine>;
}

/** The folder that the user typed in. `npm run` changes to the package's folder and leaves the true one in INIT_CWD. */
export function typedIn({ variables, workingFolder }: Shell): string {
  const underNpm = variables['npm_lifecycle_event'] !== undefined;
  return (underNpm ? variables['INIT_CWD'] : undefined) ?? workingFolder;
}

/** The words that call this program from where the user is, up to the command's name. */
export function invocation(shell: Shell): string {
  const event = shell.variables['npm_lifecycle_event'];
  if (event === 'npx') return 'npx orbweaver';
  if (event !== undefined) return 'npm run orbweaver --';
  const name = shell.script.split(/[\\/]/).at(-1) ?? '';
  if (name === 'orbweaver' || name === '') return 'orbweaver';
  return `node ${quoted(nearPath(shell.script, typedIn(shell)))}`;
}

/** The words that call a command of this program. `npm run crawl --` is shorter than what {@link invocation} makes of it. */
export function callOf(command: string, shell: Shell): string {
  return command === 'crawl' && shell.variables['npm_lifecycle_event'] === 'crawl'
    ? 'npm run crawl --'
    : `${invocation(shell)} ${command}`;
}

/** A path as one would type it: relative where that does not climb out of the folder. */
export function nearPath(path: string, from: string): string {
  const near = relative(from, path);
  if (near === '') return '.';
  return near.startsWith('..') || near === path ? path : `./${near}`;
}

/** One word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
