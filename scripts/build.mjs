// Builds dist/: page scripts into strings, TypeScript into JavaScript, what is no TypeScript (Lua, scripts) beside
// the code that uses it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  if (status !== 0) process.exit(status ?? 1);
}

/** Files that the compiled code reads at run time, from the place they have in the sources. */
const assets = [
  ...filesBelow('src').filter((name) => name.endsWith('.lua')),
  ...filesBelow('browsers').filter((name) => /^browsers[\\/][^\\/]+\.(mjs|d\.mts|sh)$/.test(name)),
];

if (existsSync(join(root, 'scripts/build-inpage.mjs'))) run('scripts/build-inpage.mjs', []);
rmSync(join(root, 'dist'), { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json']);
for (const path of assets) {
  const target = join(root, 'dist', path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, path), target); // keeps the mode
}
