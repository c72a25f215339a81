// Builds every page script of browsers/inpage/entry into src/render/generated/<name>.ts, which exports its source as a
// string: an expression that is a function of one JSON value. Helpers are bundled in, for the page has no imports.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entries = join(root, 'browsers/inpage/entry');
const target = join(root, 'src/render/generated');

/** Written only where it changed: other processes may be reading it. */
function writeChanged(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // not there yet
  }
  writeFileSync(path, text);
}

mkdirSync(target, { recursive: true });
const names = readdirSync(entries)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => basename(name, '.ts'));

for (const name of names) {
  const { outputFiles } = buildSync({
    entryPoints: [join(entries, `${name}.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'entry',
    target: 'chrome120',
    charset: 'ascii',
    legalComments: 'none',
  });
  const source = `(input)=>{${outputFiles[0].text.trim()}return entry.run(input)}`;
  writeChanged(
    join(target, `${name}.ts`),
    `// Built by scripts/build-inpage.mjs from browsers/inpage/entry/${name}.ts.\n` +
      `export const SOURCE: string = ${JSON.stringify(source)};\n`,
  );
}

for (const stale of readdirSync(target).filter((name) => !names.includes(basename(name, '.ts')))) {
  rmSync(join(target, stale));
}
