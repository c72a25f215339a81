/**
 * Errors of the process that nothing else takes: of its output streams, and uncaught ones outside of a crawl (faults.ts has those of a
 * crawl). Node.js would end with code 1, which means that a gate failed.
 */
import { CrawlError } from '../base/errors.ts';
import { exitCodeOfError } from './exit-code.ts';
import { lackOfFiles } from './open-files.ts';
import { safeLines } from './terminal/safe-text.ts';

const FAULT = exitCodeOfError(new Error('a fault of the program'));

/** Listens for such errors until the process ends. */
export function listenForLastErrors(process: NodeJS.Process): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isLost || hasNoReader(error, stream)) return;
      isLost = true; // a crawl goes on: its folder is what counts
      if (stream === process.stdout) tell(`standard output cannot be written: ${error.message}`, process);
    });
  }
  process.on('uncaughtException', (uncaught) => {
    if (process.listenerCount('uncaughtException') > 1) return; // a crawl runs, and saves its state first
    const error = lackOfFiles(uncaught) ?? uncaught;
    tell(wordsOf(error), process);
    process.exit(exitCodeOfError(error));
  });
  process.once('exit', (code) => {
    if (isLost && code <= 1) process.exitCode = FAULT;
  });
}

/** `orbweaver crawl … | head` closes the pipe early, and a terminal goes away with its connection (EIO). */
function hasNoReader({ code }: NodeJS.ErrnoException, { isTTY }: NodeJS.WriteStream): boolean {
  return code === 'EPIPE' || (code === 'EIO' && isTTY);
}

function wordsOf(error: Error): string {
  if (error instanceof CrawlError) return error.message.replace(/$/m, ` [${error.code}]`);
  return `this is a fault of the program, please report it:\n${error.stack ?? error.message}`;
}

function tell(text: string, { stderr }: NodeJS.Process): void {
  const [first = '', ...rest] = safeLines(text).split('\n');
  stderr.write(`error  ${first}\n${rest.map((line) => `       ${line}\n`).join('')}`);
}
