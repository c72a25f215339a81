// Bundles scripts that run elsewhere (in a page, in a thread) into modules that export them as strings. So they start in the same way
// from the sources, from dist/ and from an installed package.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Writes the file only if its text changed: other processes may be reading it. */
function writeChanged(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // not there yet
  }
  writeFileSync(path, text);
}

/**
 * Writes `<target>/<name>.ts` for each `<entries>/<name>.ts`, and removes other files left in the target.
 * @param entries, target folders below the root of the repository
 * @param options of esbuild
 * @param wrap turns the bundle into the text to store
 */
export function generateSources({ entries, target, options, wrap = (text) => text }) {
  const folder = join(root, target);
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(join(root, entries))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => basename(name, '.ts'));
  for (const name of names) {
    const entry = join(root, entries, `${name}.ts`);
    const { outputFiles } = buildSync({
      entryPoints: [entry],
      bundle: true,
      write: false,
      minify: true,
      legalComments: 'none',
      ...options,
    });
    const from = relative(root, entry).replaceAll('\\', '/');
    const source = JSON.stringify(wrap(outputFiles[0].text));
    writeChanged(join(folder, `${name}.ts`), `// Built from ${from}.\nexport const SOURCE: string = ${source};\n`);
  }
  for (const stale of readdirSync(folder).filter((name) => !names.includes(basename(name, '.ts')))) {
    rmSync(join(folder, stale));
  }
}
