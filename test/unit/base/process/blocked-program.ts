/** A program that blocks its main loop, for tests: its arguments are the way to block it, and the folder for files it leaves behind. */
import { writeFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../../src/base/clock.ts';
import { openMainLoopWatch } from '../../../../src/base/process/open-main-loop-watch.ts';
import { milliseconds } from '../../../../src/base/units.ts';

const [, , how = '', folder = ''] = process.argv;
const tell = (words: string): void => void writeSync(1, `${words}\n`);
writeFileSync(`${folder}/log.jsonl`, '');

const watch = await openMainLoopWatch({
  clock: systemClock,
  onStall: ({ length, during }) => tell(`stalled ${length >= 1000} ${during.join()}`),
  lastWords: {
    log: `${folder}/log.jsonl`,
  },
  limits: {
    release: milliseconds(600),
    report: milliseconds(1200),
    end: milliseconds(how === 'signal' ? 60_000 : 2500),
  },
});
process.on('SIGTERM', () => {
  tell('heard SIGTERM');
  process.exit(0);
});

function spin(time: number): void {
  const end = performance.now() + time;
  while (performance.now() < end);
}

await delay(500); // until the thread runs
using _noted = watch.note('http://a.test/blocking');
tell('blocking');
if (how === 'a while') {
  spin(1600);
  await delay(300);
  tell(`stalls ${watch.stalls}, last ${(watch.lastStall?.length ?? 0) >= 1500}`);
  setInterval(() => {}, 1000);
} else if (how === 'pattern') /^(a+)+$/.test(`${'a'.repeat(100)}b`);
else spin(Number.POSITIVE_INFINITY);
