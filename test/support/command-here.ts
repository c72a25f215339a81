/** The command line within the test's own process: everything except a process of its own, which costs a second of start-up each time. */
import { EventEmitter } from 'node:events';
import { systemClock } from '../../src/base/clock.ts';
import type { Engine } from '../../src/cli/engine.ts';
import { realEngine } from '../../src/cli/real-engine.ts';
import { run } from '../../src/cli/run.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { currentEnvironment } from '../../src/crawl/crawl-environment.ts';

/**
 * Runs a command line to its end.
 * @param own the test's replacements for parts of the program
 * @param variables of the environment; search path and home folder are those of this process unless given
 * @returns the exit code, and the text written to both outputs
 */
export async function runHere(
  words: readonly string[],
  folder: string,
  own: Partial<Engine> = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  let output = '';
  const written = {
    write: (text: string | Uint8Array) => (output += typeof text === 'string' ? text : Buffer.from(text).toString()),
    isTTY: false,
    columns: 100,
  };
  const shell: Shell = {
    words,
    script: '/usr/local/bin/orbweaver',
    variables,
    workingFolder: folder,
    input: (async function* () {})(),
    output: written,
    errors: written,
    signals: new EventEmitter(),
    faults: new EventEmitter(),
    exit: (code) => {
      throw new Error(`the command line ended the process with ${code}`);
    },
    clock: systemClock,
    environment: () => currentEnvironment({ ...process.env, ...variables }, folder),
    engine: () => Promise.resolve({ ...realEngine, ...own }),
  };
  return { code: await run(shell), output };
}
