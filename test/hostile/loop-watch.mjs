// Loaded into the command before it starts: writes down the longest time for which its main loop stood still. SIGUSR2
// begins anew, so that the start of the program does not count.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.HOSTILE_LOOP_FILE;
if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const write = () => writeFileSync(file, JSON.stringify({ longest: delays.max / 1e6, at: Date.now() }));
  process.on('SIGUSR2', () => {
    delays.reset();
    write();
  });
  delays.enable();
  write();
  setInterval(write, 250).unref();
  process.on('exit', write);
}
