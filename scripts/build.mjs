// Builds dist/: page scripts into strings, TypeScript into JavaScript, Lua beside the code that runs it.
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

run('scripts/build-inpage.mjs', []);
rmSync(join(root, 'dist'), { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json']);
for (const path of filesBelow('src').filter((name) => name.endsWith('.lua'))) {
  const target = join(root, 'dist', path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, path), target);
}
