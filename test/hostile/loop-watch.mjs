// Preloaded into the command: writes the longest time for which its main loop was blocked to a file. Time for which the
// thread only waited for a processor (schedstat, proc(5)) is not counted: the machine causes it. SIGUSR2 resets the
// measurement, so that the start of the program does not count either.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY = 20;
const file = process.env.HOSTILE_LOOP_FILE;

/** Milliseconds for which the main thread was ready to run but did not run. */
function waited() {
  return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6;
}

if (isMainThread && file !== undefined) {
  let longest = 0;
  let marked = false;
  let before = { at: performance.now(), waited: waited() };
  let writtenAt = 0;
  const write = () => writeFileSync(file, JSON.stringify({ longest, marked, at: Date.now() }));
  const look = () => {
    const now = { at: performance.now(), waited: waited() };
    longest = Math.max(longest, now.at - before.at - (now.waited - before.waited) - EVERY);
    before = now;
    if (now.at - writtenAt < 250) return;
    writtenAt = now.at;
    write();
  };
  process.on('SIGUSR2', () => {
    marked = true;
    longest = 0;
    before = { at: performance.now(), waited: waited() };
  });
  write();
  setInterval(look, EVERY).unref();
  process.on('exit', () => {
    look();
    write();
  });
}
