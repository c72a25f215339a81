// Builds the script of every thread, src/<room>/threads/<name>.ts, into src/<room>/generated/<name>.ts, which exports its
// source as a string: one CommonJS script with all that it imports, so that it is started in the same way from the
// sources, from dist/ and from an installed package.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ROOMS = ['crawl', 'system'];

/** Written only where it changed: other processes may be reading it. */
function writeChanged(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // not there yet
  }
  writeFileSync(path, text);
}

for (const room of ROOMS) {
  const entries = join(root, 'src', room, 'threads');
  const target = join(root, 'src', room, 'generated');
  mkdirSync(target, { recursive: true });
  const names = readdirSync(entries).map((name) => basename(name, '.ts'));
  for (const name of names) {
    const { outputFiles } = buildSync({
      entryPoints: [join(entries, `${name}.ts`)],
      bundle: true,
      write: false,
      minify: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      legalComments: 'none',
    });
    writeChanged(
      join(target, `${name}.ts`),
      `// Built by scripts/build-threads.mjs from src/${room}/threads/${name}.ts.\n` +
        `export const SOURCE: string = ${JSON.stringify(outputFiles[0].text)};\n`,
    );
  }
  for (const stale of readdirSync(target).filter((name) => !names.includes(basename(name, '.ts')))) {
    rmSync(join(target, stale));
  }
}
