// Builds dist/: page and thread scripts as strings, TypeScript as JavaScript, all other files (Lua, scripts) beside the code that uses
// them; then bundles the program into few files. Builds in a temporary folder and swaps it in at the end: a failed build keeps the old dist/.
// --if-changed: does nothing if dist/ was built from exactly these sources.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.mjs';
import { sourcesStamp, STAMP_FILE } from './sources-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Every file below a folder, relative to the root. */
function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(join(root, path)).isFile());
}

function run(command, args) {
  const { status, error } = spawnSync(process.execPath, [join(root, command), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error) throw error;
  return status ?? 1;
}

/** Files that the compiled code reads or starts at run time, at the same path as in the sources. */
const assets = [
  ...filesBelow('src').filter((name) => name.endsWith('.lua')),
  ...['browser-places.mjs', 'browser-places.d.mts', 'launch/drop-privileges.sh', 'launch/limit-memory.sh'].map((name) =>
    join('browsers', name),
  ),
];

const stamp = sourcesStamp(root); // before the build: an edit during the build makes the next build necessary
const builtFrom = join(root, STAMP_FILE);
if (process.argv.includes('--if-changed') && existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === stamp)
  process.exit();

const fresh = join(root, `dist-${process.pid}.tmp`); // beside dist, so that paths in source maps stay valid
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));
const steps = [
  () => run('scripts/build-inpage.mjs', []),
  () => run('scripts/build-threads.mjs', []),
  () => run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json', '--outDir', basename(fresh)]),
];
for (const step of steps) {
  const status = step();
  if (status !== 0) process.exit(status);
}
for (const path of assets) {
  const target = join(fresh, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, path), target); // keeps the mode
}
await bundleProgram(root, fresh);
writeFileSync(join(fresh, basename(STAMP_FILE)), stamp);
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(fresh, join(root, 'dist'));
