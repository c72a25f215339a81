// Measures parsers in a separate process, so that an endless one can be killed and costs only its deadline.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Milliseconds on the clock for one piece of work: linear work takes some ten, exponential work takes forever. */
const DEADLINE = 20_000;

export async function parserGrowths(told, wanted = () => true) {
  const folder = await mkdtemp(join(tmpdir(), 'parser-growth-'));
  try {
    const bundle = join(folder, 'child.cjs');
    await build({
      entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'error',
    });
    let waiting = [];
    await hear(bundle, [], ({ names }) => {
      waiting = names.filter(wanted);
    });
    while (waiting.length > 0) {
      const done = new Set();
      // oxlint-disable-next-line no-await-in-loop -- one at a time: they would take each other's caches
      const stuck = await hear(bundle, waiting, ({ growth, ends }) => {
        if (growth !== undefined) told(growth);
        if (ends !== undefined) done.add(ends);
      });
      if (stuck !== null) {
        done.add(stuck.parser);
        told({ ...stuck, times: [0, 0, 0], exponent: Infinity, cost: null, fault: `does not end in ${DEADLINE} ms` });
      }
      waiting = waiting.filter((name) => !done.has(name));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the work in progress when the process had to be killed; null if it ended by itself. */
async function hear(bundle, names, listener) {
  const child = spawn(process.execPath, ['--single-threaded', bundle, ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let current = null;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, DEADLINE);
  for await (const line of createInterface(child.stdout)) {
    timer.refresh();
    const said = JSON.parse(line);
    if (said.begins !== undefined) current = { parser: said.begins, text: said.text };
    listener(said);
  }
  clearTimeout(timer);
  const code = await closed;
  if (late) return current;
  if (code !== 0) throw new Error(`measuring ended with ${code} at ${JSON.stringify(current)}`);
  return null;
}
