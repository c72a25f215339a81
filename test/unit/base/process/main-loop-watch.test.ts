/** A blocked main loop is noticed and reported; signals end the program nevertheless, and in the end it ends itself. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { openMainLoopWatch } from '../../../../src/base/process/open-main-loop-watch.ts';
import { until } from '../../../support/until.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-watch-'));
  const entry = new URL('./blocked-program.ts', import.meta.url).pathname;
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: join(folder, 'program.mjs'),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
}

function start(how: string): Program {
  const child = spawn(process.execPath, [join(folder, 'program.mjs'), how, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const ended = once(child, 'close').then(
    ([code, signal]) => [code as number | null, signal as string | null] as const,
  );
  return { child, output: () => output, ended };
}

describe('a loop that is blocked', () => {
  it('for a while is told when it goes on, with what was under way, and hears signals as before', async () => {
    const { child, output, ended } = start('a while');
    await until(async () => output().includes('stalls'), `the end of the stall: ${output()}`);
    expect(output()).toContain('stalled true http://a.test/blocking');
    expect(output()).toContain('stalls 1, last true');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(output()).toContain('heard SIGTERM');
  }, 20_000);

  it('for longer is told by the watchdog, with where, and a signal ends the program', async () => {
    const { child, output, ended } = start('signal');
    // its last words: an earlier signal would cut them off
    await until(async () => output().includes('/blocking\n'), `the watchdog's word: ${output()}`);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(output()).toMatch(
      /error {2}the program has been blocked for \d+ s\n +at spin .*\n +under way: http:\/\/a\.test\/blocking/,
    );
    const line: unknown = JSON.parse((await readFile(join(folder, 'log.jsonl'), 'utf8')).trim());
    expect(line).toMatchObject({ event: 'main loop blocked', level: 'error', during: ['http://a.test/blocking'] });
  }, 20_000);

  it.each(['for ever', 'pattern'])(
    '%s is ended by the watchdog',
    async (how) => {
      const { output, ended } = start(how);
      expect(await ended).toEqual([null, 'SIGKILL']);
      expect(output()).toContain('is ended; what is saved can be resumed');
    },
    20_000,
  );
});

describe('the watch of an embedding program', () => {
  it('has no thread, and is told of stalls alone', async () => {
    const told: number[] = [];
    const watch = await openMainLoopWatch({
      clock: systemClock,
      onStall: ({ length }) => told.push(length),
      lastWords: null,
    });
    const end = performance.now() + 1200;
    while (performance.now() < end);
    await until(async () => watch.stalls > 0, 'the stall');
    expect(told[0]).toBeGreaterThanOrEqual(1000);
    expect(watch.longest).toBe(told[0]);
    await watch[Symbol.asyncDispose]();
  });
});
