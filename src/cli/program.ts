/** The program: makes a shell of this process, runs one command line, sets the exit code. main.ts loads it. */
import { systemClock } from '../base/clock.ts';
import { currentEnvironment } from '../crawl/crawl-environment.ts';
import { signalsOf } from './interruption.ts';
import { listenForLastErrors } from './last-resort.ts';
import { run } from './run.ts';
import { workingFolderOf } from './working-folder.ts';

listenForLastErrors(process);
const workingFolder = workingFolderOf(process);

process.exitCode = await run({
  words: process.argv.slice(2),
  script: process.argv[1] ?? '',
  variables: process.env,
  workingFolder,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signals: signalsOf(process),
  faults: process,
  exit: (code) => process.exit(code),
  clock: systemClock,
  environment: () => ({ ...currentEnvironment(process.env, workingFolder), ownsProcess: true }),
  engine: async () => (await import('./real-engine.ts')).realEngine,
});
