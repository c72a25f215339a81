#!/usr/bin/env node
/** The program: makes a shell of this process, runs one command line, sets the exit code. */
import { systemClock } from '../base/clock.ts';
import { currentEnvironment } from '../crawl/crawl-environment.ts';
import { run } from './run.ts';

// `orbweaver crawl … | head` closes the pipe early: the remaining output has no reader, and the crawl folder is what counts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await run({
  words: process.argv.slice(2),
  script: process.argv[1] ?? '',
  variables: process.env,
  workingFolder: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signals: process,
  faults: process,
  exit: (code) => process.exit(code),
  clock: systemClock,
  environment: () => ({ ...currentEnvironment(process.env, process.cwd()), ownsProcess: true }),
  engine: async () => (await import('./real-engine.ts')).realEngine,
});
