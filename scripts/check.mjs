// Runs every static check by its name: types, lint, format, layers. Two at a time; all of them run even if one fails; the
// summary comes at the end. Exit 1 if any fails.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { sourcesStamp, STAMP_FILE } from './sources-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);

/**
 * Is dist/ of these very sources? Then the build has just compiled them with the same tsconfig.json, and it fails for any error of types: to
 * compile them once more took a quarter of the time of all checks.
 */
function isBuilt() {
  const stamp = join(root, STAMP_FILE);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesStamp(root);
}

const architecture = join(root, 'test/architecture');
const SOURCES = { name: 'types: src and browsers', command: [bin('tsc'), '--noEmit', '-p', 'tsconfig.json'] };
const CHECKS = [
  { name: 'types: tests', command: [bin('tsc'), '-p', 'tsconfig.test.json'] },
  { name: 'types: page scripts', command: [bin('tsc'), '--noEmit', '-p', 'browsers/inpage/tsconfig.json'] },
  {
    name: 'types: script of the report',
    command: [bin('tsc'), '--noEmit', '-p', 'browsers/report-page/tsconfig.json'],
  },
  { name: 'lint', command: [bin('oxlint'), '--type-aware'] },
  { name: 'format', command: [bin('oxfmt'), '--check'] },
  { name: 'architecture', command: [bin('vitest'), 'run', '--project', 'unit', 'test/architecture'] },
].filter(({ name }) => name !== 'architecture' || (existsSync(architecture) && readdirSync(architecture).length > 0));

function run({ name, command: [program, ...args] }) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    const keep = (chunk) => output.push(chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (ok) =>
      resolve({ name, ok, took: performance.now() - start, output: Buffer.concat(output).toString('utf8').trimEnd() });
    child.on('error', (error) => {
      output.push(Buffer.from(String(error)));
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

// page scripts as strings: the sources import them
const generated = await run({ name: 'page scripts', command: [process.execPath, 'scripts/build-inpage.mjs'] });
const threads = await run({ name: 'thread scripts', command: [process.execPath, 'scripts/build-threads.mjs'] });
const built = isBuilt();
const results = [generated, threads, ...(built ? [{ name: `${SOURCES.name}, by the build`, ok: true, took: 0 }] : [])];
const waiting = built ? [...CHECKS] : [SOURCES, ...CHECKS];
async function work() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) results.push(await run(check));
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));

for (const { name, ok, output } of results) {
  if (!ok) console.log(`\n--- ${name}\n${output}`);
}
console.log('');
for (const { name, ok, took } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name} (${(took / 1000).toFixed(1)} s)`);
}
const failed = results.filter(({ ok }) => !ok).length;
console.log(failed === 0 ? `all ${results.length} checks passed` : `${failed} of ${results.length} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
