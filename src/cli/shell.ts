/** The outside world as the command line sees it, passed in once: tests pass another one. */
import { relative } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { CrawlEnvironment } from '../crawl/crawl-environment.ts';
import type { Engine } from './engine.ts';
import type { Variables } from './flags/environment.ts';
import type { ExitCode } from './exit-code.ts';
import type { FaultSource } from './faults.ts';
import type { SignalSource } from './interruption.ts';
import type { Output } from './terminal/terminal.ts';

export interface Shell {
  /** Without the interpreter and the script. */
  readonly words: readonly string[];
  /** Path of the script that runs, as it was called. */
  readonly script: string;
  readonly variables: Variables;
  /** The folder that the user typed in: relative paths start here. Out of a clone, scripts/from-clone.mjs has gone back to it. */
  readonly workingFolder: string;
  readonly input: AsyncIterable<Buffer | string>;
  readonly output: Output;
  readonly errors: Output;
  readonly signals: SignalSource;
  /** Uncaught errors. */
  readonly faults: FaultSource;
  /** Ends the process now, whatever is under way. */
  readonly exit: (code: ExitCode) => void;
  readonly clock: Clock;
  readonly environment: () => CrawlEnvironment;
  /** Loaded when a command needs it: the help is there at once. */
  readonly engine: () => Promise<Engine>;
}

/** The words that call this program from where the user is, up to the command's name. */
export function invocation({ variables, script, workingFolder }: Shell): string {
  // npm sets both: the script that it runs (`npx` for npx), and the package that the script is from
  if (variables['npm_lifecycle_event'] !== undefined) {
    return variables['npm_package_name'] === 'orbweaver' ? 'npm run orbweaver --' : 'npx orbweaver';
  }
  const name = script.split(/[\\/]/).at(-1) ?? '';
  return name === 'orbweaver' || name === '' ? 'orbweaver' : `node ${quoted(nearPath(script, workingFolder))}`;
}

/** The words that call a command of this program: `npm run crawl --`, or those of {@link invocation} and the command. */
export function callOf(command: string, shell: Shell): string {
  const call = invocation(shell);
  return command === 'crawl' && call.startsWith('npm run') ? 'npm run crawl --' : `${call} ${command}`;
}

/** A path as one would type it: relative where that does not climb out of the folder. */
export function nearPath(path: string, from: string): string {
  const near = relative(from, path);
  if (near === '') return '.';
  return near.startsWith('..') || near === path ? path : `./${near}`;
}

/** What a terminal is not shown as it is: it would break the line, or change how the rest is read. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One word for a POSIX shell, on one line. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word.search(UNSHOWN) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replaceAll(/[\\']/g, '\\$&').replaceAll(UNSHOWN, (sign) => NAMED[sign] ?? octal(sign))}'`;
}

/** Its bytes, each with three digits: a digit may follow. */
function octal(sign: string): string {
  return [...Buffer.from(sign)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
