/**
 * The thread that watches the main loop. It acts while the loop does not: it gives the signals back to the system, reports that the
 * program hangs and where, and in the end kills it. Everything here is synchronous and needs nothing from the main thread.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import type { WatchdogOptions } from '../open-main-loop-watch.ts';
import { WatchMemory } from '../watch-memory.ts';

const STDERR = 2;
/** The main thread's listeners would run only when the loop goes on; without them the system ends the process. */
const RELEASE = "process.removeAllListeners('SIGINT'), process.removeAllListeners('SIGTERM')";
const WHERE = "String(new Error('').stack)";
/** A frame of the language or of Node.js: `at test (node:internal/x:1:2)`, or `at node:internal/x:1:2` of a function without a name. */
const BUILT_IN = /(?:\(|^at )(?:<anonymous>|node:[^)]*)\)?$/;
const STACK_LENGTH = 2000;
/** Milliseconds that the report waits for the place at which the program hangs. */
const PLACE_TIME = 2000;

// eslint-disable-next-line typescript/no-unsafe-type-assertion -- given by open-main-loop-watch.ts
const { buffer, every, release, report, end, log } = workerData as WatchdogOptions;
const memory = new WatchMemory(buffer);
let beats = memory.beats;
/** Milliseconds blocked, counted in own ticks: a process that was stopped as a whole, or a machine asleep, has not stalled. */
let still = 0;
let where = '';
let reported = false;

setInterval(() => {
  if (memory.beats !== beats) {
    beats = memory.beats;
    still = 0;
    where = '';
    reported = false;
    return;
  }
  const before = still;
  still += every;
  const reached = (limit: number): boolean => before < limit && still >= limit;
  if (reached(release)) interrupt();
  // on a busy machine the place comes late; native code never gives it
  if (!reported && still >= report && (where !== '' || still >= report + PLACE_TIME)) {
    reported = true;
    say('main loop blocked', `the program has been blocked for ${seconds()} s`);
  }
  if (reached(end)) giveUp();
}, every);

/** Evaluated between two steps of the script that blocks the main thread; native code must return first. */
function interrupt(): void {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: WHERE }, (_error, answer) => {
    where = String(answer?.result.value ?? '').slice(0, STACK_LENGTH);
  });
  session.post('Runtime.evaluate', { expression: RELEASE }, (error) => {
    if (error === null) memory.released = true;
    session.disconnect();
  });
}

function seconds(): number {
  return Math.round(still / 1000);
}

/** Writes the report to log and standard error; failures of either are ignored. */
function say(event: string, words: string): void {
  const during = memory.names;
  // the first line of the stack is the question itself
  const stack = where
    .split('\n')
    .slice(2)
    .map((line) => line.trim());
  const line = { level: 'error', time: new Date().toISOString(), blocked: still, during, where: stack, event };
  const written = `${JSON.stringify(line)}\n`;
  attempt(() => log !== null && appendFileSync(log, written, { mode: 0o600 }));
  const visits = during.map((name) => `\n       under way: ${printable(name)}`).join('');
  // a function that is built in, in the language or in Node.js, is named by its caller
  const place = stack.find((frame) => !BUILT_IN.test(frame)) ?? stack[0];
  const at = place === undefined ? '' : `\n       ${printable(place)}`;
  attempt(() => writeSync(STDERR, `error  ${words}${at}${visits}\n`));
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

function giveUp(): void {
  say(
    'main loop given up',
    `the program has been blocked for ${seconds()} s and is ended; what is saved can be resumed`,
  );
  process.kill(process.pid, 'SIGKILL');
}

function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // the disk may be full, the terminal gone
  }
}
